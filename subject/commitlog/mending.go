package commitlog

import (
	"fmt"
	"slices"
)

// A mending goes through the segments of a damaged log.
type mending struct {
	*inspection
	at   uint64 // the entries below are accounted for
	free uint64 // the least number that no file before has

	// late writes the last segment anew, which is sealed then, once the manifest says that the log ends
	// there: before, it would vouch for what is behind it.
	late func() error
}

// all sees to it that all entries are in sound segments.
func (m *mending) all() error {
	for i, s := range m.segments {
		if err := m.segment(s, m.segmentEnd(i)); err != nil {
			return err
		}
		m.free = s.number + 1
	}
	m.number = max(m.number, m.free)
	if m.promised > m.at {
		m.number += farAhead // nobody knows how far they had come
		return m.fillUp(m.promised, m.numberFor(m.promised))
	}
	return nil
}

// numberFor is the least number of a file that can have the entries up to an index: the one that had them, which had no lower
// one, can be put back then.
func (m *mending) numberFor(next uint64) uint64 {
	number := m.manifest.numberFor(m.free, next)
	for slices.ContainsFunc(slices.Concat(m.segments, m.dropped), func(s *segment) bool { return s.number == number && s.id == m.manifest.id }) {
		number++
	}
	return number
}

// endHere has the manifest say where the log ends, behind which there is nothing any more.
func (m *mending) endHere() error {
	if m.distrusted { // which knew how far numbers had come
		m.number += farAhead
	}
	m.manifest = m.manifest.cutting(cut{m.at, m.number})
	if err := writeManifest(m.dir, m.manifest); err != nil || m.late == nil {
		return err
	}
	return m.late()
}

// segment sees to it that the entries up to end are in sound segments. Those that are missing
// before it get a segment in the place of the file that had them, or else become a part of it. One of
// which nothing is left but what was truncated is removed at the end.
func (m *mending) segment(s *segment, end uint64) error {
	if end <= m.manifest.first && end < m.promised {
		m.doomed = append(m.doomed, s)
		return nil
	}
	if number := m.numberFor(s.base); s.base > m.at && s.number > number {
		if err := m.fillUp(s.base, number); err != nil {
			return err
		}
	}
	from := m.at
	m.at = end
	stays, err := m.sound(s, end)
	stays = stays && from >= s.base
	if err == nil && (!stays || s.cutsIntact()) {
		err = keep(m.dir, s)
	}
	switch {
	case err != nil || stays:
		return err
	case s == m.last() && m.promised <= end:
		if m.distrusted { // until then it may not tell where it begins
			m.manifest = m.manifest.cutting(cut{from, s.number})
		}
		m.late = func() error { return m.rewrite(s, from, end) }
		return nil
	}
	return m.rewrite(s, from, end)
}

// fillUp adds a segment that says that the entries up to another are lost.
func (m *mending) fillUp(end, number uint64) error {
	name := segmentName(number)
	for m.names[name] { // another file is called so
		name = segmentName(m.number)
		m.number++
	}
	m.names[name] = true
	from := m.at
	m.at = end
	return m.rewrite(newSegment(m.dir, name, header{number: number, base: from}, nil), from, end)
}

// sound reports whether a segment can stay as it is.
func (m *mending) sound(s *segment, end uint64) (bool, error) {
	sound := s.found.flaw == "" && s.id == m.manifest.id && s.next() == end
	a := audit{s: s, first: m.manifest.first, next: end,
		entry: func(uint64, []byte) error { return nil },
		damage: func(damage *CorruptError, lost uint64) error {
			sound = sound && damage.Lost
			return nil
		},
	}
	err := a.run()
	return sound, err
}

// rewrite replaces a segment by a sealed one that holds what is intact of it,
// and a lost record for each other entry from an index on and below end.
func (m *mending) rewrite(s *segment, from, end uint64) error {
	file, err := createAnew(m.dir, newSegmentName)
	if err != nil {
		return err
	}
	fresh := newSegment(m.dir, s.name, header{id: m.manifest.id, number: s.number, base: from}, file)
	err = m.fill(fresh, s, end)
	if err == nil {
		fresh, err = fresh.index()
	}
	if err == nil {
		_, err = fresh.seal()
	}
	if err = both(err, file.Close()); err != nil {
		return both(err, m.dir.Remove(newSegmentName))
	}
	if err := m.dir.Rename(newSegmentName, s.name); err != nil {
		return err
	}
	return flush(m.dir)
}

func (m *mending) fill(fresh, s *segment, end uint64) error {
	if _, err := fresh.file.WriteAt(fresh.header.block(), 0); err != nil {
		return err
	}
	err := fresh.addLost(max(s.base, fresh.base) - fresh.base)
	if err == nil && s.file != nil { // else nothing is left of it
		a := audit{s: s, first: fresh.base, next: end,
			entry:  func(_ uint64, value []byte) error { return fresh.add(headFor(len(value)), value) },
			damage: func(damage *CorruptError, lost uint64) error { return fresh.addLost(lost) },
		}
		err = a.run()
	}
	if err != nil {
		return err
	}
	return fresh.addLost(end - fresh.next())
}

// lostPiece is how many lost records are written at once.
const lostPiece = 4096

func (s *segment) addLost(n uint64) error {
	for n > 0 {
		some := min(n, lostPiece)
		if err := s.add(lostHead, make([][]byte, some)...); err != nil {
			return err
		}
		n -= some
	}
	return nil
}

// add writes a record for each value behind the last.
func (s *segment) add(h head, values ...[]byte) error {
	var b []byte
	for _, value := range values {
		at := s.end + int64(len(b))
		if at > maxOffset-h.record() {
			return fmt.Errorf("%s: entries do not fit into one segment", s.path)
		}
		b = appendRecord(b, s.seed, s.next(), h, value)
		s.offsets.add(uint32(at))
	}
	if _, err := s.file.WriteAt(b, s.end); err != nil {
		return err
	}
	s.end += int64(len(b))
	return nil
}
