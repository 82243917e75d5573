package commitlog

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// Two pages of a segment have changed places: no entry is given up but those that lie
// across their borders, whether the segment is sealed or not, and a repair keeps them.
func TestSwappedPages(t *testing.T) {
	for _, size := range []int{100, 1000} {
		for _, entries := range []int{400 * 1000 / size, 1200 * 1000 / size} { // what Close leaves unsealed, and what it seals
			for _, pages := range [][2]int{{20, 21}, {20, 60}, {60, 95}, {3, 97}} {
				disk := crashdisk.New()
				log := openWith(t, disk, FileOptions{SegmentSize: 2 << 20, alone: true})
				for i := range entries {
					mustAppend(t, log, fmt.Sprintf("%-*d", size, i))
				}
				must(t, log.Close())
				swapPages(disk, segmentName(0), pages)
				lost := missingIn(t, disk, size)
				if lost == 0 || lost > 4 {
					t.Errorf("pages %v of %d entries: %d are lost", pages, entries, lost)
				}
				_, err := repairDir(disk)
				must(t, err)
				if after := missingIn(t, disk, size); after != lost {
					t.Errorf("pages %v of %d entries: %d are lost, after a repair %d", pages, entries, lost, after)
				}
			}
		}
	}
}

func swapPages(disk *crashdisk.Disk, name string, pages [2]int) {
	const page = 4096
	data := disk.Bytes(name)
	a, b := data[pages[0]*page:][:page], data[pages[1]*page:][:page]
	was := bytes.Clone(a)
	copy(a, b)
	copy(b, was)
	disk.SetBytes(name, data)
}

// missingIn returns how many entries of a size cannot be read; the others are what they were.
func missingIn(t *testing.T, disk *crashdisk.Disk, size int) (lost uint64) {
	t.Helper()
	next := uint64(0)
	v, err := verify(disk, func(e Entry, err error) bool {
		if err == nil && (e.Index < next || string(e.Value) != fmt.Sprintf("%-*d", size, e.Index)) {
			t.Errorf("entry %d reads %.10q behind %d", e.Index, e.Value, next)
		}
		if err == nil {
			next = e.Index + 1
		}
		return true
	})
	must(t, err)
	return v.Lost
}
