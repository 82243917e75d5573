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

// Readers go on beside the append that finishes an opening.
func TestReadersBesideTheEndOfOpening(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for range 10 {
			_, disk := numbered(t, durability, 20)
			disk = disk.AfterKill()
			disk.SetBytes(segmentName(9), nil) // it is to be removed
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
	for _, at := range []int{0, baseAt, len(foreign) - blockSize} {
		foreign[at+16] ^= 1 // another id, and salt
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
