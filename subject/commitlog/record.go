package commitlog

import (
	"encoding/binary"
	"hash/crc32"
)

// A record is what a segment holds, one after another, each at a multiple of
// eight bytes; all numbers are little endian:
//
//	crc    uint32  crc32c of what follows, padding included, seeded by the segment
//	head   uint32  bit 31 set, bit 30 more, bits 28 and 29 kind, the rest length
//	index  uint32  the low half of the entry's index
//	value  [length]byte
//	zeros up to a multiple of eight
//
// The first eight bytes are never zero and can be stored as one word, after
// the rest: a writer that maps the file publishes a record with them.
const (
	recordHeaderSize = 4 + 4 + 4
	alignment        = 8

	presentBit = 1 << 31
	moreBit    = 1 << 30 // the next entry belongs to the same batch
	kindShift  = 28
	lengthMask = 1<<kindShift - 1
)

// A kind says what a record is about.
type kind uint32

const (
	// entryKind is an entry.
	entryKind kind = iota
	// markKind is a mark: its value is a count, uint64, and every entry below
	// it had been flushed to the disk when the mark was written. Its index is
	// that of the entry that follows. A mark behind a gap proves that the gap
	// is damage and no torn tail.
	markKind
	// lostKind takes the place of an entry that a repair could not save.
	lostKind
)

// markSize is the size of a mark's record.
const markSize = 24

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// recordSize returns the bytes that the record of a value of n bytes takes.
func recordSize(n int) int64 { return aligned(recordHeaderSize + int64(n)) }

// aligned rounds up to where a record may start.
func aligned(n int64) int64 { return (n + alignment - 1) &^ (alignment - 1) }

// appendRecord adds a record to buf, which is aligned.
func appendRecord(buf []byte, seed uint32, k kind, more bool, index uint64, value []byte) []byte {
	start := len(buf)
	head := uint32(presentBit) | uint32(k)<<kindShift | uint32(len(value))
	if more {
		head |= moreBit
	}
	buf = append(buf, 0, 0, 0, 0)
	buf = binary.LittleEndian.AppendUint32(buf, head)
	buf = binary.LittleEndian.AppendUint32(buf, uint32(index))
	buf = append(buf, value...)
	for len(buf)%alignment != 0 {
		buf = append(buf, 0)
	}
	binary.LittleEndian.PutUint32(buf[start:], crc32.Update(seed, castagnoli, buf[start+4:]))
	return buf
}

func appendMark(buf []byte, seed uint32, index, safe uint64) []byte {
	var value [8]byte
	binary.LittleEndian.PutUint64(value[:], safe)
	return appendRecord(buf, seed, markKind, false, index, value[:])
}

// A record as it was read. The value lies in the reader's memory.
type record struct {
	kind  kind
	more  bool
	index uint32 // the low half
	value []byte
	size  int64
}

// safe is what a mark says.
func (r record) safe() uint64 { return binary.LittleEndian.Uint64(r.value) }

// parseHead reads the first bytes of a record, all but the value. It reports
// false if b is too short or no record can begin so.
func parseHead(b []byte) (r record, ok bool) {
	if len(b) < recordHeaderSize {
		return record{}, false
	}
	head := binary.LittleEndian.Uint32(b[4:])
	length := int(head & lengthMask)
	r = record{
		kind:  kind(head >> kindShift & 3),
		more:  head&moreBit != 0,
		index: binary.LittleEndian.Uint32(b[8:]),
		size:  recordSize(length),
	}
	return r, head&presentBit != 0 && r.allows(length)
}

// allows reports whether a record of this kind can have a value so long.
func (r record) allows(length int) bool {
	switch r.kind {
	case entryKind:
		return length <= MaxValueSize
	case markKind:
		return length == 8 && !r.more
	case lostKind:
		return length == 0
	}
	return false
}

// parseRecord reads the record at the start of b. It reports false unless b
// holds all of it, with the checksum that belongs to it in this segment.
func parseRecord(seed uint32, b []byte) (record, bool) {
	r, ok := parseHead(b)
	if !ok || r.size > int64(len(b)) {
		return record{}, false
	}
	if binary.LittleEndian.Uint32(b) != crc32.Update(seed, castagnoli, b[4:r.size]) {
		return record{}, false
	}
	length := binary.LittleEndian.Uint32(b[4:]) & lengthMask
	end := recordHeaderSize + int(length)
	r.value = b[recordHeaderSize:end:end]
	return r, true
}
