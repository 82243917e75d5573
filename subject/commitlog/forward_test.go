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

// Pages of truncated entries, and of the log's own, have changed places: no entry is lost by that, and opening
// makes nothing worse, though the only entry is believed because its file ends with it.
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
			if v.First != c.first || v.Next != uint64(len(c.values)) || v.Lost > 0 || !v.Opens || len(v.Damage) > 0 {
				t.Errorf("%d entries, %s: %+v", len(c.values), when, v)
			}
			openWith(t, disk, options).keep()
			disk = disk.AfterKill()
		}
	}
}

// Damage to a truncated entry, of which nobody is told, hides no torn end.
func TestTornEndBehindTruncatedDamage(t *testing.T) {
	disk := crashdisk.New()
	options := FileOptions{SegmentSize: 4096, alone: true, written: true, newID: counted()}
	log := openWith(t, disk, options)
	for i := range 10 {
		mustAppend(t, log, string(noise(i, 50)))
	}
	must(t, log.TruncatePrefix(6))
	must(t, log.Sync())
	end := log.tail.end
	mustAppend(t, log, string(noise(12, 50)))
	disk = disk.AfterKill()
	data := disk.Bytes(segmentName(0))
	clear(data[end+20:]) // the power went: part of the record has come to the disk
	data[recordsStart+60] ^= 1
	disk.SetBytes(segmentName(0), data)
	if r := openWith(t, disk, options).Recovery(); r.CutBytes != 20 {
		t.Errorf("20 bytes are cut off, told of %d", r.CutBytes)
	}
}
