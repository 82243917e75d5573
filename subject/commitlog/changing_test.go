package commitlog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A record whose memory changes while it is read, as it may on a disk that is
// written by another, is never answered in part: what is checked is the copy.
func TestCopyOfAChangingRecord(t *testing.T) {
	for _, length := range []int{1, 3, 6, 12, 20, 100, mostShort, 600, 5000, 1 << 20} {
		t.Run(fmt.Sprint(length), func(t *testing.T) { testChangingRecord(t, length) })
	}
}

// The same without chance: a copy that lies over a part of the record it is made of,
// which was read before it is overwritten, is as good, since nothing is read twice.
func TestCopyOverItsRecord(t *testing.T) {
	if !hasShort {
		t.Skip("this processor has no instructions for it")
	}
	const seed, index = 7, 3
	for n := 1; n <= mostShort; n++ {
		over := 1 // a value of less than 32 bytes is read before any of it is stored
		if n >= 32 {
			over = (n - 1) / 32 * 32 // else its last 32 bytes are, and then pieces up to here
		}
		if over == 0 {
			continue
		}
		record := make([]byte, 2*recordSize(mostShort))
		value := make([]byte, n)
		for i := range value {
			value[i] = byte(i + 1)
		}
		putRecord(record[:recordSize(n)], seed, entryKind, false, index, value)
		copied := record[recordHeaderSize+over:][:n]
		if got := copyEntry(&copied[0], &record[0], headWith(index, n), seed); got != n || !bytes.Equal(copied, value) {
			t.Errorf("%d bytes: %d copied: %x", n, got, copied)
		}
	}
}

func testChangingRecord(t *testing.T, length int) {
	const index = 5
	size := recordSize(length)
	mem := disk.Anonymous(recordsStart+size, false) // which the race detector leaves alone
	s := &segment{header: header{base: index}, mem: mem, end: recordsStart + size}
	s.size.Store(s.end)
	shelves := shelvesOf([]shelf{{base: index, count: 1, record: &mem.Bytes()[recordsStart], stride: uint64(size), length: length}}, index, index+1)
	var values, records [2][]byte
	for i := range records {
		values[i], records[i] = bytes.Repeat([]byte{'a' + byte(i)}, length), make([]byte, size)
		putRecord(records[i], s.seed, entryKind, false, index, values[i])
	}
	var stop atomic.Bool
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; !stop.Load(); i++ {
			copy(mem.Bytes()[recordsStart:], records[i%2])
			for range rand.IntN(1 + length/4) { // so that some sums find nothing wrong
				stop.Load()
			}
		}
	})
	defer writer.Wait()
	defer stop.Store(true)
	buf := make([]byte, length)
	for range max(100, min(50_000, 20<<20/length)) {
		for way, read := range []func() ([]byte, bool){
			func() ([]byte, bool) { return s.copyAt(index, recordsStart, s.end, buf) },
			func() ([]byte, bool) { return s.copyAt(index, recordsStart, s.end, nil) },
			func() ([]byte, bool) { return shelves.get(index, buf) },
		} {
			if value, ok := read(); ok && !bytes.Equal(value, values[0]) && !bytes.Equal(value, values[1]) {
				t.Fatalf("way %d: read %d bytes that nobody wrote", way, len(value))
			}
		}
	}
}
