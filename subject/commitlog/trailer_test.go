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
		log := openWith(t, disk, FileOptions{Durability: Interval, Interval: time.Hour, SegmentSize: 256, alone: true, written: true})
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

// newCut returns a disk with a closed log of the entries "0" and "new". A truncation has cut its first segment between
// them, which may have been sealed before.
func newCut(t *testing.T, sealed bool) *crashdisk.Disk {
	log, disk := numbered(t, None, 20)
	if sealed {
		mustAppend(t, log, make([]string, 100)...)
		must(t, log.Close())
		log = openOn(t, disk, None)
	}
	must(t, log.TruncateSuffix(1))
	mustAppend(t, log, "new")
	must(t, log.Close())
	return disk
}

// olderCut is newCut with two entries more, and a shorter trailer in the first segment, since another truncation has
// taken the place in the manifest.
func olderCut(t *testing.T, sealed bool) *crashdisk.Disk {
	disk := newCut(t, sealed)
	log := openOn(t, disk, None)
	mustAppend(t, log, "new", "new")
	must(t, log.TruncateSuffix(3))
	mustAppend(t, log, "new")
	must(t, log.Close())
	return disk
}

// wantNothingOld holds a log to what newCut and olderCut have put there.
func wantNothingOld(t *testing.T, disk *crashdisk.Disk) {
	t.Helper()
	_, err := verify(disk, func(e Entry, err error) bool {
		if err == nil && e.Index > 0 && string(e.Value) != "new" {
			t.Errorf("entry %d is %q", e.Index, e.Value)
		}
		return true
	})
	must(t, err)
}

// Damage to the trailer of an older cut is told, and repaired: else the next one would bring back what was truncated.
func TestDamageToTheTrailerOfAnOlderCut(t *testing.T) {
	for _, c := range []struct{ sealed, zeros bool }{{true, false}, {true, true}, {false, false}, {false, true}} {
		image, name := olderCut(t, c.sealed), segmentName(0)
		end := usedBytes(image, name)
		image = struck(image, name, end-blockSize+8, end)
		if c.zeros {
			data := image.Bytes(name)
			clear(data[end-blockSize : end])
			image.SetBytes(name, data)
		}
		if v, err := verify(image, func(Entry, error) bool { return true }); err != nil || len(v.Damage) != 1 || v.Lost > 0 || !v.Opens {
			t.Errorf("%+v: %+v, %v", c, v, err)
		}
		_, err := repairDir(image)
		must(t, err)
		must(t, image.Remove(segmentsOn(t, image)[1]))
		wantNothingOld(t, image)
	}
}

// A segment that was cut, and has lost its headers, brings nothing back.
func TestCutSegmentWithoutHeaders(t *testing.T) {
	image := struck(olderCut(t, true), segmentName(0), 0, recordsStart)
	must(t, image.Remove(segmentsOn(t, image)[1]))
	wantNothingOld(t, image)
	_, err := repairDir(image)
	must(t, err)
	wantNothingOld(t, image)
}

// An opening that has to cut off what a crash left needs no table of a segment that was cut before.
func TestOpeningNeedsNoTableOfACutSegment(t *testing.T) {
	disk := newCut(t, true)
	table := usedBytes(disk, segmentName(0)) - blockSize
	for _, torn := range []bool{false, true} {
		image := struck(disk, segmentName(0), table-1, table)
		if last := segmentsOn(t, image)[1]; torn {
			image.SetBytes(last, append(image.Bytes(last), noise(1, 40)...))
		}
		v, err := verify(image, func(Entry, error) bool { return true })
		if err != nil || !v.Opens || v.Lost > 0 || len(v.Damage) != 1 {
			t.Errorf("torn %t: %+v, %v", torn, v, err)
		}
		log, err := openDir(image, FileOptions{alone: true})
		must(t, err)
		must(t, log.Close())
		if _, err := repairDir(image); err != nil || seenIn(t, image) != (seen{2, 0}) {
			t.Errorf("torn %t: repair returned %v, %+v", torn, err, seenIn(t, image))
		}
	}
}

// Where a crash left the log's end just where the truncation had cut, no other trailer is needed.
func TestOpeningWhereTheEndIsTheCut(t *testing.T) {
	log, disk := numbered(t, None, 100)
	must(t, log.Close())
	log = openOn(t, disk, None)
	must(t, log.TruncateSuffix(1))
	mustAppend(t, log, "torn")
	table := usedBytes(disk, segmentName(0)) - blockSize
	image := struck(disk, segmentName(0), table-1, table)
	image = struck(image, segmentsOn(t, image)[1], recordsStart, recordsStart+1)
	v, err := verify(image, func(Entry, error) bool { return true })
	if err != nil || !v.Opens || v.Next != 1 || v.Tail.CutBytes == 0 {
		t.Errorf("%+v, %v", v, err)
	}
	log, err = openDir(image, FileOptions{alone: true})
	must(t, err)
	must(t, log.Close())
}
