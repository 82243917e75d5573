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
	for _, length := range []int{1, 3, 6, 12, 20, 100, mostUnseen, 600, 5000, 1 << 20} {
		t.Run(fmt.Sprint(length), func(t *testing.T) { testChangingRecord(t, length) })
	}
}

func testChangingRecord(t *testing.T, length int) {
	const index = 5
	size := recordSize(length)
	memory := disk.Anonymous(recordsStart + size) // which the race detector leaves alone
	s := &segment{header: header{base: index}, memory: memory, offsets: new(offsets), end: recordsStart + size}
	s.offsets.add(recordsStart)
	s.size.Store(s.end)
	var values, records [2][]byte
	for i := range records {
		values[i], records[i] = bytes.Repeat([]byte{'a' + byte(i)}, length), make([]byte, size)
		putRecord(records[i], s.seed, index, headFor(length), values[i])
	}
	var stop atomic.Bool
	var writer sync.WaitGroup
	writer.Go(func() {
		for i := 0; !stop.Load(); i++ {
			copy(memory.Bytes()[recordsStart:], records[i%2])
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
			func() ([]byte, bool) { return s.fromMemory(index, buf) },
			func() ([]byte, bool) { return s.fromMemory(index, nil) },
		} {
			if value, ok := read(); ok && !bytes.Equal(value, values[0]) && !bytes.Equal(value, values[1]) {
				t.Fatalf("way %d: read %d bytes that nobody wrote", way, len(value))
			}
		}
	}
}
