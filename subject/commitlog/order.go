package commitlog

import (
	"cmp"
	"fmt"
	"slices"
)

// identify finds out which log it is: without a manifest, that of most segments. If none is
// of the manifest's log, but has entries by that, or two are of one other, it is the manifest
// that does not belong here. Segments that lost their header are of that log.
func (in *inspection) identify(all []*segment) error {
	if !in.distrusted {
		if err := loadByNames(all, in.manifest.id); err != nil {
			return err
		}
	}
	count, most := map[uint64]int{}, uint64(0)
	for _, s := range all {
		if !s.found.headless() || s.found.flaw == otherHeader { // else its log is only supposed
			if count[s.id]++; count[s.id] > count[most] {
				most = s.id
			}
		}
	}
	if m := in.manifest; !in.distrusted && count[m.id] == 0 && (count[most] > 1 || count[most] > 0 && m.known > m.first) {
		if its, err := anyOf(all, m.id); its || err != nil {
			return err
		}
		in.distrust("manifest belongs to another log")
	}
	if !in.distrusted {
		return nil
	}
	in.manifest.id = most
	return loadByNames(all, most)
}

func loadByNames(all []*segment, id uint64) error {
	for _, s := range all {
		if err := s.loadByName(id); err != nil {
			return err
		}
	}
	return nil
}

// anyOf reports whether a segment without a header is of the log with an id, by its trailer or any record.
func anyOf(all []*segment, id uint64) (bool, error) {
	for _, s := range all {
		if s.id != id || !s.found.headless() {
			continue
		}
		if s.sealed { // by a trailer of it
			return true, nil
		}
		if its, err := s.holds(s.header); its || err != nil {
			return its, err
		}
	}
	return false, nil
}

// inOrder puts segments into their order, whatever their files are called. What belongs to
// another log is none of this one's, nor of several with one number all but the one that has the name, or, if that is all zeros, another.
func (in *inspection) inOrder(all []*segment) (others []*segment) {
	rank := func(s *segment) int {
		switch {
		case s.found.spare:
			return 2
		case s.name != segmentName(s.number):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b *segment) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(rank(a), rank(b)))
	})
	for _, s := range all {
		reason := ""
		switch n := len(others); {
		case s.id != in.manifest.id:
			reason = "segment belongs to another log"
		case n > 0 && others[n-1].number == s.number:
			reason = fmt.Sprintf("file is a copy of %s", others[n-1].path)
		default:
			others = append(others, s)
			continue
		}
		in.strays = append(in.strays, s)
		in.report(s.corrupt(in.manifest.first, -1, reason))
	}
	return others
}

// leaveOut leaves out what was truncated, and files that were made for entries to come.
func (in *inspection) leaveOut(all []*segment) (others []*segment) {
	until := uint64(unlimited)
	for _, s := range slices.Backward(all) {
		in.comesBehind(s.number)
		until = min(until, in.manifest.until(s.number))
		s.until = until
		if s.found.spare && len(others) == 0 || s.found.told && s.base >= until || until <= in.manifest.first || s.sealed && s.next() <= in.manifest.first {
			in.doomed = append(in.doomed, s)
		} else {
			others = append(others, s)
		}
		if s.found.told {
			until = min(until, s.base)
		}
	}
	for _, c := range in.manifest.cuts {
		in.number = max(in.number, c.since)
	}
	slices.Reverse(others)
	return others
}
