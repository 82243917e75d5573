package commitlog

import (
	"fmt"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// readsOf is how often verifying a log reads a file, and what it finds.
func readsOf(t *testing.T, disk *crashdisk.Disk) (n int, v *Verification) {
	t.Helper()
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Read {
			n++
		}
		return crashdisk.Fault{}
	})
	v, err := verify(disk, func(Entry, error) bool { return true })
	must(t, err)
	disk.SetHook(nil)
	return n, v
}

// What is shown of a sealed segment and cannot be got, since it does not stand where the table says, is damage, also
// where all before it was truncated, or all but one entry; a repair puts it right.
func TestMovedEntriesBehindTruncatedOnes(t *testing.T) {
	for _, first := range []uint64{775, 784} {
		testMovedEntries(t, first)
	}
}

func testMovedEntries(t *testing.T, first uint64) {
	disk := crashdisk.New()
	options := FileOptions{SegmentSize: 2 << 20, alone: true}
	log := openWith(t, disk, options)
	for i := range 12000 {
		mustAppend(t, log, fmt.Sprintf("%-100d", i))
	}
	must(t, log.Close()) // it is sealed
	log = openWith(t, disk, options)
	must(t, log.TruncateSuffix(785)) // these are in page 20
	must(t, log.TruncatePrefix(first))
	must(t, log.Close())
	swapPages(disk, segmentName(0), [2]int{20, 60})
	_, v := readsOf(t, disk)
	if v.Lost > 0 || len(v.Damage) == 0 {
		t.Errorf("%+v", v)
	}
	_, err := repairDir(disk)
	must(t, err)
	log = openWith(t, disk, options)
	for i := first; i < 785; i++ {
		if e, err := log.Get(i); err != nil || string(e.Value) != fmt.Sprintf("%-100d", i) {
			t.Errorf("entry %d: %q, %v", i, e.Value, err)
		}
	}
	must(t, log.Close())
}

// A page that has changed places with one of truncated records, behind the last entry of a sealed segment, costs no entry
// but those across its borders.
func TestPageSwappedWithOneThatWasTruncated(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 1 << 16, alone: true})
	for i := range 500 {
		mustAppend(t, log, fmt.Sprintf("%-100d", i))
	}
	must(t, log.TruncateSuffix(250))
	for i := range 600 {
		mustAppend(t, log, fmt.Sprintf("%-100d", i))
	}
	must(t, log.Close())
	swapPages(disk, segmentName(0), [2]int{3, 9})
	if _, v := readsOf(t, disk); v.Lost > 2 || !v.Segments[0].Sealed {
		t.Errorf("%+v", v)
	}
}

// The first two pages of the only file have changed places: where the log begins tells where the file does, whichever
// page has more entries, and whatever was truncated.
func TestFirstPageSwapped(t *testing.T) {
	for _, first := range []uint64{0, 1, 10} {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{SegmentSize: 2 << 20, alone: true})
		appendShorter(t, log, 400, 15)
		must(t, log.TruncatePrefix(first))
		must(t, log.Close())
		swapPages(disk, segmentName(0), [2]int{0, 1})
		if _, v := readsOf(t, disk); v.Lost > 3 {
			t.Errorf("from %d on: %+v", first, v)
		}
	}
}

// The first page of the only file has changed places with one of truncated entries, behind the last that was not: what is
// intact is not removed for it.
func TestFirstPageSwappedWithATruncatedOne(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 1 << 14, alone: true})
	appendShorter(t, log, 140, 30)
	must(t, log.TruncateSuffix(30))
	must(t, log.TruncatePrefix(10))
	must(t, log.Close())
	swapPages(disk, segmentName(0), [2]int{0, 1})
	twice := disk.AfterKill()
	for range 2 {
		if _, v := readsOf(t, disk); v.Lost > 0 || v.First != 10 || v.Next != 30 {
			t.Errorf("%+v", v)
		}
		_, err := repairDir(disk)
		must(t, err)
	}
	// Where the entry that tells that is damaged as well, all of the file seems to be truncated: a copy is left.
	twice = struck(twice, segmentName(0), 4096+recordsStart+10*105+50, 4096+recordsStart+10*105+51)
	_, err := repairDir(twice)
	must(t, err)
	if !holds(t, twice, fmt.Appendf(nil, "%-100d", 15)) {
		t.Error("no copy is left of what was intact")
	}
}

// appendShorter appends numbered entries, of which those behind the first 41, of 100 bytes, have another size.
func appendShorter(t *testing.T, log *File, n, size int) {
	t.Helper()
	for i := range n {
		if i <= 40 {
			mustAppend(t, log, fmt.Sprintf("%-100d", i))
		} else {
			mustAppend(t, log, fmt.Sprintf("%-*d", size, i))
		}
	}
}

// Nobody looks for entries that were truncated, nor in a damaged value for others where none is missing: either took
// seconds a byte that was damaged.
func TestSearchIsForWhatIsMissing(t *testing.T) {
	disk := crashdisk.New()
	options := FileOptions{SegmentSize: 8 << 20, alone: true}
	log := openWith(t, disk, options)
	for range 300 {
		var values [][]byte
		for i := range 1000 {
			values = append(values, make([]byte, 1+i%3))
		}
		_, err := log.AppendBatch(values)
		must(t, err)
	}
	must(t, log.Close())
	log = openWith(t, disk, options)
	must(t, log.TruncateSuffix(10))
	must(t, log.Close())
	large := crashdisk.New()
	log = openWith(t, large, options)
	for i := range 2 {
		mustAppend(t, log, string(noise(i, 1<<20-i)))
	}
	must(t, log.Close())
	for _, c := range []struct {
		disk *crashdisk.Disk
		at   int
		lost uint64
	}{{disk, 1 << 20, 0}, {large, 1 << 19, 1}} {
		before, _ := readsOf(t, c.disk)
		if after, v := readsOf(t, struck(c.disk, segmentName(0), c.at, c.at+1)); after > 10*before || v.Lost != c.lost {
			t.Errorf("%d reads, before the damage %d: %+v", after, before, v)
		}
	}
}
