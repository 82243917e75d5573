package commitlog

import (
	"encoding/binary"
	"unsafe"
)

// A pace tells where records start that are all of one size. Marks and other
// sizes among them make it wrong, so that what is read on its word has to prove
// that it is the entry that was meant.
type pace struct {
	start  int64 // of the first record
	stride int64 // from one to the next; 0 if there is no telling
}

// paceOf is the pace that a segment of so many entries has, if it has one, from
// where its records end. A mark may stand before them.
func paceOf(end int64, count uint64) pace {
	for _, start := range []int64{recordsStart, recordsStart + markSize} {
		if size := uint64(end - start); count > 0 && end > start && size%count == 0 {
			return pace{start, int64(size / count)}
		}
	}
	return pace{}
}

func (s *segment) paceNow() pace {
	if s.offsets != nil {
		return s.offsets.pace()
	}
	return s.pace
}

// fromMemory returns the value of the entry at index as it lies in memory, copied
// to buf or to memory of its own where buf is short. It reports false if the
// entry is not there as it was written; buf may hold anything then.
func (s *segment) fromMemory(index uint64, buf []byte) (value []byte, ok bool) {
	if s.mem == nil && s.direct == nil {
		return nil, false
	}
	// Without a look at the table, one wait for memory is enough.
	if p := s.paceNow(); p.stride > 0 {
		off := p.start + int64(index-s.base)*p.stride
		if value, ok = s.copyAt(index, off, off+p.stride, buf); ok {
			return value, true
		}
	}
	return s.byTable(index, buf)
}

// byTable is fromMemory by the table of offsets.
func (s *segment) byTable(index uint64, buf []byte) (value []byte, ok bool) {
	if s.offsets != nil {
		return s.copyAt(index, s.offsets.at(index-s.base), s.size.Load(), buf)
	}
	at := s.end + 4*int64(index-s.base)
	return s.copyAt(index, int64(binary.LittleEndian.Uint32(s.mem.Bytes()[at:])), s.end, buf)
}

// copyAt is fromMemory for the record that starts at off and ends before limit.
func (s *segment) copyAt(index uint64, off, limit int64, buf []byte) (value []byte, ok bool) {
	if s.direct != nil {
		return s.direct.copyAt(s, index, off, limit, buf)
	}
	b := s.mem.Bytes()
	limit = min(limit, int64(len(b)))
	if !mayStart(off, limit) {
		return nil, false
	}
	b = b[off:limit]
	head := headOf(b)
	n, ok := lengthIn(head, index, len(b))
	if !ok {
		return nil, false
	}
	if n > max(mostShort, cap(buf)) && !intact(s.seed, b[:recordSize(n)]) {
		return nil, false // damage is worth no memory, or little
	}
	// What counts is whether the copy is intact: the record's memory is shared.
	value = room(buf, n)
	if canCopy(n) {
		return value, copyEntry(unsafe.SliceData(value), &b[0], headWith(index, n), s.seed) == n
	}
	copy(value, b[recordHeaderSize:])
	return value, proves(s.seed, sumOf(b), head, value)
}
