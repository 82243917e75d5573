package commitlog

import "encoding/binary"

// firstRead is how much of a record is read before its length is known.
const firstRead = 512

// mayStart reports whether a record can start at off and end before limit.
func mayStart(off, limit int64) bool { return off >= recordsStart && off <= limit-leastRecord }

// read returns the value of the entry at index, whose record starts at off and
// ends before limit, by reading the file.
func (s *segment) read(index uint64, off, limit int64) ([]byte, error) {
	if !mayStart(off, limit) {
		return nil, s.corrupt(index, s.tableAt, "segment's table of entries is damaged")
	}
	b, err := s.bytes(off, min(firstRead, limit-off))
	if err != nil {
		return nil, err
	}
	if h, ok := parseHead(b); ok && h.record() > int64(len(b)) && h.record() <= limit-off {
		if b, err = s.bytes(off, h.record()); err != nil {
			return nil, err
		}
	}
	r, ok := parseRecord(s.seed, index, b)
	switch {
	case !ok:
		return nil, s.corrupt(index, off, "checksum does not match")
	case r.lost():
		return nil, s.lost(index, off)
	}
	return r.value, nil
}

// bytes reads n bytes of what was written, fewer where that ends.
func (s *segment) bytes(off, n int64) ([]byte, error) {
	if s.output != nil {
		return s.output.read(off, n)
	}
	if s.file == nil {
		return s.memory.Copy(off, n), nil
	}
	b := make([]byte, n)
	read, err := s.file.ReadAt(b, off)
	return b[:read], unlessEnd(err)
}

// place returns where the record of an entry starts, and where the segment's
// records end at the latest.
func (s *segment) place(index uint64) (off, limit int64, err error) {
	if s.offsets != nil {
		return s.offsets.at(index - s.base), s.size.Load(), nil
	}
	if s.stride > 0 {
		return recordsStart + int64(index-s.base)*s.stride, s.end, nil
	}
	b, err := s.bytes(s.tableAt+4*int64(index-s.base), 4)
	if err != nil || len(b) < 4 {
		return 0, s.end, err
	}
	return int64(binary.LittleEndian.Uint32(b)), s.end, nil
}

// lost is what reading an entry that a repair gave up says.
func (s *segment) lost(index uint64, off int64) *CorruptError {
	return &CorruptError{Path: s.path, Index: index, Offset: off, Reason: "lost before a repair", Lost: true}
}

func (s *segment) corrupt(index uint64, off int64, reason string) *CorruptError {
	return &CorruptError{Path: s.path, Index: index, Offset: off, Reason: reason}
}

// endOf returns where the record of an entry ends that was shown, or limit if its head does not tell.
func (s *segment) endOf(index uint64, limit int64) (int64, error) {
	at := s.offsets.at(index - s.base)
	b, err := s.bytes(at, min(sumSize+mostHead, limit-at))
	if h, ok := parseHead(b); ok {
		limit = min(limit, at+h.record())
	}
	return limit, err
}
