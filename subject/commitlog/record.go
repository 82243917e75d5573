package commitlog

import (
	"encoding/binary"
	"hash/crc32"
)

// A record is what a segment holds, one right behind another:
//
//	crc    uint32   crc32c of what follows, seeded by the segment and the entry's index
//	head   uvarint  from bit 3 on the length of the value and two; below three bits, see there
//	value  [length]byte
//
// The seed tells which entry it is: the same bytes prove nothing at another index, nor
// in another segment. Where a head of zero would be there is no record.
type head uint32

const (
	// safeBit says that all entries before this one had been flushed when it was added: a gap
	// before it is damage, and no torn tail.
	safeBit head = 1 << 0
	// flushBit says that of those before the newest record with this bit, or that: others
	// were about to be flushed.
	flushBit head = 1 << 1
	// moreBit says that the next entry belongs to the same batch.
	moreBit head = 1 << 2
	// lostHead is that of an entry that a repair could not save.
	lostHead head = 1 << headShift

	headShift = 3
	mostHead  = 4 // bytes

	sumSize     = 4
	leastRecord = sumSize + 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// headFor is the head of an entry with a value of n bytes.
func headFor(n int) head { return head(n+2) << headShift }

// lost reports whether the entry was given up.
func (h head) lost() bool { return h>>headShift == lostHead>>headShift }

// length is that of the value.
func (h head) length() int { return max(0, int(h>>headShift)-2) }

// size is how many bytes the head takes.
func (h head) size() int64 {
	switch {
	case h < 1<<7:
		return 1
	case h < 1<<14:
		return 2
	case h < 1<<21:
		return 3
	}
	return mostHead
}

// record is how many bytes the record takes.
func (h head) record() int64 { return sumSize + h.size() + int64(h.length()) }

// parseHead reads the head of the record at the start of b. It reports false if there is
// none, or b is too short. Behind the head it reads nothing: of the last record that is mapped, a Close
// beside can have cut off the file there.
func parseHead(b []byte) (h head, ok bool) {
	if len(b) > sumSize+1 { // most heads have one byte or two
		first := head(b[sumSize])
		if first < 1<<7 {
			return first, first >= lostHead
		}
		if second := head(b[sumSize+1]); second < 1<<7 {
			return first&0x7f | second<<7, second > 0
		}
	}
	for i := sumSize; i < min(len(b), sumSize+mostHead); i++ {
		h |= head(b[i]&0x7f) << (7 * (i - sumSize))
		if b[i] < 0x80 {
			return h, h >= lostHead && h.length() <= MaxValueSize && h.size() == int64(i-sumSize+1)
		}
	}
	return 0, false
}

// recordSize returns the bytes that the record of a value of n bytes takes.
func recordSize(n int) int64 { return headFor(n).record() }

// A seed says what the checksums of a segment's records start from. No two entries have the
// same, so that the record of one never passes for another's; and two that follow one another
// in one segment do not seem to in another, whose seed has another step.
type seed struct{ start, step, back uint32 }

// newSeed takes two numbers that are as good as random.
func newSeed(start, step uint32) seed {
	step |= 1
	back := step // modulo 8; each turn doubles the bits that are right
	for range 4 {
		back *= 2 - step*back
	}
	return seed{start, step, back}
}

func (s seed) at(index uint64) uint32 { return s.start + s.step*uint32(index) }

// index is the low half of that of the entry whose checksum starts so.
func (s seed) index(start uint32) uint32 { return (start - s.start) * s.back }

// putRecord makes b, whose size is that of the record, the record of an entry.
func putRecord(b []byte, s seed, index uint64, h head, value []byte) {
	n := binary.PutUvarint(b[sumSize:], uint64(h))
	copy(b[sumSize+n:], value)
	binary.LittleEndian.PutUint32(b, crc32.Update(s.at(index), castagnoli, b[sumSize:]))
}

// appendRecord adds a record to buf.
func appendRecord(buf []byte, s seed, index uint64, h head, value []byte) []byte {
	start := len(buf)
	buf = append(buf, make([]byte, h.record())...)
	putRecord(buf[start:], s, index, h, value)
	return buf
}

// A record as it was read. The value lies in the reader's memory.
type record struct {
	head
	value []byte
}

// parseRecord reads the record at the start of b. It reports false unless b holds all of
// it, and it is that of the entry at index in the segment with this seed.
func parseRecord(s seed, index uint64, b []byte) (record, bool) {
	h, ok := parseHead(b)
	value := sumSize + h.size()
	end := value + int64(h.length())
	if !ok || end > int64(len(b)) {
		return record{}, false
	}
	b = b[:end:end]
	return record{h, b[value:]}, sumOf(b) == crc32.Update(s.at(index), castagnoli, b[sumSize:])
}

// sumOf is the checksum that a record says it has.
func sumOf(record []byte) uint32 { return binary.LittleEndian.Uint32(record) }

// proves reports whether sum is the checksum of the record with this head and value. No
// memory but the value's is looked at, so that what was copied from a record that changed
// meanwhile is found out.
func proves(s seed, index uint64, sum uint32, h head, value []byte) bool {
	crc := ^s.at(index)
	for ; h >= 0x80; h >>= 7 {
		crc = castagnoli[byte(crc)^(byte(h)|0x80)] ^ crc>>8
	}
	crc = castagnoli[byte(crc)^byte(h)] ^ crc>>8
	return sum == crc32.Update(^crc, castagnoli, value)
}
