package commitlog

import (
	"cmp"
	"slices"
)

// Where a segment begins that has lost the header which tells it.

// tellBases has the first two entries of a segment that lost the header with its base tell that, if they are intact. It
// can be lower than where the segment before ends, which was cut there. Without a manifest, which would
// tell of the cut, and no crash takes, the first one alone is believed as well, and the log's first segment
// tells its base so, too. Where the first are damaged, those behind tell of a cut.
func (in *inspection) tellBases(all []*segment) error {
	for _, s := range all {
		if s.found.told || s.found.headless || s.found.spare {
			continue
		}
		before, _ := in.neighbours(all, s.number)
		if before == nil && !in.distrusted {
			continue
		}
		base, ok, err := in.baseByEntries(s, before)
		if err != nil {
			return err
		}
		if ok {
			s.base, s.found.told = base, true
		}
	}
	return nil
}

// baseByEntries is the index of the segment's first entry, if that and the next are intact; behind
// another segment without a manifest, if it is itself; or else what entries that both have say.
func (in *inspection) baseByEntries(s, before *segment) (base uint64, ok bool, err error) {
	least, span := uint64(0), uint64(mostBase)
	if before != nil {
		least, span = before.base, before.mostEntries()
	}
	g, ok, err := s.guessBase(least, span)
	if err != nil || ok && g.at == recordsStart || before == nil {
		return g.first, ok && g.at == recordsStart, err
	}
	if in.distrusted {
		base, alone, err := s.scanFor(least, span).indexAt(recordsStart, least, believed-2)
		if err != nil || alone && (!ok || g.follows(base, recordsStart)) {
			return base, alone, err
		}
	}
	if !ok {
		return 0, false, nil
	}
	return in.baseByOverlap(g, before)
}

// scanFor is a scan for a segment's base among so many from an index on.
func (s *segment) scanFor(from, span uint64) *scan {
	sc := s.scan()
	sc.next, sc.least, sc.most = from, from, from+span
	return sc
}

// baseByOverlap is where a segment begins of which the first entries are damaged, if it has some
// that the one before has, too, which was cut, and not by what the manifest says: by the heads of the damaged ones,
// or else before the first that is intact.
func (in *inspection) baseByOverlap(g guess, before *segment) (base uint64, ok bool, err error) {
	end := before.base + before.count
	if !before.sealed {
		chains, err := before.scan().chains(nil)
		if err != nil {
			return 0, false, err
		}
		for _, c := range chains {
			end = max(end, c.next)
		}
	}
	has := g.first // the heads of damaged records prove nothing alone
	if in.distrusted {
		has = g.has()
	}
	return max(before.base, g.likely()), has < in.cutAt(before.number, end), nil
}

// mostEntries is how many entries a segment's file can have.
func (s *segment) mostEntries() uint64 { return uint64(s.size.Load()) / leastRecord }

// settleBase gives a segment that does not tell its base the one that is due: behind the
// last one's, also behind those of them that damage has cut off from the others. If its own
// entries say so it is another, and a later one.
func (in *inspection) settleBase(s *segment) error {
	s.base = in.next
	if s.found.headless {
		return nil
	}
	reached := in.reached()
	if s.found.spare {
		s.base = reached
		return nil
	}
	sc := s.scan()
	for _, base := range []uint64{in.next, reached} {
		if _, ok, err := sc.read(recordsStart, base); err != nil || ok {
			s.base = base
			return err
		}
	}
	span := in.spanBefore(s)
	g, ok, err := s.guessBase(in.next, min(s.mostEntries(), span)) // what is near counts first: records damaged alike are mostly far
	if err == nil && !ok {
		s.base, ok, err = s.scanFor(in.next, span).indexAt(recordsStart, in.next, min(span, believed-2))
		if err != nil || ok { // it can be alone
			return err
		}
		g, ok, err = s.guessBase(in.next, span)
	}
	switch {
	case !ok:
		s.base = reached
	case g.first < reached:
		s.base = g.base
	default:
		s.base = max(g.base, reached)
	}
	return err
}

// anyBase is among how many indexes a base is looked for where nothing else is known of it.
const anyBase = 1 << 31

// leastLargest is what the largest segment may have had, at least, where all that are left were cut short.
const leastLargest = 1 << 20

