package commitlog

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// withLeftover returns a log, sealed and closed or as a kill leaves it, of twenty entries from base on that stand behind a file of
// which a power cut had left no entry that counts, but intact ones; and the name of that file.
func withLeftover(t *testing.T, first, closed bool) (disk *crashdisk.Disk, name string, base uint64) {
	t.Helper()
	disk = crashdisk.New()
	options := FileOptions{SegmentSize: 4096, alone: true}
	log := openWith(t, disk, options)
	for !first && len(log.view.Load().segments) < 2 {
		must(t, log.Sync())
		mustAppend(t, log, fmt.Sprint("old ", log.Next()))
	}
	base = log.tail.segment.base
	for log.Next() < base+12 {
		mustAppend(t, log, fmt.Sprint("old ", log.Next()))
	}
	name = log.tail.segment.name
	end := recordOn(t, disk, name, base+5)
	disk = disk.AfterKill()
	data := bytes.Clone(disk.Bytes(name))
	clear(data[:end])
	disk.SetBytes(name, data)
	if log = openWith(t, disk, options); log.Next() != base || log.Recovery().CutEntries != 7 {
		t.Fatalf("the log ends at %d of %d, %+v", log.Next(), base, log.Recovery())
	}
	for i := range 20 {
		mustAppend(t, log, fmt.Sprint("new ", i))
	}
	if closed {
		sealAll(t, log)
		must(t, log.Close())
	}
	disk = disk.AfterKill()
	if names := segmentsOn(t, disk); !slices.Contains(names[:len(names)-1], name) {
		t.Fatalf("the files are %q", names)
	}
	return disk, name, base
}

// sealAll seals the segments that are full.
func sealAll(t *testing.T, log *File) {
	t.Helper()
	for sealed := true; sealed; {
		var err error
		sealed, err = log.sealOldest()
		must(t, err)
	}
}

// A file that holds nothing of the log costs it nothing, whatever is damaged.
func TestFileThatAPowerCutLeft(t *testing.T) {
	for what, ruin := range map[string]func(disk *crashdisk.Disk, name string) *crashdisk.Disk{
		"nothing": func(disk *crashdisk.Disk, _ string) *crashdisk.Disk { return disk },
		"no manifest": func(disk *crashdisk.Disk, _ string) *crashdisk.Disk {
			return struck(disk, manifestName, 0, blockSize)
		},
		"no header": func(disk *crashdisk.Disk, name string) *crashdisk.Disk { return struck(disk, name, 0, blockSize) },
		"neither": func(disk *crashdisk.Disk, name string) *crashdisk.Disk {
			return struck(struck(disk, name, 0, blockSize), manifestName, 0, blockSize)
		},
	} {
		for n := range 4 {
			first, closed := n&1 == 0, n&2 == 0
			disk, name, base := withLeftover(t, first, closed)
			disk = ruin(disk, name)
			for _, when := range []string{"", "repaired"} {
				values := []string{}
				v, err := verify(disk, func(e Entry, err error) bool {
					if err == nil && e.Index >= base {
						values = append(values, string(e.Value))
					}
					return true
				})
				must(t, err)
				damaged := what != "nothing" && when == ""
				if what == "no header" { // somebody may read it, or not
					damaged = len(v.Damage) > 0
				}
				if v.First != 0 || v.Lost != 0 || len(values) != 20 || values[0] != "new 0" || len(v.Damage) > 0 != damaged ||
					what == "no manifest" && len(v.Damage) > 1 {
					t.Errorf("%s, first %t, closed %t, %s: %+v, %q", what, first, closed, when, v, values)
				}
				_, err = repairDir(disk)
				must(t, err)
			}
		}
	}
}

