package commitlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// cutOptions are of small segments, so that a log of cutEntries has some.
func cutOptions(durability Durability) FileOptions {
	return FileOptions{Durability: durability, Interval: time.Hour, SegmentSize: 512, alone: true, backlog: 100}
}

const cutEntries = 100

func cutValue(i uint64) string { return strings.Repeat(fmt.Sprint(i, " "), int(1+i%5)) }

// cuttable returns a log of cutEntries, the full segments of which are sealed.
func cuttable(t *testing.T, durability Durability) (*File, *crashdisk.Disk) {
	t.Helper()
	disk := crashdisk.New()
	log := openWith(t, disk, cutOptions(durability))
	for i := range uint64(cutEntries) {
		mustAppend(t, log, cutValue(i))
	}
	for log.unsealed() > 0 {
		if _, err := log.sealOldest(); err != nil {
			t.Fatal(err)
		}
	}
	return log, disk
}

// cutsToTry are places in sealed segments, in the last one, and between two.
func cutsToTry(log *File) []uint64 {
	segments := log.view.Load().segments
	second := segments[1]
	return []uint64{0, 1, second.base - 1, second.base, second.base + 1, cutEntries / 2, log.tail.segment.base, cutEntries - 1}
}

// atEachCall has look called before each call to the disk, but for those that it
// makes itself.
func atEachCall(disk *crashdisk.Disk, look func(crashdisk.Call)) {
	busy := false
	disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
		if !busy {
			busy = true
			look(call)
			busy = false
		}
		return crashdisk.Fault{}
	})
}

// At each step of TruncateSuffix every entry that stays is there for those who look
// it up, and for those who had.
func TestReadBesideTruncateSuffix(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		first, _ := cuttable(t, durability)
		for _, next := range cutsToTry(first) {
			log, disk := cuttable(t, durability)
			want := log.First()
			reader := log.NewReader(0)
			calls := 0
			atEachCall(disk, func(call crashdisk.Call) {
				calls++
				for i := range next {
					wantEntry(t, fmt.Sprintf("%v: cut at %d, before %v: get", durability, next, call), log.Get, i)
					wantEntry(t, fmt.Sprintf("%v: cut at %d, before %v: read", durability, next, call), log.readEntry, i)
				}
				if want < next {
					if entry, err := reader.Next(t.Context()); err != nil || entry.Index != want || string(entry.Value) != cutValue(want) {
						t.Errorf("%v: cut at %d, before %v: reader at entry %d: %q, %v", durability, next, call, want, entry.Value, err)
					}
					want++
				}
			})
			if err := log.TruncateSuffix(next); err != nil || calls < 5 {
				t.Fatalf("cut at %d: %v after %d calls", next, err, calls)
			}
			disk.SetHook(nil)
			if t.Failed() {
				return
			}
		}
	}
}

func (f *File) readEntry(index uint64) (Entry, error) {
	value, err := f.read(index)
	if err != nil {
		err = getError(index, err)
	}
	return Entry{Index: index, Value: value}, err
}

func wantEntry(t *testing.T, what string, get func(uint64) (Entry, error), index uint64) {
	t.Helper()
	if entry, err := get(index); err != nil || string(entry.Value) != cutValue(index) {
		t.Errorf("%s: entry %d reads %q, %v", what, index, entry.Value, err)
	}
}

// A power cut, or a kill, before each call of TruncateSuffix, and of Close behind it,
// leaves the log as it was before or as it should be.
func TestCrashAtEachStepOfTheEnd(t *testing.T) {
	exhausts(t)
	for _, durability := range []Durability{None, Interval, Always} {
		first, _ := cuttable(t, durability)
		for _, next := range cutsToTry(first) {
			log, disk := cuttable(t, durability)
			if err := log.Sync(); err != nil {
				t.Fatal(err)
			}
			ends, appended := []uint64{cutEntries, next}, uint64(0)
			atEachCall(disk, func(call crashdisk.Call) {
				for seed := range uint64(4) {
					image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 1)))
					if seed == 0 {
						image = disk.AfterKill()
					}
					wantEnd(t, fmt.Sprintf("%v, cut at %d, seed %d, before %v", durability, next, seed, call), image, ends, next, appended)
				}
			})
			if err := log.TruncateSuffix(next); err != nil {
				t.Fatal(err)
			}
			ends = []uint64{next, next + 1, next + 2}
			for appended < 2 {
				appended++
				mustAppend(t, log, "instead")
			}
			ends = ends[2:]
			if durability != Always {
				ends = []uint64{next, next + 1, next + 2} // nothing was promised but by Close
			}
			if err := log.Close(); err != nil {
				t.Fatal(err)
			}
			ends = []uint64{next + 2}
			atEachCall(disk, func(crashdisk.Call) {})
			wantEnd(t, "closed", disk.AfterPowerCut(rand.New(rand.NewPCG(9, 1))), ends, next, appended)
			if t.Failed() {
				return
			}
		}
	}
}

