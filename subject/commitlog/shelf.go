package commitlog

// A shelf is a segment with a table, in memory, whose records have one size: where
// an entry of it lies takes no look at the table. What is found there has to prove
// that it is the entry that was meant.
type shelf struct {
	base    uint64 // index of the first entry
	count   uint64
	stride  uint64 // from one record to the next
	length  int    // of each value
	seed    uint32
	records []byte // count of them; it is for others to keep this memory alive
}

// Shelves are those of a view, with all together that a read needs, so that it
// takes few instructions (see copyMost).
type shelves struct {
	first uint64 // of the entries that every reader of the view may see
	shown uint64 // how many there are from there on
	base  uint64 // where the shelves begin
	span  uint64 // entries of a shelf, on the average; 1 at least if there are any
	list  []shelf
}

// shelvesTo returns the view's shelves, for readers who may see the entries before
// next.
func (v *view) shelvesTo(next uint64) shelves {
	if v.closed || !canCopyEntry {
		return shelves{}
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
		return shelves{}
	}
	base, end := list[0].base, list[n-1].base+list[n-1].count
	return shelves{first: first, shown: next - first, base: base, span: (end - base) / uint64(n), list: list}
}

// shelve makes a segment that has a table a shelf, if it is in memory and the
// values are short and have one length: the first one's, at least.
func (s *segment) shelve() {
	if s.mem == nil || s.pace.stride < recordSize(0) || s.end > int64(len(s.mem.Bytes())) {
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
		base: s.base, count: s.count, stride: uint64(s.pace.stride), length: length, seed: s.seed,
		records: s.mem.Bytes()[s.pace.start:s.end],
	}
}

// find returns the shelf that has the entry at index, and where its record is. It
// returns nil if there is none, or a reader may not see the entry.
func (a *shelves) find(index uint64) (*shelf, *byte) {
	if index-a.first >= a.shown {
		return nil, nil
	}
	i := (index - a.base) / a.span // it mostly lies there
	if i >= uint64(len(a.list)) {
		return nil, nil
	}
	s := &a.list[i]
	k := index - s.base
	if k >= s.count {
		return nil, nil
	}
	return s, &s.records[k*s.stride]
}