// A file that damage has cut short could have had as many entries as the largest: those in the next one, which has
// lost its second header, are found.
func TestEntriesBehindAFileCutShort(t *testing.T) {
	for _, files := range []int{2, 4} {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{SegmentSize: 2048, alone: true})
		for len(log.view.Load().segments) < files {
			mustAppend(t, log, "abc")
		}
		base := log.tail.segment.base
		for range 10 {
			mustAppend(t, log, "abc")
		}
		next := log.Next()
		must(t, log.Close())
		names := segmentsOn(t, disk)
		before, last := names[files-2], names[files-1]
		first := recordOn(t, disk, last, base)
		for _, size := range []int{-1, 0, 20, recordsStart + 10, 300} {
			for lost, to := range []int{recordsStart, first + 8} {
				image := struck(disk, last, 0, to)
				if size < 0 {
					must(t, image.Remove(before))
				} else {
					image.SetBytes(before, image.Bytes(before)[:size])
				}
				intact := 0
				v, err := verify(image, func(e Entry, err error) bool {
					if err == nil && e.Index >= base {
						intact++
					}
					return true
				})
				if must(t, err); intact != int(next-base)-lost || v.Next != next {
					t.Errorf("%d files, the one before cut to %d bytes: %d intact entries of %d, next is %d of %d", files, size, intact, int(next-base)-lost, v.Next, next)
				}
			}
		}
	}
}

// The intact entry behind a damaged one proves that the damaged one stood in the same file: a truncated value does
// not take its place.
func TestDamagedEntryThatTwoSegmentsHad(t *testing.T) {
	log, disk := numbered(t, None, 60)
	must(t, log.Close())
	log = openOn(t, disk, None)
	cut := log.view.Load().segments[1].base - 1
	must(t, log.TruncateSuffix(cut))
	mustAppend(t, log, "new", "new", "new")
	must(t, log.Close())
	names := segmentsOn(t, disk)
	last := names[len(names)-1]
	image := struck(disk, last, 0, recordOn(t, disk, last, cut+1))
	must(t, image.Remove(manifestName))
	v, err := verify(image, func(e Entry, err error) bool {
		if err == nil && e.Index == cut {
			t.Errorf("entry %d is %q", cut, e.Value)
		}
		return true
	})
	if must(t, err); v.Lost != 1 || v.Next != cut+3 {
		t.Errorf("%+v", v)
	}
}

// What is cut off is counted in files, too, that have lost their second header.
func TestEntriesBehindAGapAreCounted(t *testing.T) {
	log, disk := numbered(t, None, 60)
	names := segmentsOn(t, disk)
	if log.view.Load().segments[0].sealed || len(names) < 3 {
		t.Fatal("no gap can be made")
	}
	disk = disk.AfterKill()
	from := recordOn(t, disk, names[0], baseOn(t, disk, names[1])-2)
	data := bytes.Clone(disk.Bytes(names[0]))
	clear(data[from : from+8])
	disk.SetBytes(names[0], data)
	want := openOn(t, disk.AfterKill(), None).Recovery()
	if want.CutEntries < 20 {
		t.Fatalf("%+v", want)
	}
	for _, name := range names[1:] {
		image := disk.AfterKill()
		data := bytes.Clone(image.Bytes(name))
		clear(data[:recordOn(t, disk, name, baseOn(t, disk, name)+1)])
		image.SetBytes(name, data)
		if got := openOn(t, image, None).Recovery(); got.CutEntries != want.CutEntries-1 {
			t.Errorf("without the second header and the first entry of %s: %+v, not 1 of %+v", name, got, want)
		}
	}
}

// A repair that has no space says so, and none of its steps takes the files that it leaves for damage.
func TestRepairWithoutSpaceSaysSo(t *testing.T) {
	_, sound := numbered(t, Always, 60)
	sound = sound.AfterKill()
	sound.SetBytes(segmentName(77), sound.Bytes(segmentName(1)))
	for n, failed := 0, true; failed; n++ {
		image, calls := sound.AfterKill(), 0
		failed = false
		image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op != crashdisk.Create && c.Op != crashdisk.Write {
				return crashdisk.Fault{}
			}
			if calls++; calls <= n {
				return crashdisk.Fault{}
			}
			failed = true
			return crashdisk.Fault{Err: &fs.PathError{Op: "write", Path: c.Name, Err: syscall.ENOSPC}}
		})
		if _, err := repairDir(image); err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("no space from call %d on: %v", n, err)
		}
	}
}

