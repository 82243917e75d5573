package commitlog

import (
	"cmp"
	"slices"
)

// Where a segment begins that has lost the header which tells it: where the one before ends, or
// where its entries say.

// anyBase is among how many indexes a base is looked for where nothing else is known of it.
const anyBase = 1 << 32

// tellBases has the entries of segments that do not tell their base tell that, where no manifest says where the log
// begins and which segments were cut. Of damage to an unknown number of entries at the begin the last one is told.
func (in *inspection) tellBases(all []*segment) error {
	from, span := uint64(0), uint64(anyBase)
	for _, s := range all {
		if !s.found.told && !s.found.spare {
			c, ok, err := s.firstIntact(from, from, span)
			if err != nil {
				return err
			}
			if ok && c.at > recordsStart {
				c.first -= min(1, c.first)
			}
			if ok {
				s.base, s.found.told = c.first, true
			}
		}
		if s.found.told {
			from, span = s.base, s.mostEntries()
		}
	}
	return nil
}

// mostEntries is how many entries a segment's file can have.
func (s *segment) mostEntries() uint64 { return uint64(s.size.Load()) / leastRecord }

// firstOf is the index of the log's first entry, if only segments tell it: where one behind the first begins
// earlier, that holds nothing of the log. It is 0 if the first one that has entries does not tell it.
func firstOf(all []*segment) (first uint64) {
	all = slices.DeleteFunc(slices.Clone(all), func(s *segment) bool { return s.found.spare })
	if len(all) == 0 || !all[0].found.told {
		return 0
	}
	first = all[0].base
	for _, s := range all {
		if s.found.told {
			first = min(first, s.base)
		}
	}
	return first
}

// settleBase gives a segment that does not tell its base the one that is due: behind the
// last one's, also behind those of them that damage has cut off from the others. If its own
// entries say so it is a later one: a file is missing.
func (in *inspection) settleBase(s *segment) error {
	s.base = in.next
	reached := in.reached()
	sc := s.scan()
	for _, base := range []uint64{in.next, reached} {
		if _, ok, err := sc.read(recordsStart, base); err != nil || ok {
			s.base = base
			return err
		}
	}
	s.base = reached
	earliest := in.next
	if len(in.segments) == 0 { // it can have truncated entries
		earliest -= min(earliest, s.mostEntries())
	}
	c, ok, err := s.firstIntact(earliest, in.next, in.spanBefore(s))
	if ok && c.first > reached {
		s.base = max(reached, c.first-min(c.first, uint64(c.at-recordsStart)/leastRecord))
	}
	if len(in.segments) == 0 && s.base == in.next && s.base > 0 {
		s.base-- // one truncated entry comes before, or more, or none
	}
	return err
}

// leastLargest is what the largest segment may have had, at least, where all that are left were cut short.
const leastLargest = 1 << 20

// spanBefore is how many entries can be missing before a segment's first intact one, if the files of all numbers before
// had as many as the largest there is can have.
// Farther away, records that are damaged alike seem to follow one another, too: their checksums are off alike.
func (in *inspection) spanBefore(s *segment) uint64 {
	before := uint64(0)
	if last := in.last(); last != nil {
		before = min(last.number, s.number)
	}
	return min(anyBase, min(s.number-before+1, anyBase)*(uint64(in.largest)/leastRecord+2))
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

// firstIntact is the first intact entries of a segment that does not tell its base, of those among so many from
// an index on: most of them that follow one another say which they are, since others can be damaged alike, and
// those before that fit, or have that index. What stands first can be alone. Truncated entries can come before, from
// the earliest on. It reports false if none says anything.
func (s *segment) firstIntact(earliest, from, span uint64) (c chain, ok bool, err error) {
	sc := s.scan()
	sc.anywhere(earliest, from+span)
	chains, err := sc.chains(0, unlimited)
	if err != nil {
		return c, false, err
	}
	if ok = len(chains) > 0; ok {
		c = slices.MaxFunc(chains, func(a, b chain) int { return cmp.Compare(a.next-a.first, b.next-b.first) })
	}
	sc = s.scan()
	sc.next, sc.least, sc.most = from, from, from+span
	first, alone, err := sc.indexAt(recordsStart, min(span, believed-2))
	if alone {
		chains = append(chains, chain{first: first, next: first + 1, at: recordsStart})
	}
	for _, other := range chains {
		if other.first <= from && from < other.next {
			return other, true, err
		}
		if !ok || other.at < c.at && other.first <= c.first && c.first-other.first <= uint64(c.at-other.at)/leastRecord {
			c, ok = other, true
		}
	}
	return c, ok, err
}
