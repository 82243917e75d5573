package commitlog

import (
	"bytes"
	"io"
	"testing"
)

// Small records alternate with what looks like the head of one that reaches far over those
// behind, and further than any before: the sum is wrong, behind damage or a record, or the
// index is. All the
// small ones are found, and what is read is some times the file.
func TestForgedHeadsAreNotReadForEver(t *testing.T) {
	const pairs, size = 2000, 1 << 20
	for what, forge := range map[string]func(b []byte, seed, due uint32) (taken int){
		"wrong sum":               func(b []byte, seed, due uint32) int { return forgeHead(b, seed, due, 1) },
		"wrong sum behind damage": func(b []byte, seed, due uint32) int { b[0] = 1; return 8 + forgeHead(b[8:], seed, due, 1) },
		"wrong index":             func(b []byte, seed, due uint32) int { return forgeHead(b, seed, due+1<<20, 0) },
	} {
		h := header{id: 1, salt: 2}
		b := make([]byte, size)
		stride := int(recordSize(0)) + forge(make([]byte, 64), 0, 0)
		for i := pairs - 1; i >= 0; i-- { // since the sum of a forged one goes by what is behind it
			pair := b[recordsStart+i*stride:]
			putRecord(pair[:recordSize(0)], h.seed(), entryKind, false, uint64(i), nil)
			forge(pair[recordSize(0):len(pair)-(pairs-i)*stride], h.seed(), uint32(i+1))
		}
		file := &countedReads{file: bytes.NewReader(b)}
		found, err := newScan(file, h, size).survey()
		if err != nil || found.entries != pairs {
			t.Errorf("%s: %d entries were found of %d, %v", what, found.entries, pairs, err)
		}
		if file.bytes > (guessedTimes+4)*size {
			t.Errorf("%s: %d bytes were read of a file of %d", what, file.bytes, size)
		}
	}
}

// forgeHead makes all of b a record, but for its sum, and returns how much of it the next
// one has to leave alone.
func forgeHead(b []byte, seed, index, wrong uint32) (taken int) {
	putRecord(b, seed, entryKind, false, uint64(index), b[recordHeaderSize:])
	b[0] ^= byte(wrong)
	return 16
}

// countedReads counts the bytes that are read from a file.
type countedReads struct {
	file  io.ReaderAt
	bytes int64
}

func (c *countedReads) ReadAt(b []byte, off int64) (int, error) {
	c.bytes += int64(len(b))
	return c.file.ReadAt(b, off)
}