// Entries that are lost at the end are told beside other damage, too, whatever that cost.
func TestLostEndBesideOtherDamage(t *testing.T) {
	log, disk := numbered(t, None, 60)
	cut := baseOn(t, disk, segmentName(1)) + 2
	must(t, log.TruncateSuffix(cut))
	mustAppend(t, log, "new", "new", "new")
	must(t, log.TruncatePrefix(1))
	disk = disk.AfterKill()
	names := segmentsOn(t, disk)
	must(t, disk.Remove(names[len(names)-1]))
	for what, image := range map[string]*crashdisk.Disk{"no other": disk, "a header": struck(disk, segmentName(0), 0, 1)} {
		told := false
		v, err := verify(image, func(_ Entry, err error) bool {
			var damage *CorruptError
			told = told || errors.As(err, &damage) && damage.Index == cut && damage.Path == disk.Path(segmentName(1))
			return true
		})
		if must(t, err); v.Lost != 3 || v.Next != cut+3 || !told {
			t.Errorf("%s: %+v, the end told %t", what, v, told)
		}
	}
}

// Of files at the end without headers nobody can tell how many entries they held, whatever the manifest knows.
func TestFilesOfWhichNobodyCanTell(t *testing.T) {
	log, disk := numbered(t, None, 60)
	must(t, log.TruncatePrefix(1)) // all are known
	mustAppend(t, log, "more", "more")
	disk = disk.AfterKill()
	names := segmentsOn(t, disk)
	last, before := names[len(names)-1], names[len(names)-2]
	size := len(disk.Bytes(last))
	for _, c := range []struct {
		image *crashdisk.Disk
		want  []string
	}{
		{disk, nil},
		{struck(disk, last, 0, recordsStart), nil}, // its entries can be read
		{struck(disk, before, 0, size), nil},
		{struck(disk, last, 0, size), []string{disk.Path(last)}},
		{struck(struck(disk, last, 0, size), before, 0, size), []string{disk.Path(before), disk.Path(last)}},
	} {
		v, err := verify(c.image, func(Entry, error) bool { return true })
		if must(t, err); !slices.Equal(v.Untold, c.want) {
			t.Errorf("nobody can tell of %q, want %q: %+v", v.Untold, c.want, v)
		}
	}
}

// Two records that are damaged alike, in one bit each, seem to be two others that follow one another: their checksums are
// off alike. The intact ones behind them tell better where a segment begins that has lost its second header, also if
// the two were truncated.
func TestRecordsDamagedAlikeTellNoBase(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 256, alone: true})
	for i := uint64(0); log.number < 200; i++ {
		mustAppend(t, log, string(noise(int(i), 12)))
		if len(log.view.Load().segments) > 1 {
			must(t, log.TruncatePrefix(log.tail.segment.base))
		}
	}
	base := log.tail.segment.base
	for log.Next() < base+5 {
		mustAppend(t, log, string(noise(int(log.Next()), 12)))
	}
	must(t, log.Close())
	sound := disk.AfterKill()
	log = openWith(t, disk, FileOptions{SegmentSize: 256, alone: true})
	must(t, log.TruncatePrefix(base+2))
	must(t, log.Close())
	names := segmentsOn(t, disk)
	name := names[len(names)-1]
	for bit := range 48 {
		live, lost := sound, uint64(2)
		if bit >= 24 {
			live, lost = disk, 0
		}
		image := struck(live, name, 0, recordsStart)
		data := bytes.Clone(image.Bytes(name))
		for i := range uint64(2) {
			data[recordOn(t, live, name, base+i)+int(recordSize(0))+bit%24/8] ^= 1 << (bit % 8)
		}
		image.SetBytes(name, data)
		intact := 0
		v, err := verify(image, func(e Entry, err error) bool {
			if err == nil && e.Index >= base {
				intact++
				if string(e.Value) != string(noise(int(e.Index), 12)) {
					t.Errorf("bit %d: entry %d has the value of another", bit, e.Index)
				}
			}
			return true
		})
		if must(t, err); intact != 3 || v.Lost != lost || v.Next != base+5 {
			t.Errorf("bit %d: %d entries from %d on are intact: %+v", bit, intact, base, v)
		}
	}
}

