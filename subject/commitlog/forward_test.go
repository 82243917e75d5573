package commitlog

import (
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// The page with all of the log's entries has come to stand farther forward than the truncated ones before them could:
// the segment goes on behind it, and what it is sealed with says no more than its file can hold.
func TestFirstEntriesMovedForward(t *testing.T) {
	const entries, first = 12_200, 12_000
	disk := crashdisk.New()
	options := FileOptions{Durability: Always, SegmentSize: 1 << 20, alone: true}
	log := openWith(t, disk, options)
	_, err := log.AppendBatch(make([][]byte, entries))
	must(t, err)
	must(t, log.TruncatePrefix(first))
	disk = disk.AfterKill()
	swapPages(disk, segmentName(0), [2]int{3, (recordsStart + first*leastRecord) / 4096})
	log = openWith(t, disk, options)
	_, err = log.AppendBatch(make([][]byte, 10))
	must(t, err)
	must(t, log.Close())
	if s := loaded(t, disk, segmentName(0)); !s.sealed {
		t.Error("the segment's trailer does not fit it")
	}
	wantEntries(t, openWith(t, disk, options), disk, first, make([]string, entries+10-first)...)
}

// Pages of truncated entries, and of the log's own, have changed places: a closed log tells nothing of that, and opening
// it makes nothing worse, though its only entry is believed because its file ends with it.
func TestPagesOfTruncatedEntriesMoved(t *testing.T) {
	alone := []string{string(noise(1, 4091)), "abcde", "", "", "", "", string(noise(2, 9000)), ""}
	var many []string
	for i := range 110 {
		many = append(many, string(noise(i, 100)))
	}
	for _, c := range []struct {
		values []string
		first  uint64
	}{{alone, 7}, {many, 100}} {
		disk := crashdisk.New()
		options := FileOptions{SegmentSize: 1 << 16, alone: true, newID: counted()}
		log := openWith(t, disk, options)
		mustAppend(t, log, c.values...)
		must(t, log.TruncatePrefix(c.first))
		must(t, log.Close())
		swapPages(disk, segmentName(0), [2]int{1, 2})
		for _, when := range []string{"closed", "opened", "killed"} {
			v, err := verify(disk, func(Entry, error) bool { return true })
			must(t, err)
			if v.First != c.first || v.Next != uint64(len(c.values)) || v.Lost > 0 || !v.Opens || len(v.Damage) > 0 || v.Tail.CutBytes > 0 {
				t.Errorf("%d entries, %s: %+v", len(c.values), when, v)
			}
			openWith(t, disk, options).keep()
			disk = disk.AfterKill()
		}
	}
}
