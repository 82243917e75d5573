package commitlog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// tornAndFull returns a log that was opened on a full disk, with a gap in its first segment
// and others behind that, and what lets the disk have space.
func tornAndFull(t *testing.T, durability Durability) (log *File, disk *crashdisk.Disk, free func()) {
	t.Helper()
	_, disk = numbered(t, durability, 80)
	disk = disk.AfterKill()
	name := segmentsOn(t, disk)[0]
	data := disk.Bytes(name)
	clear(data[recordOn(t, disk, name, 9):])
	disk.SetBytes(name, data)
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Create {
			return crashdisk.Fault{Err: syscall.ENOSPC}
		}
		return crashdisk.Fault{}
	})
	log = openOn(t, disk, durability)
	if !log.rest.Load() || log.Next() != 9 {
		t.Fatalf("nothing is left to do; next is %d", log.Next())
	}
	return log, disk, func() { disk.SetHook(nil) }
}

// What opening had no space for is done before a truncation of the prefix takes away what
// tells where the log ends.
func TestTruncatePrefixWhereTheEndIsDue(t *testing.T) {
	for _, durability := range []Durability{None, Interval} {
		for _, first := range []uint64{5, 9} {
			log, disk, free := tornAndFull(t, durability)
			free()
			must(t, log.TruncatePrefix(first))
			again := openOn(t, disk.AfterKill(), durability)
			if again.First() != first || again.Next() != 9 {
				t.Errorf("%v: log holds entries %d to %d, want %d to 9", durability, again.First(), again.Next(), first)
			}
			mustAppend(t, log, "9")
			must(t, log.Close())
		}
	}
}

// sealedOnce is what a killed log of 80 entries has left, of which the first segment is sealed: its trailer is
// to be written once more.
func sealedOnce(t *testing.T, durability Durability) *crashdisk.Disk {
	t.Helper()
	log, disk := numbered(t, durability, 80)
	if sealed, err := log.sealOldest(); !sealed || err != nil {
		t.Fatalf("sealed %t, %v", sealed, err)
	}
	return disk.AfterKill()
}

// Readers go on beside the append that finishes an opening.
func TestReadersBesideTheEndOfOpening(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for range 10 {
			disk := sealedOnce(t, durability)
			disk.SetHook(noSpace)
			log := openOn(t, disk, durability)
			if disk.SetHook(nil); !log.rest.Load() || log.again == nil {
				t.Fatalf("%v: nothing is left to do", durability)
			}
			var group sync.WaitGroup
			group.Go(func() {
				for i := range uint64(100) {
					if e, err := log.Get(i % 20); err != nil || string(e.Value) != fmt.Sprint(i%20) {
						t.Errorf("%v: entry %d reads %q, %v", durability, i%20, e.Value, err)
					}
				}
			})
			mustAppend(t, log, "more")
			group.Wait()
			must(t, log.Close())
		}
	}
}