// A file made for entries to come that a truncation could not remove is no segment, once others stand behind it.
func TestEmptyFileThatStayed(t *testing.T) {
	log, disk := numbered(t, Always, 3)
	must(t, log.TruncateSuffix(2))
	disk = disk.AfterKill()
	log = openWritten(t, disk, Always)
	name := log.tail.segment.name
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Remove && c.Name == name {
			return crashdisk.Fault{Err: syscall.EACCES}
		}
		return crashdisk.Fault{}
	})
	if err := log.TruncateSuffix(1); !errors.Is(err, syscall.EACCES) {
		t.Fatal(err)
	}
	for range 80 {
		mustAppend(t, log, "new")
	}
	sealAll(t, log)
	disk.SetHook(nil)
	for _, image := range []*crashdisk.Disk{disk.AfterKill(), disk} {
		if image == disk {
			must(t, log.Close())
		}
		if !slices.Contains(segmentsOn(t, image), name) && image != disk {
			t.Fatal("the file is gone")
		}
		v, err := verify(image, func(Entry, error) bool { return true })
		if must(t, err); len(v.Damage) > 0 || v.Next != 81 {
			t.Errorf("%+v", v)
		}
	}
	if openOn(t, disk, Always); slices.Contains(segmentsOn(t, disk), name) {
		t.Error("the file is there still")
	}
}

// Of two files without headers, one behind the other, neither is said to have no entry.
func TestTwoFilesWithoutHeaders(t *testing.T) {
	log, disk := numbered(t, None, 100)
	must(t, log.Close())
	names := segmentsOn(t, disk)
	if len(names) < 4 {
		t.Fatal(names)
	}
	base, next := baseOn(t, disk, names[1]), baseOn(t, disk, names[3])
	image := struck(struck(disk, names[1], 0, len(disk.Bytes(names[1]))), names[2], 0, len(disk.Bytes(names[2])))
	v, err := verify(image, func(Entry, error) bool { return true })
	must(t, err)
	flaws := []string{}
	for _, d := range v.Damage {
		if d.Offset == 0 && d.Index >= base {
			flaws = append(flaws, d.Path)
		}
	}
	if want := []string{disk.Path(names[1]), disk.Path(names[2])}; v.Lost != next-base || !slices.Equal(flaws, want) {
		t.Errorf("%+v", v)
	}
}

// An empty file that a power cut has left before all others says nothing of where the log begins, if the manifest is lost.
func TestFirstEntryBehindAnEmptyFile(t *testing.T) {
	log, disk := numbered(t, None, 100)
	first := log.tail.segment.base
	must(t, log.TruncatePrefix(first))
	must(t, log.Close())
	names := segmentsOn(t, disk)
	if len(names) != 1 {
		t.Fatal(names)
	}
	image := disk.AfterKill()
	number, _ := numberOf(names[0])
	spare := header{id: log.view.Load().manifest.id, number: number - 1, base: unlimited}
	image.SetBytes(segmentName(number-1), append(spare.block(), make([]byte, blockSize)...))
	for _, gone := range []bool{false, true} {
		if gone {
			must(t, image.Remove(manifestName))
		}
		v, err := verify(image, func(Entry, error) bool { return true })
		if must(t, err); v.First != first || v.Lost > 0 || v.Next != 100 || len(v.Damage) > 0 != gone {
			t.Errorf("manifest gone %t: %+v", gone, v)
		}
	}
}
