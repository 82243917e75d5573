package commitlog

import "math"

// A shelf is a segment in memory whose records have one size: where an entry of it
// lies takes no look at a table. What is found there has to prove that it is the
// entry that was meant.
type shelf struct {
	base    uint64 // index of the first entry
	count   uint64
	growing *offsets // of a segment that is still added to; nil of the others
	start   uint64   // of the first record
	stride  uint64   // from one record to the next
	length  int      // of each value
	seed    uint32
	bytes   []byte // the segment's; it is for others to keep this memory alive
}

// Shelves are those of a view, with all together that a read needs, so that it
// takes few instructions (see mostShort).
type shelves struct {
	first uint64 // of the entries that every reader of the view may see
	shown uint64 // how many there are from there on
	base  uint64 // where the shelves begin
	span  uint64 // entries of a shelf, on the average; 1 at least
	list  []shelf
}

// noShelves have no entry, and show none.
var noShelves = shelves{span: 1}

// shelvesTo returns the view's shelves, for readers who may see the entries before
// next. The record of that starts at end.
func (v *view) shelvesTo(next uint64, end int64) shelves {
	if v.closed {
		return noShelves
	}
	var list []shelf
	for _, s := range v.segments {
		if s.shelf != nil && s.next() > v.manifest.first {
			list = append(list, *s.shelf)
		}
	}
	n := len(list)
	first := v.manifest.first
	if n == 0 || next <= first {
		return noShelves
	}
	last := list[n-1]
	base := list[0].base
	span := (last.base + last.count - base) / uint64(n)
	if s := v.segments[len(v.segments)-1]; s.offsets != nil && s.mem != nil && s.direct == nil {
		list = append(list, s.likely(last, end))
	}
	return shelves{first: first, shown: next - first, base: base, span: span, list: list}
}

// likely is the shelf that a segment will be if its entries are like those on the
// shelf before it, and the next one, should it be the first, starts at end.
func (s *segment) likely(before shelf, end int64) shelf {
	before.base, before.count, before.growing = s.base, math.MaxInt64, s.offsets
	before.start, before.seed, before.bytes = uint64(end), s.seed, s.mem.Bytes()
	if s.entries() > 0 {
		before.start = uint64(s.offsets.start)
	}
	return before
}

// holds reports whether the records are where the shelf takes them to be.
func (s *shelf) holds() bool {
	return s.growing == nil || s.growing.pace() == pace{int64(s.start), int64(s.stride)}
}

// shelve makes a segment that has a table a shelf, if it is in memory and the
// values are short and have one length: the first one's, at least.
func (s *segment) shelve() {
	if !hasShort || s.mem == nil || s.pace.stride < recordSize(0) || s.end > int64(len(s.mem.Bytes())) {
		return
	}
	first := make([]byte, recordHeaderSize)
	if _, err := s.file.ReadAt(first, s.pace.start); err != nil {
		return // who reads the entry will say why
	}
	length := int(headOf(first) & lengthMask)
	if !canCopy(length) || recordSize(length) != s.pace.stride {
		return
	}
	s.shelf = &shelf{
		base: s.base, count: s.count, start: uint64(s.pace.start), stride: uint64(s.pace.stride), length: length, seed: s.seed,
		bytes: s.mem.Bytes()[:s.end],
	}
}

// show reports whether every reader of the view may see the entry at index.
func (a *shelves) show(index uint64) bool { return index-a.first < a.shown }

// find returns the shelf that has the entry at index, or nil if it has none.
func (a *shelves) find(index uint64) *shelf {
	i := (index - a.base) / a.span // it mostly lies there
	if i >= uint64(len(a.list)) || index-a.list[i].base >= a.list[i].count {
		return nil
	}
	return &a.list[i]
}

// record returns where the record of an entry begins that the shelf holds.
func (s *shelf) record(index uint64) *byte { return &s.bytes[s.start+(index-s.base)*s.stride] }
