package commitlog

import (
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// loadSegment reads what a segment's file says of itself.
func loadSegment(dir disk.Dir, number uint64) (*segment, error) {
	name := segmentName(number)
	file, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	parked := disk.Park(dir, name, file)
	s := newSegment(dir, name, header{number: number, base: unlimited}, parked)
	s.found = new(findings)
	if err = s.load(); err == nil && s.sealed {
		err = parked.Leave() // a log can have more segments than a process files
	}
	if err != nil {
		return nil, both(err, file.Close())
	}
	return s, nil
}

// load reads the headers, and the trailer of a sealed segment. Where somebody is writing the
// log, the first entries can come behind a look at the second header, which is there before
// them: whoever finds entries without it looks at it again.
func (s *segment) load() error {
	size, err := s.file.Size()
	if err != nil {
		return err
	}
	s.size.Store(size)
	if err := s.loadHeaders(); err != nil {
		return err
	}
	if err := s.loadTrailer(); err != nil || s.found.told {
		return err
	}
	if err := s.lookForEntries(); err != nil || s.found.spare {
		return err
	}
	return s.loadHeaders()
}

func (s *segment) loadHeaders() error {
	b := make([]byte, recordsStart)
	n, err := s.file.ReadAt(b, 0)
	if unlessEnd(err) != nil {
		return err
	}
	if err := otherFormat(b[:n], headerMagic); err != nil {
		return err
	}
	s.takeHeaders(b[:blockSize], b[baseAt:])
	return nil
}

// takeHeaders takes the header that tells the base, or else the other one.
func (s *segment) takeHeaders(first, second []byte) {
	made, flaw := parseHeader(first)
	begun, reason := parseHeader(second)
	f := s.found
	f.flaw, f.made, f.headless = flaw, flaw != "", false
	switch {
	case reason == "":
		s.take(begun)
		f.told = true
	case flaw == "":
		s.take(made)
		if lastDirty(second) > 0 {
			f.flaw = reason
		}
	default:
		f.headless = true
	}
}

// loadTrailer makes the segment a sealed one if it has an intact trailer.
func (s *segment) loadTrailer() error {
	t, at, err := s.lastTrailer(func(t trailer) bool { return t.salt == s.salt })
	if err == nil && at > 0 {
		if s.found.told && s.base < t.base {
			s.found.earlier = t.base - s.base
		}
		s.base, s.found.told = t.base, true
		s.takeTrailer(t, at)
	}
	return err
}

// lastTrailer finds the trailer that a segment's file ends with, and where it is: 0 for none.
// A shorter one can stand behind it, whole or in part: the last that is whole counts.
func (s *segment) lastTrailer(is func(trailer) bool) (t trailer, at int64, err error) {
	const last = 3 * blockSize
	from := max(recordsStart, s.size.Load()-last)
	b := make([]byte, max(0, s.size.Load()-from))
	n, err := s.file.ReadAt(b, from)
	if unlessEnd(err) != nil {
		return t, 0, err
	}
	for i := n - blockSize; i >= 0; i-- {
		t, reason := parseTrailer(b[i:])
		if at := from + int64(i); reason == "" && t.fits(at) && is(t) {
			return t, at, nil
		}
	}
	return t, 0, nil
}

// lookForEntries finds out whether a segment that does not tell its base has anything behind
// its headers. Else it is a file that was to come next, or what a crash has left of making that.
func (s *segment) lookForEntries() error {
	sc := s.scan()
	err := sc.restDirty()
	s.found.spare = sc.dirty == 0
	return err
}

// firstEntry is the index of the segment's first entry, by its base or its entries, up to 2³²; 0 if
// neither tells it. Of damage to an unknown number of entries at its begin it tells the last one.
func (s *segment) firstEntry() (uint64, error) {
	if s.found.told {
		return s.base, nil
	}
	if s.found.headless || s.found.spare {
		return 0, nil
	}
	g, ok, err := s.guessBase(0, 1<<32)
	switch {
	case !ok || err != nil:
		return 0, err
	case g.exact:
		return g.base, nil
	}
	return g.first - min(g.first, 1), nil
}

// A guess is what entries tell of a segment's base.
type guess struct {
	base  uint64 // it, or the least that it can be
	exact bool
	first uint64 // the first entry that is intact: it is no later than that
}

// guessBase looks for the base of a segment that does not tell it, among so many from an index on, by the
// first two of its entries that follow one another. Where the heads of the records before them
// are intact, they tell how many there are; else no more than if all had the least size. It
// reports false if no two entries say anything.
func (s *segment) guessBase(from, span uint64) (g guess, ok bool, err error) {
	sc := s.scan()
	sc.least, sc.most = from, from+span
	if ok, err = sc.resync(); err != nil || !ok {
		return g, false, err
	}
	before, exact, err := sc.headsUpTo(sc.at)
	if !exact {
		before = uint64(sc.at-recordsStart) / leastRecord
	}
	g.base, g.first = max(from, sc.next-min(sc.next, before)), sc.next
	g.exact = exact && before <= sc.next-g.base
	return g, true, err
}

// headsUpTo counts the records before an offset by their heads, and reports whether these lead
// to it.
func (s *scan) headsUpTo(to int64) (n uint64, ok bool, err error) {
	at := int64(recordsStart)
	for at < to {
		b, err := s.peek(at, sumSize+mostHead)
		if err != nil {
			return 0, false, err
		}
		h, ok := parseHead(b)
		if !ok {
			return 0, false, nil
		}
		at += h.record()
		n++
	}
	return n, at == to, nil
}
