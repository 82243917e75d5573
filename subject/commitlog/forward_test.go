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
