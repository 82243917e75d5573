package commitlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A kill comes before a trailer is flushed, or its flush fails. The log is opened and
// closed, which makes the trailer safe: a power cut then leaves a log without damage.
func TestTrailerThatWasNotFlushed(t *testing.T) {
	for _, why := range []error{nil, syscall.EIO} {
		for seed := range uint64(50) {
			log, disk := numbered(t, None, 40)
			var left *crashdisk.Disk
			written := false
			disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
				written = written || c.Op == crashdisk.Truncate
				if written && c.Op == crashdisk.Sync && left == nil {
					left = disk.AfterKill()
					return crashdisk.Fault{Err: why}
				}
				return crashdisk.Fault{}
			})
			log.sealOldest()
			disk.SetHook(nil)
			if why != nil { // the log has stopped
				log.Close()
				left = disk
			}
			must(t, openOn(t, left, None).Close())
			left = left.AfterPowerCut(rand.New(rand.NewPCG(seed, 0)))
			v, err := verify(left, func(Entry, error) bool { return true })
			if err != nil || len(v.Damage) > 0 || v.Next != 40 {
				t.Fatalf("trailer's flush returns %v, seed %d: verify returned %+v, %v", why, seed, v, err)
			}
		}
	}
}

// The disk is full when a trailer's flush fails, and when the log is opened: the trailer
// is made safe before a later one.
func TestTrailerOnFullDisk(t *testing.T) {
	for seed := range uint64(50) {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{Durability: Interval, Interval: time.Hour, SegmentSize: 320, alone: true, written: true})
		for log.unsealed() == 0 {
			mustAppend(t, log, fmt.Sprint(log.Next()))
		}
		written, full := false, false
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			written = written || c.Op == crashdisk.Truncate
			if written && c.Op == crashdisk.Sync && !full {
				full = true
				return crashdisk.Fault{Err: syscall.ENOSPC}
			}
			if full {
				return noSpace(c)
			}
			return crashdisk.Fault{}
		})
		if _, err := log.sealOldest(); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("sealing returned %v", err)
		}
		log.Close()
		log = openWith(t, disk, log.options)
		if _, err := log.Append(nil); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("append to a full disk returned %v", err)
		}
		disk.SetHook(nil)
		for range 40 {
			mustAppend(t, log, fmt.Sprint(log.Next()))
			log.keep()
		}
		must(t, log.Sync())
		must(t, log.Close())
		image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 9)))
		v, err := verify(image, func(Entry, error) bool { return true })
		if err != nil || len(v.Damage) > 0 || v.Next != log.Next() {
			t.Fatalf("seed %d: verify returned %+v, %v", seed, v, err)
		}
	}
}

// A flush fails, and the log stops: the system holds for clean what the disk never got. The
// next process seals the segment, which vouches for all of it.
func TestSealedIsWhatIsSafe(t *testing.T) {
	for seed := range uint64(50) {
		log, disk := numbered(t, None, 60)
		failed := false
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Sync && !failed {
				failed = true
				return crashdisk.Fault{Err: syscall.EIO}
			}
			return crashdisk.Fault{}
		})
		if err := log.Sync(); !errors.Is(err, syscall.EIO) {
			t.Fatalf("sync returned %v", err)
		}
		disk.SetHook(nil)
		log.Close()
		log = openOn(t, disk, None)
		log.keep()
		if log.unsealed() > 0 {
			t.Fatal("nothing was sealed")
		}
		safe := log.Metrics().Safe
		image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 5)))
		v, err := verify(image, func(Entry, error) bool { return true })
		if err != nil || len(v.Damage) > 0 || v.Lost > 0 || v.Next < safe {
			t.Fatalf("seed %d: of %d safe entries verify returned %+v, %v", seed, safe, v, err)
		}
	}
}

// A segment that a truncation has cut tells so by a shorter trailer as soon as another truncation takes its place in
// the manifest. Damage to that trailer is told, and repaired: else the next one would bring back what was truncated.
func TestDamageToTheTrailerOfAnOlderCut(t *testing.T) {
	log, disk := numbered(t, None, 100)
	must(t, log.Close())
	log = openOn(t, disk, None)
	must(t, log.TruncateSuffix(1))
	mustAppend(t, log, "new", "new", "new")
	must(t, log.TruncateSuffix(3))
	mustAppend(t, log, "new")
	must(t, log.Close())
	name := segmentName(0)
	image := struck(disk, name, usedBytes(disk, name)-blockSize+8, usedBytes(disk, name))
	if v, err := verify(image, func(Entry, error) bool { return true }); err != nil || len(v.Damage) != 1 || v.Lost > 0 || !v.Opens {
		t.Errorf("%+v, %v", v, err)
	}
	_, err := repairDir(image)
	must(t, err)
	must(t, image.Remove(segmentsOn(t, image)[1]))
	_, err = verify(image, func(e Entry, err error) bool {
		if err == nil && e.Index > 0 && string(e.Value) != "new" {
			t.Errorf("entry %d is %q", e.Index, e.Value)
		}
		return true
	})
	must(t, err)
}
