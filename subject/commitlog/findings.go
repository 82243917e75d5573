package commitlog

import (
	"cmp"
	"slices"
)

// Findings are what reading a segment's file tells.
type findings struct {
	flaw    string // what is wrong with its header, if anything
	struck  bool   // that is so by damage: a crash leaves some of its bytes, and zeros
	told    bool   // it tells its base
	legible bool   // one of its records is intact
	spare   bool   // it has no entry, and was not begun
	late    bool   // truncated entries are missing before its own: nobody is told of that
	format  error  // it has a header of another format

	surveyed bool
	chains   []chain // of intact records that follow one another
	safe     uint64  // the entries below had been flushed, as records say
	dirty    int64   // behind the last byte that is not zero, of what was looked at
}

// headless reports whether the header is gone: the file's name tells which segment it is.
func (f *findings) headless() bool { return f.flaw != "" }

// A chain is intact records of entries that follow one another, up to damage.
type chain struct {
	first, next uint64
	whole       uint64 // behind the last batch that ends in it
	at          int64  // where its first record starts
}

// chains are those from where the scan is on, by their entries, of the records of entries from an index on and below another.
func (s *scan) chains(from, to uint64) (all []chain, err error) {
	ended := int64(0)
	err = s.walk(func(index uint64, at int64, r record) error {
		if index < from || index >= to {
			return nil
		}
		if last := len(all) - 1; last < 0 || all[last].next != index || ended != at {
			all = append(all, chain{first: index, at: at})
		}
		all[len(all)-1].next, ended = index+1, at+r.record()
		return nil
	})
	slices.SortStableFunc(all, inEntryOrder)
	return all, err
}

func inEntryOrder(a, b chain) int { return cmp.Compare(a.first, b.first) }

// survey reads all records of a segment that is not sealed, once: up to the first damage it notes where they
// are, and of what is behind only how many there are and what they prove. Of a batch it
// takes all or nothing, but those below known, which the manifest knows of, are no part of
// an unfinished one, nor does one go on behind what was truncated: half of one can be left. Without
// a manifest that can be trusted nobody knows of that, and each may be such a half. Damage to
// entries before the log's first costs none of the others.
func (in *inspection) survey(s *segment) error {
	f, m := s.found, in.manifest
	if s.sealed || f.surveyed {
		return nil
	}
	newest, ended := uint64(0), int64(0) // the last record with the bit, where the last one ended
	wholeEnd := int64(recordsStart)      // of the first chain in the file
	sc := s.scan()
	err := sc.walk(func(index uint64, at int64, r record) error {
		f.legible = true
		if index >= s.until || index < s.base && (f.told || s.base > m.first) {
			return nil // it was truncated
		}
		if n := len(f.chains); n == 0 || ended != at || f.chains[n-1].next != index { // a page of others can follow without a gap
			f.chains = append(f.chains, chain{first: index, whole: index, at: at})
		}
		last := &f.chains[len(f.chains)-1]
		last.next, ended = index+1, at+r.record()
		if r.head&flushBit != 0 && (index > newest || newest == 0) { // a value can hold a copy of the newest
			if f.safe = max(f.safe, newest); r.head&safeBit != 0 {
				f.safe = max(f.safe, index)
			}
			newest = index
		}
		ends := r.head&moreBit == 0 || last.next == s.until || last.next <= m.known || in.distrusted
		if ends {
			last.whole = last.next
		}
		if len(f.chains) == 1 {
			s.offsets.add(uint32(at))
			if ends {
				wholeEnd = ended
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.safe = max(f.safe, s.header.safe)
	f.surveyed, f.dirty = true, sc.dirty
	return s.begin(m, wholeEnd)
}

// begin finds out where a segment begins that does not tell its base and can have entries before the log's first: with the least
// that is there. Its own entries are those of the first chain in the file, which ends whole batches at an offset.
func (s *segment) begin(m manifest, wholeEnd int64) error {
	f, main := s.found, chain{}
	if len(f.chains) > 0 {
		main = f.chains[0]
	}
	slices.SortStableFunc(f.chains, inEntryOrder)
	if !f.told && s.base <= m.first {
		s.base = m.first
		if c := f.chains; len(c) > 0 && c[0].first <= m.first {
			s.base = c[0].first
			if s.base > 0 && c[0].at > recordsStart {
				s.base--
			}
		}
	}
	if main.first != s.base {
		main = chain{whole: s.base}
	}
	s.offsets.cut(main.whole - s.base)
	if s.offsets.n > 0 {
		s.end = wholeEnd
	}
	if i := slices.IndexFunc(f.chains, func(c chain) bool { return c.first <= m.first && c.next > m.first }); i >= 0 && s.base < m.first && main.whole <= m.first {
		if err := s.startWith(f.chains[i]); err != nil {
			return err
		}
	}
	proven := s.proven(m.known)
	if s.unsure = (stretch{recordsStart, s.end}); proven > s.base {
		s.unsure.from = s.offsetOf(proven)
	}
	exact := main.at == recordsStart && main.next > s.base
	if (f.told || exact || s.base <= m.first) && (f.headless() || proven == s.base) {
		s.unsure.from = 0 // with a header that says no more than is known
	}
	return nil
}

// startWith has the segment go on with a chain: what is missing before it was truncated, and gets no offsets of its own.
func (s *segment) startWith(c chain) error {
	s.found.late = true
	s.base = max(s.base, c.first-min(c.first, uint64(c.at-recordsStart)/leastRecord)) // more do not fit before it
	s.offsets = new(offsets)
	for range c.first - s.base {
		s.offsets.add(recordsStart)
	}
	sc := s.scan()
	sc.at, sc.next = c.at, c.first
	for sc.next < c.whole {
		s.offsets.add(uint32(sc.at))
		if _, ok, err := sc.step(); err != nil || !ok {
			return err
		}
	}
	s.end = sc.at
	return nil
}

// rest counts the intact entries that the segment's own do not include, nor those before them.
func (s *segment) rest() (n uint64) {
	n, _ = s.intactFrom(s.base + s.entries())
	return n
}

// intactFrom counts the entries from an index on that are intact, and tells where the chain of the
// first of them starts.
func (s *segment) intactFrom(index uint64) (n uint64, at int64) {
	for _, r := range s.found.chains {
		if r.next <= index {
			continue
		}
		if n == 0 {
			at = r.at
		}
		n += r.next - max(r.first, index)
		index = r.next // a copy of these can stand elsewhere
	}
	return n, at
}

// reach is the index behind the last entry that has to be there, if those below safe have
// to: those that follow without a gap, whole batches of them.
func (s *segment) reach(safe uint64) uint64 {
	end := safe
	for _, r := range s.found.chains {
		if r.first > end {
			break
		}
		end = max(end, r.whole)
	}
	return end
}

// proven is the index below which all of the segment's entries had been flushed.
func (s *segment) proven(known uint64) uint64 {
	if s.sealed {
		return s.next()
	}
	return max(s.base, min(max(s.found.safe, known), s.next()))
}
