package commitlog

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// diskWith returns a disk with a closed log of n entries in segments of 320
// bytes, batches among them, and their values.
func diskWith(t testing.TB, durability Durability, n int) (*crashdisk.Disk, []string) {
	t.Helper()
	disk := crashdisk.New()
	log, err := openDir(disk, FileOptions{Durability: durability, SegmentSize: 256, newID: counted(), alone: true})
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	for i := 0; i < n; i += 2 {
		pair := []string{fmt.Sprintf("value %d", i), strings.Repeat("y", 7*i%50)}
		values = append(values, pair...)
		if i%4 == 0 {
			mustAppend(t, log, pair...)
		} else if _, err := log.AppendBatch([][]byte{[]byte(pair[0]), []byte(pair[1])}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	return disk, values
}

func openOn(t testing.TB, disk *crashdisk.Disk, durability Durability) *File {
	t.Helper()
	return openWith(t, disk, FileOptions{Durability: durability, SegmentSize: 256, alone: true})
}

// openWritten opens a log that writes its entries as where files cannot be
// mapped.
func openWritten(t testing.TB, disk *crashdisk.Disk, durability Durability) *File {
	t.Helper()
	return openWith(t, disk, FileOptions{Durability: durability, SegmentSize: 256, alone: true, written: true})
}

func openWith(t testing.TB, disk *crashdisk.Disk, options FileOptions) *File {
	t.Helper()
	log, err := openDir(disk, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

// segmentsOn returns the names of the segments on a disk.
func segmentsOn(t testing.TB, disk *crashdisk.Disk) []string {
	t.Helper()
	names, err := disk.Names()
	if err != nil {
		t.Fatal(err)
	}
	var segments []string
	for _, name := range names {
		if _, ok := numberOf(name); ok {
			segments = append(segments, name)
		}
	}
	return segments
}

// flipped returns a copy of a disk with one bit of one file flipped.
func flipped(disk *crashdisk.Disk, name string, bit int) *crashdisk.Disk {
	image := disk.AfterKill()
	data := image.Bytes(name)
	data[bit/8] ^= 1 << (bit % 8)
	image.SetBytes(name, data)
	return image
}

// Each bit of every file of a log that was closed is flipped in turn: reading
// gives what was appended or says which segment and entry is damaged, and
// Verify finds it.
func TestFlippedBit(t *testing.T) {
	exhausts(t)
	t.Parallel()
	for _, durability := range []Durability{None, Always} {
		flipEveryBit(t, durability)
	}
}

func flipEveryBit(t *testing.T, durability Durability) {
	disk, values := diskWith(t, durability, 40)
	segments := segmentsOn(t, disk)
	if len(segments) < 3 {
		t.Fatalf("only %d segments", len(segments))
	}
	for i, name := range segments {
		size := len(disk.Bytes(name))
		switch i {
		case len(segments) - 1: // behind the last entry are zeros
			size = usedBytes(disk, name)
		case len(segments) - 2: // a crash leaves such a trailer, too
			size -= blockSize
		}
		for bit := range size * 8 {
			image := flipped(disk, name, bit)
			where := fmt.Sprintf("%s, byte %d, bit %d", name, bit/8, bit%8)
			v, err := verify(image, func(Entry, error) bool { return true })
			if err != nil || len(v.Damage) == 0 || !strings.HasSuffix(v.Damage[0].Path, name) {
				t.Fatalf("%s: verify returned %+v, %v", where, v, err)
			}
			checkReads(t, where, image, name, values) // opening puts right what it can
		}
	}
}

func usedBytes(disk *crashdisk.Disk, name string) int {
	return lastDirty(disk.Bytes(name))
}

// checkReads opens a log with one damaged file and reads all of it.
func checkReads(t *testing.T, where string, image *crashdisk.Disk, name string, values []string) {
	t.Helper()
	log, err := openDir(image, FileOptions{SegmentSize: 256})
	if err != nil {
		wantCorrupt(t, where, err, name)
		return
	}
	defer log.Close()
	if log.Next() != uint64(len(values)) {
		t.Fatalf("%s: %d entries are left of %d, and opening said nothing", where, log.Next(), len(values))
	}
	for index, value := range values {
		entry, err := log.Get(uint64(index))
		if err != nil {
			if got := wantCorrupt(t, where, err, name); got.Index != uint64(index) {
				t.Fatalf("%s: get of entry %d names entry %d", where, index, got.Index)
			}
		} else if string(entry.Value) != value {
			t.Fatalf("%s: entry %d reads %q, not %q", where, index, entry.Value, value)
		}
	}
	for entry, err := range log.Entries(0) {
		if err != nil {
			wantCorrupt(t, where, err, name)
		} else if string(entry.Value) != values[entry.Index] {
			t.Fatalf("%s: reader gives entry %d as %q", where, entry.Index, entry.Value)
		}
	}
}

func wantCorrupt(t *testing.T, where string, err error, name string) *CorruptError {
	t.Helper()
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || !strings.HasSuffix(corrupt.Path, name) {
		t.Fatalf("%s: error is %v, want one that names the file", where, err)
	}
	return corrupt
}

// A bit that flips beneath an open log is met by the read of its entry.
func TestFlippedBitBeneathOpenLog(t *testing.T) {
	disk, values := diskWith(t, Always, 24)
	name := segmentsOn(t, disk)[0]
	clean := disk.Bytes(name)
	log := openOn(t, disk, Always)
	met := 0
	for bit := range len(clean) * 8 {
		data := append([]byte{}, clean...)
		data[bit/8] ^= 1 << (bit % 8)
		disk.SetBytes(name, data)
		for index, value := range values[:log.view.Load().segments[0].entries()] {
			entry, err := log.Get(uint64(index))
			if err != nil {
				wantCorrupt(t, fmt.Sprint("bit ", bit), err, name)
				met++
			} else if string(entry.Value) != value {
				t.Fatalf("bit %d: entry %d reads %q", bit, index, entry.Value)
			}
		}
	}
	disk.SetBytes(name, clean)
	if least := 8 * 100; met < least {
		t.Errorf("only %d reads met a flipped bit", met)
	}
}

// After any one bit was flipped, Repair makes a log that opens, holds every
// other entry where it was, and says of the lost one that it is lost.
func TestRepairAfterFlippedBit(t *testing.T) {
	exhausts(t)
	t.Parallel()
	disk, values := diskWith(t, Always, 10)
	files := append(segmentsOn(t, disk), manifestName)
	for _, name := range files {
		for bit := range usedBytes(disk, name) * 8 {
			image := flipped(disk, name, bit)
			where := fmt.Sprintf("%s, byte %d, bit %d", name, bit/8, bit%8)
			v, err := repairDir(image)
			if err != nil || len(v.Damage) == 0 {
				t.Fatalf("%s: repair returned %+v, %v", where, v, err)
			}
			if lost := checkRepaired(t, where, image, values); lost != v.Lost || lost > 1 {
				t.Fatalf("%s: %d entries are lost, verify said %d: %v", where, lost, v.Lost, v.Damage)
			}
		}
	}
}

// checkRepaired reads a repaired log and returns how many entries are lost.
func checkRepaired(t *testing.T, where string, image *crashdisk.Disk, values []string) (lost uint64) {
	t.Helper()
	log, err := openDir(image, FileOptions{SegmentSize: 256})
	if err != nil {
		t.Fatalf("%s: open of the repaired log: %v", where, err)
	}
	defer log.Close()
	if log.First() != 0 || log.Next() != uint64(len(values)) {
		t.Fatalf("%s: repaired log holds entries %d to %d of %d", where, log.First(), log.Next(), len(values))
	}
	for index, value := range values {
		entry, err := log.Get(uint64(index))
		if corrupt := (*CorruptError)(nil); errors.As(err, &corrupt) && corrupt.Lost {
			lost++
		} else if err != nil || string(entry.Value) != value {
			t.Fatalf("%s: entry %d reads %q, %v", where, index, entry.Value, err)
		}
	}
	if index, err := log.Append([]byte("goes on")); err != nil || index != uint64(len(values)) {
		t.Fatalf("%s: append to the repaired log: %d, %v", where, index, err)
	}
	v, err := verify(image, func(Entry, error) bool { return true })
	if err != nil || v.Lost != lost || uint64(len(v.Damage)) != lost || !v.Opens {
		t.Fatalf("%s: verify of the repaired log: %+v, %v", where, v, err)
	}
	return lost
}

func TestMissingFile(t *testing.T) {
	disk, values := diskWith(t, Always, 24)
	segments := segmentsOn(t, disk)
	for i, name := range append(segments, manifestName) {
		image := disk.AfterKill()
		if err := image.Remove(name); err != nil {
			t.Fatal(err)
		}
		_, err := openDir(image, FileOptions{SegmentSize: 256})
		if corrupt := (*CorruptError)(nil); !errors.As(err, &corrupt) {
			t.Fatalf("without %s: open returned %v", name, err)
		}
		v, err := repairDir(image)
		if err != nil || len(v.Damage) == 0 {
			t.Fatalf("without %s: repair returned %+v, %v", name, v, err)
		}
		if i == 0 { // a log that begins later cannot be told from one that was truncated
			continue
		}
		if lost := checkRepaired(t, "without "+name, image, values); lost != v.Lost {
			t.Errorf("without %s: %d entries are lost, verify said %d", name, lost, v.Lost)
		}
	}
}

// A repair keeps what it replaces, and leaves a sound log alone.
func TestRepairKeepsTheDamaged(t *testing.T) {
	disk, _ := diskWith(t, Always, 24)
	name := segmentsOn(t, disk)[1]
	before := disk.Bytes(name)
	if _, err := repairDir(disk); err != nil {
		t.Fatal(err)
	}
	if string(disk.Bytes(name)) != string(before) || disk.Bytes(name+damagedSuffix) != nil {
		t.Error("repair changed a sound segment")
	}
	image := flipped(disk, name, 8*(recordsStart+valueAt))
	damaged := image.Bytes(name)
	if _, err := repairDir(image); err != nil {
		t.Fatal(err)
	}
	if string(image.Bytes(name+damagedSuffix)) != string(damaged) {
		t.Error("repair kept nothing of what it replaced")
	}
}

// No repair writes over what an earlier one kept.
func TestRepairKeepsWhatWasKept(t *testing.T) {
	disk, _ := diskWith(t, Always, 24)
	name := segmentsOn(t, disk)[1]
	disk.SetBytes(name+damagedSuffix, []byte("kept before"))
	image := flipped(disk, name, 8*(recordsStart+valueAt))
	if _, err := repairDir(image); err != nil {
		t.Fatal(err)
	}
	if string(image.Bytes(name+damagedSuffix)) != "kept before" || image.Bytes(name+damagedSuffix+".2") == nil {
		t.Error("what was kept before is gone")
	}
}

// A file that is missing is no reason to touch its neighbours.
func TestRepairLeavesNeighboursAlone(t *testing.T) {
	disk, values := diskWith(t, Always, 40)
	segments := segmentsOn(t, disk)
	if err := disk.Remove(segments[1]); err != nil {
		t.Fatal(err)
	}
	before := disk.Bytes(segments[0])
	v, err := repairDir(disk)
	if err != nil || len(v.Damage) != 1 || !strings.Contains(v.Damage[0].Reason, "missing") {
		t.Fatalf("repair returned %+v, %v", v, err)
	}
	if string(disk.Bytes(segments[0])) != string(before) || disk.Bytes(segments[0]+damagedSuffix) != nil {
		t.Error("the segment before the missing one was written anew")
	}
	checkRepaired(t, "without "+segments[1], disk, values)
}

// Intact entries that stand behind a gap were never promised; a repair cuts
// them off, but keeps them.
func TestRepairKeepsTheTail(t *testing.T) {
	log, disk := numbered(t, None, 10)
	image := disk.AfterKill()
	name := segmentsOn(t, image)[0]
	image = flipped(image, name, 8*int(log.view.Load().segments[0].offsets.at(3)))
	torn := image.Bytes(name)
	if _, err := repairDir(image); err != nil {
		t.Fatal(err)
	}
	if string(image.Bytes(name+damagedSuffix)) != string(torn) {
		t.Error("seven entries were cut off, and nothing was kept")
	}
	if left := openOn(t, image, None); left.Next() != 3 {
		t.Errorf("%d entries are left, want 3", left.Next())
	}
}

func TestRepairOfNothing(t *testing.T) {
	disk := crashdisk.New()
	if _, err := repairDir(disk); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("repair of no log returned %v", err)
	}
	if names, err := disk.Names(); err != nil || len(names) > 0 {
		t.Errorf("it left %q, %v", names, err)
	}
}

// Opening reads no records of sealed segments, nor their tables: Get and Verify tell of
// damage there. What a table says costs no entry for good.
func TestDamageWithinSealedSegment(t *testing.T) {
	for _, c := range []struct {
		what string
		lost uint64
		at   func(s *segment) int64
	}{
		{"record", 1, func(*segment) int64 { return recordsStart + valueAt }},
		{"table", 0, func(s *segment) int64 { return s.end }},
	} {
		image := crashdisk.New()
		log := openOn(t, image, None)
		for i := range 60 {
			mustAppend(t, log, strings.Repeat("x", i+1))
		}
		must(t, log.Close())
		in, err := inspect(image)
		must(t, err)
		s := in.segments[0]
		if !s.sealed {
			t.Fatal("the first segment is not sealed")
		}
		image = flipped(image, segmentName(0), int(8*c.at(s)+3))
		must(t, in.close())
		v, err := verify(image, func(Entry, error) bool { return true })
		if err != nil || !v.Opens || v.Lost != c.lost || len(v.Damage) != 1 {
			t.Errorf("%s: verify returned %+v, %v", c.what, v, err)
		}
		log = openOn(t, image, None)
		if _, err := log.Get(0); !errors.As(err, new(*CorruptError)) && (c.lost > 0 || err != nil) { // it can be found without the table
			t.Errorf("%s: get of the entry returned %v", c.what, err)
		}
		must(t, log.Close())
		_, err = repairDir(image)
		must(t, err)
		if _, err := openOn(t, image, None).Get(0); (err == nil) != (c.lost == 0) {
			t.Errorf("%s: get of the entry behind a repair returned %v", c.what, err)
		}
	}
}

// A segment of which the trailer alone is damaged is sealed again as it stands, without a copy,
// whatever else is mended.
func TestRepairSealsAgainWithoutACopy(t *testing.T) {
	disk, values := diskWith(t, Always, 60)
	segments := segmentsOn(t, disk)
	name := segments[0]
	image := flipped(disk, name, 8*(len(disk.Bytes(name))-blockSize+20))
	image = flipped(image, segments[1], 8*(recordsStart+valueAt))
	if _, err := repairDir(image); err != nil {
		t.Fatal(err)
	}
	if kept := keptOn(t, image); !slices.Equal(kept, []string{segments[1] + damagedSuffix}) {
		t.Errorf("the repair kept %q", kept)
	}
	checkRepaired(t, "repaired", image, values)
	in, err := inspect(image)
	must(t, err)
	if !in.segments[0].sealed {
		t.Error("the segment is not sealed")
	}
	must(t, in.close())
}
