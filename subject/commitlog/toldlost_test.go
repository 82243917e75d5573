package commitlog

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// wantTold wants each entry of a log that is not shown to be named by damage, before one behind it is shown, and counted.
func wantTold(t *testing.T, what string, disk *crashdisk.Disk) *Verification {
	t.Helper()
	told, next := map[uint64]bool{}, uint64(0)
	upTo := func(end uint64) {
		for ; next < end; next++ {
			if !told[next] {
				t.Errorf("%s: nothing has told of entry %d before %d", what, next, end)
				next = end
			}
		}
	}
	v, err := verify(disk, func(e Entry, err error) bool {
		var damage *CorruptError
		if errors.As(err, &damage) {
			for i := range damage.Entries {
				told[damage.Index+i] = true
			}
			return true
		}
		upTo(e.Index)
		next = e.Index + 1
		return true
	})
	must(t, err)
	if upTo(v.Next); uint64(len(told)) != v.Lost {
		t.Errorf("%s: %d lost entries are named, of %d", what, len(told), v.Lost)
	}
	return v
}

// cutAndKilled is a log of which the end was cut once, as a kill leaves it: all of its segments are to be sealed yet.
func cutAndKilled(t *testing.T, n int, cut uint64, more int) *crashdisk.Disk {
	t.Helper()
	log, disk := numbered(t, Always, n)
	must(t, log.TruncateSuffix(cut))
	for i := range more {
		mustAppend(t, log, fmt.Sprint("more ", i))
	}
	return disk.AfterKill()
}

// without is a disk without some files.
func without(t *testing.T, disk *crashdisk.Disk, names ...string) *crashdisk.Disk {
	t.Helper()
	image := disk.AfterKill()
	for _, name := range names {
		must(t, image.Remove(name))
	}
	return image
}

// What is missing is told where it is missing, also behind a segment that was cut, and beside other damage.
func TestLostEntriesAreToldInPlace(t *testing.T) {
	for _, cut := range []uint64{3, 20, 30, 50} {
		disk := cutAndKilled(t, 60, cut, 120)
		names := segmentsOn(t, disk)
		for i := range len(names) - 2 {
			for _, gone := range [][]string{names[i : i+1], names[i : i+2]} {
				image := without(t, disk, gone...)
				if v := wantTold(t, fmt.Sprint("cut at ", cut, " without ", gone), image); v.Lost == 0 && v.First == 0 {
					t.Errorf("cut at %d, without %q: %+v", cut, gone, v)
				}
				for _, other := range segmentsOn(t, image) {
					flipped := struck(image, other, recordsStart+4, recordsStart+5)
					wantTold(t, fmt.Sprint("cut at ", cut, " without ", gone, ", damaged ", other), flipped)
					wantTold(t, fmt.Sprint("cut at ", cut, " without ", gone, ", header of ", other), struck(image, other, 0, 1))
				}
			}
		}
	}
}

// A file made for entries to come, into which a power cut has left a torn record, hides neither that nobody can tell what
// the one before it held nor what that is known to have held.
func TestTornSpareBehindAFileWithoutHeaders(t *testing.T) {
	log, disk := numbered(t, Always, 60)
	must(t, log.fillSpare())
	known := log.tail.segment
	disk = disk.AfterKill()
	names := segmentsOn(t, disk)
	spare := names[len(names)-1]
	data := append(make([]byte, recordsStart), "a torn record"...)
	disk.SetBytes(spare, data)
	if names[len(names)-2] != known.name {
		t.Fatal(names)
	}
	if v := wantTold(t, "sound", disk); len(v.Damage) > 0 || v.Next != 60 {
		t.Fatalf("%+v", v)
	}
	image := struck(disk, known.name, 0, len(disk.Bytes(known.name)))
	if v := wantTold(t, "no headers", image); !slices.Equal(v.Untold, []string{disk.Path(known.name)}) || v.Next != known.base {
		t.Errorf("%+v", v)
	}

	log, disk = numbered(t, Always, 60)
	for base := log.tail.segment.base; log.tail.segment.base == base; {
		mustAppend(t, log, "another")
	}
	last := log.tail.segment
	disk = disk.AfterKill()
	data = bytes.Clone(disk.Bytes(last.name))
	data[recordsStart+sumSize+4] ^= 1
	disk.SetBytes(last.name, data)
	if v := wantTold(t, "torn", disk); len(v.Damage) > 0 || v.Next != last.base {
		t.Fatalf("%+v", v)
	}
	v := wantTold(t, "torn, no headers before", struck(disk, known.name, 0, len(disk.Bytes(known.name))))
	if s := v.Segments[len(v.Segments)-1]; s.Path != disk.Path(known.name) || s.Lost != v.Lost || v.Lost != last.base-known.base || len(v.Untold) > 0 {
		t.Errorf("%+v", v)
	}
}