// An opening has cut the log off, and a power cut leaves less of what was before the cut: no later
// one brings any of it back, whatever it leaves of the files.
func TestWhatWasCutOffTwiceStaysGone(t *testing.T) {
	exhausts(t)
	options := FileOptions{SegmentSize: 1024, alone: true}
	tried := 0
	for seed := range uint64(1500) {
		disk := crashdisk.New()
		log := openWith(t, disk, options)
		for i := range 10 {
			mustAppend(t, log, fmt.Sprintf("old %10d", i))
		}
		torn := disk.AfterKill()
		file, err := torn.Open(segmentName(0))
		must(t, err)
		_, err = file.WriteAt([]byte("the torn record of an append"), int64(usedBytes(torn, segmentName(0))))
		must(t, err)
		cut := openWith(t, torn, options).Next()
		left := torn.AfterPowerCut(rand.New(rand.NewPCG(seed, 1)))
		log = openWith(t, left, options)
		first := log.Next() + 1
		if first >= cut {
			continue
		}
		mustAppend(t, log, "new")
		must(t, log.Sync())
		must(t, log.fillSpare())
		log.roster.take(preparing)
		must(t, log.roll(0))
		log.roster.give(preparing)
		must(t, log.TruncatePrefix(first))
		for k := range uint64(20) {
			tried++
			again := openWith(t, left.AfterPowerCut(rand.New(rand.NewPCG(seed, k))), options)
			if again.First() != first || again.Next() != first {
				t.Fatalf("seed %d, %d: log holds entries %d to %d, want none from %d on", seed, k, again.First(), again.Next(), first)
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d images", tried)
	}
}

// Beside a log without a segment a file of another one is set aside, too.
func TestStrayBesideAnEmptyLog(t *testing.T) {
	other, _ := diskWith(t, Always, 40)
	foreign := other.Bytes(segmentsOn(t, other)[1])
	for _, at := range []int{0, len(foreign) - blockSize} {
		foreign[at+16] ^= 1 // another id, and mark
		copy(foreign[at+blockSize-4:], sumBytes(foreign[at:at+blockSize-4]))
	}
	log, disk := numbered(t, Always, 100)
	segments := log.view.Load().segments
	first := segments[len(segments)-1].base
	must(t, log.TruncatePrefix(first))
	must(t, log.TruncateSuffix(first))
	must(t, log.Close())
	if left := segmentsOn(t, disk); len(left) > 0 {
		t.Fatalf("%q are left", left)
	}
	stray := segmentName(777)
	disk.SetBytes(stray, foreign)
	for range 2 {
		if _, err := repairDir(disk); err != nil {
			t.Fatal(err)
		}
		again := openOn(t, disk.AfterKill(), Always)
		if again.First() != first || again.Next() != first {
			t.Errorf("log holds entries %d to %d, want none from %d on", again.First(), again.Next(), first)
		}
	}
	if kept := keptOn(t, disk); !slices.ContainsFunc(kept, func(name string) bool { return strings.HasPrefix(name, stray) }) {
		t.Errorf("it was not set aside: %q", kept)
	}
}

// A segment that was sealed before it was cut tells its own end once the log is cut again:
// what was truncated from it stays gone though the files behind are.
func TestSealedSegmentTellsWhereItWasCut(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		log, disk := numbered(t, durability, 60)
		log.keep()
		must(t, log.Sync())
		for log.unsealed() > 0 {
			_, err := log.sealOldest()
			must(t, err)
		}
		must(t, log.TruncateSuffix(5))
		mustAppend(t, log, "new 5", "new 6", "new 7")
		behind := log.tail.segment.name
		must(t, log.TruncateSuffix(7))
		mustAppend(t, log, "late 7")
		must(t, log.Close())
		must(t, disk.Remove(behind))
		for _, entry := range readable(t, disk) {
			if !slices.Contains([]string{"0 0", "1 1", "2 2", "3 3", "4 4", "7 late 7"}, entry) {
				t.Errorf("%v: %q is read", durability, entry)
			}
		}
	}
}

// So does one that was not sealed, in a log that is repaired, though what told it is damaged.
func TestRepairKeepsWhereAnOpenSegmentWasCut(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 4096, alone: true})
	mustAppend(t, log, "0", "1", "2", "old", "old", "old")
	must(t, log.TruncateSuffix(3))
	mustAppend(t, log, "new", "new")
	image := disk.AfterKill()
	last := log.tail.segment.name
	data := image.Bytes(last)
	clear(data[:recordsStart])
	image.SetBytes(last, data)
	image.SetBytes(segmentName(77), image.Bytes(segmentName(0)))
	for range 2 {
		if _, err := repairDir(image); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(readable(t, image)); got != "[0 0 1 1 2 2 3 new 4 new]" {
			t.Fatalf("%s can be read", got)
		}
	}
}

