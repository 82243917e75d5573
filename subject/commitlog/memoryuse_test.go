package commitlog

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// What a log keeps in memory for an entry: an offset while it is in the last
// segment, and nothing once its segment is full.
func TestMemoryOfAnEntry(t *testing.T) {
	const entries = 200_000
	for _, c := range []struct {
		segment int64
		most    float64 // bytes an entry
	}{{64 << 20, 8}, {64 << 10, 0.5}} {
		log, err := OpenFile(t.TempDir()+"/log", FileOptions{SegmentSize: c.segment, alone: true, backlog: 1000})
		if err != nil {
			t.Fatal(err)
		}
		before := heap()
		for i := range entries {
			mustAppend(t, log, "foo")
			if i%1000 == 0 {
				log.keep()
			}
		}
		log.keep()
		if got := float64(heap()-before) / entries; got > c.most {
			t.Errorf("segments of %d bytes: %.2f bytes of memory an entry, want %v at most", c.segment, got, c.most)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestGetIntoABuffer(t *testing.T) {
	log, _ := numbered(t, None, 12) // two segments
	buf := make([]byte, 0, 8)
	allocations := testing.AllocsPerRun(100, func() {
		for index := range uint64(12) {
			if entry, err := log.GetInto(index, buf); err != nil || &entry.Value[:1][0] != &buf[:1][0] {
				t.Errorf("entry %d reads %q, not in the buffer (%v)", index, entry.Value, err)
			}
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
	entry, err := log.GetInto(11, make([]byte, 1))
	if err != nil || string(entry.Value) != "11" {
		t.Errorf("into a short buffer: %q, %v", entry.Value, err)
	}
	if entry, err := log.Get(0); err != nil || cap(entry.Value) != 1 {
		t.Errorf("get: %q, %v", entry.Value, err)
	}
}

// A record whose head claims more than it has costs no memory to refuse.
func TestDamagedLengthTakesNoMemory(t *testing.T) {
	log, err := OpenFile(t.TempDir()+"/log", FileOptions{SegmentSize: 1 << 20, alone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	mustAppend(t, log, strings.Repeat("a", 1000), strings.Repeat("b", 2000), strings.Repeat("c", 1000))
	s := log.view.Load().segments[0]
	if s.memory == nil {
		t.Skip("files are not mapped here")
	}
	record := s.memory.Bytes()[s.offsets.at(1):]
	for _, claimed := range []int{mostUnseen + 1, 1000, 4096} {
		binary.PutUvarint(record[sumSize:], uint64(headFor(claimed)))
		allocations := testing.AllocsPerRun(10, func() {
			if value, ok := s.fromMemory(1, nil); ok {
				t.Errorf("%d bytes claimed: reads %d", claimed, len(value))
			}
		})
		if allocations != 0 {
			t.Errorf("%d bytes claimed: %v allocations", claimed, allocations)
		}
	}
}

// No entry is mistaken for another, whatever their sizes are.
func TestSizes(t *testing.T) {
	for _, sizes := range [][]int{{3, 3, 3, 3}, {3, 3, 20, 3, 3}, {20, 3, 3}, {3, 20, 3, 20}, {5}} {
		log := openWith(t, crashdisk.New(), FileOptions{SegmentSize: 4096, alone: true})
		var want []string
		for i, size := range sizes {
			want = append(want, fmt.Sprintf("%0*d", size, i))
		}
		mustAppend(t, log, want...)
		for i := range want {
			entry, err := log.Get(uint64(i))
			if err != nil || string(entry.Value) != want[i] {
				t.Errorf("sizes %v: entry %d reads %q, %v", sizes, i, entry.Value, err)
			}
		}
	}
}