// A header is written once more by the heads of records before the first that is intact only if these can be: it would cut
// the segment before.
func TestNoHeaderByHeadsOfDamagedRecords(t *testing.T) {
	disk := crashdisk.New()
	options := FileOptions{SegmentSize: 256, alone: true}
	log := openWith(t, disk, options)
	value := bytes.Repeat([]byte{'A'}, 31) // its bytes are heads, too, of records of 11 bytes
	for range 8 {
		_, err := log.Append(value)
		must(t, err)
	}
	disk = disk.AfterKill()
	names := segmentsOn(t, disk)
	base := baseOn(t, disk, names[1])
	if recordOn(t, disk, names[1], base+1) != recordsStart+37 {
		t.Fatal("records have another size")
	}
	for length := range byte(32) {
		image := disk.AfterKill()
		data := bytes.Clone(image.Bytes(names[1]))
		for i := 0; i < recordsStart+9; i++ {
			data[i] = 0x55
		}
		data[recordsStart+sumSize] = length << 3
		image.SetBytes(names[1], data)
		before := wantTold(t, "damaged", image)
		_, err := repairDir(image)
		must(t, err)
		if v := wantTold(t, "repaired", image); v.Lost > before.Lost || v.Next != before.Next || !v.Opens {
			t.Errorf("head of %d bytes: repaired %+v, and before %+v", length, v, before)
		}
	}
}

// A value that has copies of its own file's records is no such file's beginning: after a power cut nothing that was flushed
// is missing.
func TestCopiesInAValueCutNothing(t *testing.T) {
	disk := crashdisk.New()
	options := FileOptions{SegmentSize: 1024, alone: true}
	log := openWith(t, disk, options)
	for len(log.view.Load().segments) < 2 {
		must(t, log.Sync())
		mustAppend(t, log, string(noise(int(log.Next()), 90)))
	}
	flushed := log.tail.segment.base
	mustAppend(t, log, "two", "three")
	name := log.tail.segment.name
	from, to := recordOn(t, disk, name, flushed), recordOn(t, disk, name, flushed+2)
	mustAppend(t, log, string(disk.Bytes(name)[from:to]), "four", "five")
	disk = disk.AfterKill()
	data := bytes.Clone(disk.Bytes(name))
	clear(data[:recordOn(t, disk, name, flushed+3)+sumSize+2]) // the value is left of the record, and not its head
	disk.SetBytes(name, data)
	v, err := verify(disk, func(Entry, error) bool { return true })
	if must(t, err); v.Lost > 0 || v.Next < flushed || !v.Opens {
		t.Errorf("%d entries were flushed: %+v", flushed, v)
	}
	if log := openWith(t, disk, options); log.Next() < flushed {
		t.Errorf("opens with %d of %d flushed entries", log.Next(), flushed)
	}
}

// A file at the log's end of which no entry is left is left out, and what it is known to have had is told.
func TestLostEntryOfAFileThatIsLeftOut(t *testing.T) {
	log, disk := numbered(t, Always, 0)
	for i := range 5 {
		mustAppend(t, log, string(noise(i, 250)))
	}
	disk = disk.AfterKill()
	names := segmentsOn(t, disk)
	if len(names) != 5 {
		t.Fatal(names)
	}
	torn := struck(disk, names[4], recordsStart+20, recordsStart+21)
	if v := wantTold(t, "torn", torn); v.Next != 4 || !v.Opens {
		t.Fatalf("%+v", v)
	}
	image := struck(torn, names[3], recordsStart+20, recordsStart+21)
	if v := wantTold(t, "damaged", image); v.Lost != 1 || v.Next != 4 {
		t.Errorf("%+v", v)
	}
	if _, err := repairDir(image); err != nil {
		t.Fatal(err)
	}
	if v := wantTold(t, "repaired", image); v.Lost != 1 || v.Next != 4 || !v.Opens {
		t.Errorf("%+v", v)
	}
}

// Entries of the first file, which has lost its headers, are counted once where the next one has lost its second, too.
func TestLostEntriesAreCountedOnce(t *testing.T) {
	_, disk := numbered(t, None, 60)
	disk = disk.AfterKill()
	names := segmentsOn(t, disk)
	image := struck(struck(disk, names[0], 0, recordOn(t, disk, names[0], 3)), names[1], 0, recordOn(t, disk, names[1], baseOn(t, disk, names[1])+1))
	sum := uint64(0)
	v, err := verify(image, func(_ Entry, err error) bool {
		if damage := new(CorruptError); errors.As(err, &damage) {
			sum += damage.Entries
		}
		return true
	})
	if must(t, err); v.Lost == 0 || sum != v.Lost {
		t.Errorf("%d are counted: %+v", sum, v)
	}
}