// spanBefore is how many entries can be missing before a segment: what the file of the number
// before can have or, if that is gone, sixteen times what as many of the largest there is could.
// Farther away, records that are damaged alike seem to follow one another, too: their
// checksums are off alike.
func (in *inspection) spanBefore(s *segment) uint64 {
	before := uint64(0)
	if last := in.last(); last != nil {
		if before = min(last.number, s.number); before+1 == s.number {
			return max(last.mostEntries(), uint64(in.largest)/leastRecord) + 2 // it can have been cut short
		}
	}
	return min(anyBase, 16*min(s.number-before, anyBase)*(uint64(in.largest)/leastRecord+2))
}

// reached is the index behind the last intact entry of the last segment, whatever is
// damaged before it.
func (in *inspection) reached() uint64 {
	reached := in.next
	if last := in.last(); last != nil && !last.sealed {
		for _, c := range last.found.chains {
			reached = max(reached, c.whole)
		}
	}
	return reached
}

// mostBase is behind the indexes among which the base of the log's first segment is looked for.
const mostBase = 1 << 32

// firstOf is the index of the log's first entry, if only segments tell it: where one behind the first begins
// earlier, that holds nothing of the log. It is 0 if the first one that has entries does not tell it.
func firstOf(all []*segment) (first uint64, err error) {
	all = slices.DeleteFunc(slices.Clone(all), func(s *segment) bool { return s.found.spare })
	for i, s := range all {
		index, ok, err := s.firstEntry()
		if err != nil || i == 0 && !ok {
			return 0, err
		}
		if i == 0 || ok && index < first {
			first = index
		}
	}
	return first, nil
}

// firstEntry is the index of the segment's first entry, by its base or its entries, up to 2³², if
// any of them tells it. Of damage to an unknown number of entries at its begin it tells the last one.
func (s *segment) firstEntry() (index uint64, ok bool, err error) {
	if s.found.told || s.found.headless {
		return s.base, s.found.told, nil
	}
	g, ok, err := s.guessBase(0, mostBase)
	return g.likely(), ok, err
}

// A guess is what entries tell of a segment's base.
type guess struct {
	base  uint64 // it, or the least that it can be
	exact bool
	first uint64 // the first entry that is intact: it is no later than that
	at    int64  // where that starts
}

// follows reports whether the first intact entry can stand as far behind another as it does.
func (g guess) follows(index uint64, at int64) bool {
	return g.first >= index && g.first-index <= uint64(g.at-at)/leastRecord
}

// likely is the base, or, where nobody knows how many entries are damaged before the first intact one, the one
// before that.
func (g guess) likely() uint64 {
	if g.exact {
		return g.base
	}
	return g.first - min(g.first, 1)
}

// has is the first entry that the segment is known to have: the intact one, or that before it, unless it stands first or
// in a value.
func (g guess) has() uint64 {
	if g.at == recordsStart {
		return g.first
	}
	return g.first - 1
}

// guessBase looks for the base of a segment that does not tell it, among so many from an index on: most of
// its intact entries that follow one another say it, since others can be damaged alike, and those before them that fit.
// Where the heads of the records before are intact, they tell how many there are; else no more than if all had
// the least size. It reports false if no two entries say anything.
func (s *segment) guessBase(from, span uint64) (g guess, ok bool, err error) {
	sc := s.scanFor(from, span)
	sc.next = unlimited // no entry is due
	chains, err := sc.chains(nil)
	if err != nil || len(chains) == 0 {
		return g, false, err
	}
	longest := slices.MaxFunc(chains, func(a, b chain) int { return cmp.Compare(a.next-a.first, b.next-b.first) })
	g.first, g.at = longest.first, longest.at
	for _, c := range chains {
		if c.at < g.at && g.follows(c.first, c.at) {
			g.first, g.at = c.first, c.at
		}
	}
	before, exact, err := sc.headsUpTo(g.at)
	if !exact {
		before = uint64(g.at-recordsStart) / leastRecord
	}
	g.base = max(from, g.first-min(g.first, before))
	g.exact = exact && before <= g.first-g.base
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

// headerToWrite is where a segment begins that is written once more: at the header that tells its
// base or, of one that does not tell it, behind that unless the first record that is intact and the
// heads of those before it do, which may say another one only where entries below an index were truncated. A header that
// is wrong is worse than none.
func (s *segment) headerToWrite(first uint64, at int64, truncated uint64) (int64, error) {
	if s.found.told || at == 0 {
		return baseAt, nil
	}
	before, ok, err := s.scan().headsUpTo(at)
	if err != nil || !ok || before > first {
		return recordsStart, err
	}
	base := first - before
	if base > s.base || base < s.base && s.base > truncated {
		return recordsStart, nil
	}
	s.found.earlier = s.base - base
	return baseAt, nil
}
