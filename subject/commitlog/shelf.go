package commitlog

import (
	"slices"
	"unsafe"
)

// A shelf is a segment in memory whose records have one size, or a part of it: where
// an entry of it lies takes no look at a table. What is found there has to prove
// that it is the entry that was meant.
type shelf struct {
	base   uint64 // index of the first entry
	count  uint64
	record *byte  // the first one; the segment is in memory up to the end of the last
	stride uint64 // from one record to the next
	length int    // of each value
	seed   uint32
}

// part returns the shelf of those of its entries, one at least, that are among the
// ones from first on and before next.
func (s shelf) part(first, next uint64) shelf {
	from := max(first, s.base)
	s.record = (*byte)(unsafe.Add(unsafe.Pointer(s.record), (from-s.base)*s.stride))
	s.base, s.count = from, min(next, s.base+s.count)-from
	return s
}

// Shelves are those of a view, with all together that a read needs, so that it
// takes few instructions (see mostShort).
type shelves struct {
	base uint64 // where they begin
	span uint64 // entries of a shelf, on the average; 1 at least
	list []shelf
}

// noShelves have no entry.
var noShelves = shelves{span: 1}

// shelvesOf returns shelves of entries from index base to end, in order.
func shelvesOf(list []shelf, base, end uint64) shelves {
	if len(list) == 0 {
		return noShelves
	}
	return shelves{base: base, span: max(1, (end-base)/uint64(len(list))), list: list}
}

// shelvesTo returns the view's shelves of entries before next, which every reader may
// see.
func (v *view) shelvesTo(next uint64) shelves {
	if v.closed {
		return noShelves
	}
	var list []shelf
	var base, end uint64 // of whole shelves: where an entry mostly lies
	for _, s := range v.segments {
		if s.shelf == nil || s.base >= next || min(next, s.next()) <= v.manifest.first {
			continue
		}
		if list == nil {
			base = s.base
		}
		list, end = append(list, s.shelf.part(v.manifest.first, next)), s.next()
	}
	return shelvesOf(list, base, end)
}

// A likelyShelf is the one that a segment will be which still grows, if its entries
// are like those on the shelf before it.
type likelyShelf struct {
	shelves
	offsets *offsets
	pace    pace
}

// likely returns the shelf that the last segment will be; none if there is no shelf
// before it. The next record starts at end.
func (v *view) likely(end int64) likelyShelf {
	before := v.lastShelf()
	if v.closed || before == nil {
		return likelyShelf{}
	}
	s := v.segments[len(v.segments)-1]
	if s.offsets == nil || s.mem == nil || s.direct != nil {
		return likelyShelf{}
	}
	at := pace{end, int64(before.stride)}
	if s.entries() > 0 {
		at.start = int64(s.offsets.start)
	}
	one := *before
	one.base, one.seed = s.base, s.seed
	one.put(s.mem.Bytes(), at)
	return likelyShelf{shelvesOf([]shelf{one}, one.base, one.base+one.count), s.offsets, at}
}

// lastShelf returns the last segment's that has one, or nil.
func (v *view) lastShelf() *shelf {
	for _, s := range slices.Backward(v.segments) {
		if s.shelf != nil {
			return s.shelf
		}
	}
	return nil
}

// put has the shelf's records lie in b, as many as there is room for.
func (s *shelf) put(b []byte, at pace) {
	s.record, s.count = nil, 0
	if at.start+at.stride <= int64(len(b)) {
		s.record, s.count = &b[at.start], uint64((int64(len(b))-at.start)/at.stride)
	}
}

// shelve makes a segment that has a table a shelf, if it is in memory and the
// values have one length, the first one's at least, that copyShelved takes.
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
	on := shelf{base: s.base, stride: uint64(s.pace.stride), length: length, seed: s.seed}
	on.put(s.mem.Bytes()[:s.end], s.pace)
	if on.count == s.count {
		s.shelf = &on
	}
}

// get is GetInto of an entry that may be seen. It reports false if it is not on the
// shelf, or what is there is not the entry.
func (l *likelyShelf) get(index uint64, buf []byte) ([]byte, bool) {
	if l.offsets == nil || index < l.base || l.offsets.pace() != l.pace {
		return nil, false
	}
	return l.shelves.get(index, buf)
}

// get is copyShelved into memory of its own where buf is short.
func (a *shelves) get(index uint64, buf []byte) ([]byte, bool) {
	n := copyShelved(unsafe.SliceData(buf), cap(buf), a, index)
	if n > cap(buf) {
		buf = make([]byte, n)
		n = copyShelved(&buf[0], n, a, index)
	}
	if n < 0 {
		return nil, false
	}
	return buf[:n], true
}
