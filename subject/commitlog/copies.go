package commitlog

import (
	"cmp"
	"slices"
)

// A rank says which of several files with one number to believe: the one with most entries that can be
// read, then the one that has the name.
type rank struct {
	readable uint64
	named    uint64 // 1 if it is
}

func (r rank) compare(other rank) int {
	return cmp.Or(cmp.Compare(other.readable, r.readable), cmp.Compare(other.named, r.named))
}

// ranksOf reads the entries of those alone that have a number in common. One of them that tells
// its base tells that of the others.
func (in *inspection) ranksOf(all []*segment) (map[*segment]rank, error) {
	alike := map[uint64][]*segment{}
	for _, s := range all {
		alike[s.number] = append(alike[s.number], s)
	}
	ranks := map[*segment]rank{}
	for _, s := range all {
		r := rank{}
		if s.name == segmentName(s.number) {
			r.named = 1
		}
		if others := alike[s.number]; len(others) > 1 {
			if i := slices.IndexFunc(others, func(o *segment) bool { return o.found.told && o.id == s.id }); i >= 0 && !s.found.told {
				s.base, s.found.told = others[i].base, true
			}
			var err error
			r.readable, err = s.readable(in.manifest.first, in.endOf(s, all))
			if err != nil {
				return nil, err
			}
		}
		ranks[s] = r
	}
	return ranks, nil
}

// endOf is the index behind the last entry that a segment can have, whichever file it is in: by
// a truncation, or by where a later one begins.
func (in *inspection) endOf(s *segment, all []*segment) uint64 {
	end := in.manifest.until(s.number)
	for _, o := range all {
		if o.number > s.number && o.found.told && o.id == s.id {
			end = min(end, o.base)
		}
	}
	return end
}

// readable counts the entries of a segment from first to end that can be read, each once, less
// those that a repair has written as lost.
func (s *segment) readable(first, end uint64) (n uint64, err error) {
	if !s.found.told {
		c, ok, err := s.firstIntact(first, anyBase)
		if err != nil || !ok {
			return 0, err
		}
		s.base = c.first
	}
	chains, err := s.scan().chains(func(index uint64, r record) bool { return !r.lost() && index >= first && index < end })
	next := uint64(0)
	for _, c := range chains {
		n += c.next - min(max(c.first, next), c.next)
		next = max(next, c.next)
	}
	return n, err
}
