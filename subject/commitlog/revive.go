package commitlog

import "slices"

// revive has segments that lost both headers be what their trailers say, which have all but
// the log's own id and the number. The file's name has that, if it was not given another:
// so a segment is revived only where its entries are just those between the segments with the
// next lower and the next higher number. What is no segment of this place, or was
// truncated, does not fit there, and no other segment is the less for it. As the next change
// can leave it no place to fit, the log opens once a repair has written its headers again.
func (in *inspection) revive(all []*segment) error {
	for _, s := range slices.Backward(all) { // what one is can tell what the one before is
		if !s.found.headless {
			continue
		}
		before, after := in.neighbours(all, s.number)
		if after == nil || before == nil && in.distrusted {
			continue
		}
		err := s.revive(in.manifest.id, func(t trailer) bool {
			end := in.cutAt(s.number, t.base+t.count)
			if end != after.base || end <= max(t.base, in.manifest.first) {
				return false
			}
			switch {
			case before == nil:
				return t.base <= in.manifest.first
			case before.sealed && !before.found.torn:
				return t.base == in.cutAt(before.number, before.base+before.count)
			}
			return t.base > before.base // it has lost its trailer, or the newest one, which would say so
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cutAt is where the entries of a sealed segment end, of which the manifest may have cut some.
func (in *inspection) cutAt(number, end uint64) uint64 {
	if number < in.manifest.since {
		return min(end, in.manifest.cut)
	}
	return end
}

// neighbours are the segments of this log that tell their base with the next lower and the
// next higher number, but for those that are none of it any more: a crash can bring one back.
func (in *inspection) neighbours(all []*segment, number uint64) (before, after *segment) {
	for _, s := range all {
		switch {
		case !s.found.told || s.found.headless || s.id != in.manifest.id || in.truncated(s):
		case s.number < number && (before == nil || s.number > before.number):
			before = s
		case s.number > number && (after == nil || s.number < after.number):
			after = s
		}
	}
	return before, after
}

// revive takes the last trailer if that fits and a record proves that it is of this log: its
// checksum is that of an entry.
func (s *segment) revive(id uint64, fits func(trailer) bool) error {
	t, at, err := s.lastTrailer(func(trailer) bool { return true })
	if err != nil || at == 0 || !fits(t) {
		return err
	}
	lost, seed := s.header, s.seed
	s.take(header{id: id, salt: t.salt, number: s.number, base: t.base})
	s.found.told = true
	proven := false
	err = newScan(s, int64(t.dataEnd)).walk(func(index uint64, _ int64, _ record) error {
		if proven = index-t.base < t.count; proven {
			return errEnough
		}
		return nil
	})
	if proven {
		s.found.headless, s.found.revived = false, true
		s.takeTrailer(t, at)
		return nil
	}
	s.header, s.seed, s.found.told = lost, seed, false
	return err
}