// wantEnd opens what a crash left: a log that ends in one of the places, with the
// entries below next as they were, and others behind.
func wantEnd(t *testing.T, what string, image *crashdisk.Disk, ends []uint64, next, appended uint64) {
	t.Helper()
	log, err := openDir(image, cutOptions(None))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	defer log.Close()
	if !slices.Contains(ends, log.Next()) {
		t.Errorf("%s: log ends at %d, not in %v", what, log.Next(), ends)
	}
	for i := log.First(); i < log.Next(); i++ {
		if i < next || appended == 0 {
			wantEntry(t, what, log.Get, i)
		} else if entry, err := log.Get(i); err != nil || string(entry.Value) != "instead" {
			t.Errorf("%s: entry %d reads %q, %v", what, i, entry.Value, err)
		}
	}
}

// A truncation was interrupted, and entries on both sides of where it cuts are damaged:
// those behind are gone all the same, for whoever reads the log and for a repair.
func TestDamageBesideAnInterruptedTruncation(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for limit := uint64(1); limit < 20; limit++ {
			log, disk := numbered(t, durability, 20)
			must(t, log.Sync())
			m := log.view.Load().manifest
			m = m.cutting(cut{limit, log.number})
			m.known = limit
			image := disk.AfterKill()
			must(t, writeManifest(image, m))
			segments := segmentsOn(t, disk)
			for _, entry := range []uint64{limit - 1, limit + 1} {
				for i := len(segments) - 1; i >= 0; i-- {
					if base := baseOn(t, disk, segments[i]); base <= entry && entry < 20 {
						image = flipped(image, segments[i], 8*recordOn(t, disk, segments[i], entry)+8*valueAt+5)
						break
					}
				}
			}
			what := fmt.Sprintf("%v, cut at %d", durability, limit)
			read := uint64(0)
			v, err := verify(image, func(e Entry, err error) bool {
				if err == nil {
					read = max(read, e.Index+1)
				}
				return true
			})
			if err != nil || v.Next != limit || v.Lost != 1 || len(v.Damage) == 0 || read >= limit {
				t.Errorf("%s: %d entries are read, verify returned %+v, %v", what, read, v, err)
			}
			if _, err := repairDir(image); err != nil {
				t.Errorf("%s: repair returned %v", what, err)
			}
			again := openOn(t, image, None)
			if again.Next() != limit {
				t.Errorf("%s: repaired log ends at %d", what, again.Next())
			}
			for i := range limit - 1 {
				if entry, err := again.Get(i); err != nil || string(entry.Value) != fmt.Sprint(i) {
					t.Errorf("%s: entry %d of the repaired log reads %q, %v", what, i, entry.Value, err)
				}
			}
		}
	}
}

// A reader that has been through entries that are truncated does not go on with what
// takes the place of later ones, even if that comes while it looks for the next.
func TestReaderBesideTruncateSuffix(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, cutOptions(None))
	for i := range uint64(10) {
		mustAppend(t, log, cutValue(i))
	}
	mustAppend(t, log, strings.Repeat("x", 2*readBlock)) // it is not in a block
	reader := log.NewReader(0)
	for i := range uint64(10) {
		wantEntry(t, "reader", func(uint64) (Entry, error) { return reader.Next(t.Context()) }, i)
	}
	atEachCall(disk, func(call crashdisk.Call) {
		if call.Op != crashdisk.Read || log.Next() != 11 || call.Size < firstRead {
			return
		}
		if err := log.TruncateSuffix(5); err != nil {
			t.Error(err)
		}
		for log.Next() < 12 {
			mustAppend(t, log, "instead")
		}
	})
	for range 2 {
		if entry, err := reader.Next(t.Context()); !errors.Is(err, ErrTruncated) {
			t.Errorf("reader of truncated entries goes on with entry %d, %.20q, %v", entry.Index, entry.Value, err)
		}
	}
	disk.SetHook(nil)
	if log.Next() != 12 {
		t.Error("the log was not truncated meanwhile")
	}
}

// A file that a truncation of the prefix has removed can be back after a power cut. Another truncation leaves no cut out
// that it needs.
func TestRemovedFileKeepsItsCut(t *testing.T) {
	log, disk := numbered(t, None, 60)
	cut := baseOn(t, disk, segmentName(1)) + 2
	must(t, log.TruncateSuffix(cut))
	mustAppend(t, log, "new", "new")
	names := segmentsOn(t, disk)
	must(t, log.TruncatePrefix(cut))
	back, random := 0, rand.New(rand.NewPCG(1, 2))
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		for i := 0; i < 300 && c.Op == crashdisk.SyncDir; i++ {
			image := disk.AfterPowerCut(random)
			if slices.Contains(segmentsOn(t, image), segmentName(1)) {
				back++
			}
			must(t, removeIfThere(image, names[len(names)-1]))
			_, err := verify(image, func(e Entry, err error) bool {
				if err == nil && e.Index >= cut && string(e.Value) != "new" {
					t.Fatalf("entry %d is %q", e.Index, e.Value)
				}
				return true
			})
			must(t, err)
		}
		return crashdisk.Fault{}
	})
	must(t, log.TruncateSuffix(cut+1))
	if disk.SetHook(nil); back < 10 {
		t.Errorf("the file is back in %d images alone", back)
	}
}