// What opening will cut off is removed once the manifest says where, and not before.
func TestNothingIsRemovedBeforeTheEndIsWritten(t *testing.T) {
	_, disk := numbered(t, None, 80)
	disk = disk.AfterKill()
	log := openOn(t, disk, None)
	disk.SetHook(noSpaceForEntries)
	must(t, log.TruncatePrefix(12)) // of what is not safe
	disk = disk.AfterKill()
	name := segmentsOn(t, disk)[0]
	data := disk.Bytes(name)
	clear(data[recordOn(t, disk, name, 5):])
	disk.SetBytes(name, data)
	made := 0
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Create {
			if made++; made > 1 {
				return crashdisk.Fault{Err: syscall.ENOSPC}
			}
		}
		return crashdisk.Fault{}
	})
	if log = openOn(t, disk, None); log.Next() != 12 || !log.rest.Load() {
		t.Fatalf("log ends at %d, nothing is left to do", log.Next())
	}
	if again := openOn(t, disk.AfterKill(), None); again.First() != 12 || again.Next() != 12 {
		t.Errorf("log holds entries %d to %d", again.First(), again.Next())
	}
}

// Files that were removed since nothing in them counts any more, and that a power cut brings
// back once the log was cut once more, change nothing: what follows tells that they were cut.
func TestRemovedFilesThatComeBack(t *testing.T) {
	cameBack := 0
	for seed := range uint64(20) {
		log, disk := numbered(t, None, 60)
		must(t, log.Sync())
		base := log.view.Load().segments[1].base
		must(t, log.fillSpare()) // one made behind the removal would make that safe
		must(t, log.TruncateSuffix(base))
		mustAppend(t, log, "new", "new", "new")
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op != crashdisk.SyncDir {
				return crashdisk.Fault{}
			}
			for k := range uint64(8) {
				image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, k)))
				if slices.Contains(segmentsOn(t, image), segmentName(2)) {
					cameBack++
				}
				wantSoundAndNew(t, image, base)
			}
			return crashdisk.Fault{}
		})
		must(t, log.TruncateSuffix(base+2))
		disk.SetHook(nil)
	}
	if cameBack == 0 {
		t.Error("no file has come back")
	}
}

// wantSoundAndNew wants a log without damage, of which each entry from an index on is "new".
func wantSoundAndNew(t *testing.T, disk *crashdisk.Disk, from uint64) {
	t.Helper()
	v, err := verify(disk, func(e Entry, err error) bool {
		if e.Index >= from && string(e.Value) != "new" {
			t.Errorf("entry %d is %q, %v", e.Index, e.Value, err)
		}
		return true
	})
	if err != nil || len(v.Damage) > 0 {
		t.Errorf("verify returned %+v, %v", v, err)
	}
	log := openOn(t, disk, None)
	for e, err := range log.Entries(from) {
		if err != nil || string(e.Value) != "new" {
			t.Errorf("entry %d is %q, %v", e.Index, e.Value, err)
		}
	}
}

// Nothing is sealed as long as opening is not finished: a trailer that was there may not be safe.
func TestNothingIsSealedBeforeOpeningIsFinished(t *testing.T) {
	disk := sealedOnce(t, None)
	disk.SetHook(noSpace)
	log := openOn(t, disk, None)
	if disk.SetHook(nil); !log.rest.Load() || log.unsealed() == 0 {
		t.Fatal("nothing is left to do")
	}
	if sealed, err := log.sealOldest(); sealed || err != nil {
		t.Errorf("sealed %t, %v", sealed, err)
	}
	mustAppend(t, log, "more")
	if sealed, err := log.sealOldest(); !sealed || err != nil {
		t.Errorf("behind that, sealed %t, %v", sealed, err)
	}
}

// What opening flushed says nothing of who will append.
func TestNoAppendWaitsForThoseOfBefore(t *testing.T) {
	_, disk := numbered(t, None, 20)
	if log := openOn(t, disk.AfterKill(), Always); log.gather != (gather{}) {
		t.Errorf("a flush expects %+v", log.gather)
	}
}
