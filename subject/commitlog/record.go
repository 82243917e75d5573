package commitlog

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// A record is what a segment holds, one after another, each at a multiple of
// eight bytes; all numbers are little endian:
//
//	crc    uint32  crc32c of what follows, as it was written, seeded by the segment
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
	// markKind is a mark: its value is two counts, uint64. Every entry below
	// the first had been flushed to the disk when the mark was written, and
	// those below the second were in sealed segments. Its index is that of the
	// entry that follows. A mark behind a gap proves that the gap is damage and
	// no torn tail.
	markKind
	// lostKind takes the place of an entry that a repair could not save.
	lostKind
)

// markSize is the size of a mark's record, markLength that of its value.
const (
	markLength = 8 + 8
	markSize   = 32
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// recordSize returns the bytes that the record of a value of n bytes takes.
func recordSize(n int) int64 { return aligned(recordHeaderSize + int64(n)) }

// aligned rounds up to where a record may start.
func aligned(n int64) int64 { return (n + alignment - 1) &^ (alignment - 1) }

// putRecord makes b, whose size is that of the record, a record.
func putRecord(b []byte, seed uint32, k kind, more bool, index uint64, value []byte) {
	head := headWith(index, len(value)) | uint64(k)<<kindShift
	if more {
		head |= moreBit
	}
	binary.LittleEndian.PutUint64(b[len(b)-alignment:], 0) // what the value leaves of it is padding
	binary.LittleEndian.PutUint64(b[4:], head)
	copy(b[recordHeaderSize:], value)
	binary.LittleEndian.PutUint32(b, crc32.Update(seed, castagnoli, b[4:]))
}

// appendRecord adds a record to buf, which is aligned.
func appendRecord(buf []byte, seed uint32, k kind, more bool, index uint64, value []byte) []byte {
	start, size := len(buf), int(recordSize(len(value)))
	buf = slices.Grow(buf, size)[:start+size]
	putRecord(buf[start:], seed, k, more, index, value)
	return buf
}

// A pledge is what a mark says.
type pledge struct {
	safe   uint64 // the entries below had been flushed
	sealed uint64 // the entries below were in sealed segments
}

func putMark(b []byte, seed uint32, index uint64, p pledge) {
	var value [markLength]byte
	binary.LittleEndian.PutUint64(value[:], p.safe)
	binary.LittleEndian.PutUint64(value[8:], p.sealed)
	putRecord(b, seed, markKind, false, index, value[:])
}

func newMark(seed uint32, index uint64, p pledge) []byte {
	b := make([]byte, markSize)
	putMark(b, seed, index, p)
	return b
}

// A record as it was read. The value lies in the reader's memory.
type record struct {
	kind  kind
	more  bool
	index uint32 // the low half
	value []byte
	size  int64
}

// pledge is what a mark says.
func (r record) pledge() pledge {
	return pledge{binary.LittleEndian.Uint64(r.value), binary.LittleEndian.Uint64(r.value[8:])}
}

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

// headOf returns a record's head, and its index in the upper half.
func headOf(record []byte) uint64 { return binary.LittleEndian.Uint64(record[4:]) }

// headWith returns the head of the record of an entry with a value of n bytes, more
// left out.
func headWith(index uint64, n int) uint64 { return index<<32 | presentBit | uint64(n) }

// lengthIn returns the length of the value of a record with this head. It reports
// false unless that says that it is the entry at index, and of no more than room
// bytes.
func lengthIn(head, index uint64, room int) (n int, ok bool) {
	n = int(head & lengthMask)
	return n, head&^(moreBit|lengthMask) == headWith(index, 0) && recordSize(n) <= int64(room)
}

// allows reports whether a record of this kind can have a value so long.
func (r record) allows(length int) bool {
	switch r.kind {
	case entryKind:
		return length <= MaxValueSize
	case markKind:
		return length == markLength && !r.more
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
	r.value = valueOf(b)
	return r, intact(seed, b[:r.size])
}

// sumOf is the checksum that a record says it has.
func sumOf(record []byte) uint32 { return binary.LittleEndian.Uint32(record) }

// valueOf is the value of a whole record.
func valueOf(record []byte) []byte {
	end := recordHeaderSize + int(binary.LittleEndian.Uint32(record[4:])&lengthMask)
	return record[recordHeaderSize:end:end]
}

// intact reports whether a whole record has the checksum that it should.
func intact(seed uint32, record []byte) bool {
	return proves(seed, sumOf(record), headOf(record), valueOf(record))
}

// proves reports whether sum is the checksum of a record with this head and
// value. No memory but the value's is looked at, so that what was copied from a
// record that changed meanwhile is found out. Nobody reads padding: what was written
// there was zero, and what is there now costs no entry.
func proves(seed, sum uint32, head uint64, value []byte) bool {
	padded := recordSize(len(value)) - recordHeaderSize - int64(len(value))
	got := crc32.Update(sumWord(seed, head), castagnoli, value)
	return sum == crc32.Update(got, castagnoli, padding[:padded])
}

// padding is never anything but zeros.
var padding [alignment]byte

// sumWord is crc32.Update for eight bytes that are in no memory: that would have
// to be allocated.
func sumWord(crc uint32, word uint64) uint32 {
	crc = ^crc
	for range 8 {
		crc = castagnoli[byte(crc)^byte(word)] ^ crc>>8
		word >>= 8
	}
	return ^crc
}
