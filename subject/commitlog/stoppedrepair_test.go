package commitlog

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// struck returns a disk on which some bytes of a file are others.
func struck(disk *crashdisk.Disk, name string, from, to int) *crashdisk.Disk {
	image := disk.AfterKill()
	data := bytes.Clone(image.Bytes(name))
	for i := range data[from:to] {
		data[from+i] ^= 0x5a
	}
	image.SetBytes(name, data)
	return image
}

// holds reports whether any file of a disk has these bytes.
func holds(t *testing.T, disk *crashdisk.Disk, value []byte) bool {
	t.Helper()
	names, err := disk.Names()
	must(t, err)
	for _, name := range names {
		if bytes.Contains(disk.Bytes(name), value) {
			return true
		}
	}
	return false
}

// stopRepair has a repair stopped at each of its calls, and repairs behind that.
func stopRepair(t *testing.T, image *crashdisk.Disk, check func(stopped int, repaired *crashdisk.Disk)) {
	t.Helper()
	for after := 0; ; after++ {
		stopped, refused := repairRefused(image, after)
		stopped = stopped.AfterKill()
		_, err := repairDir(stopped)
		must(t, err)
		if check(after, stopped); refused == nil {
			return
		}
	}
}

// A segment that lost both headers is known by the files beside it, of which one may have to be removed. A repair that
// stops in between, wherever, costs none of its entries.
func TestStoppedRepairKeepsWhatNeighboursTell(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		log, disk := numbered(t, durability, 150)
		must(t, log.Sync())
		log.keep()
		segments := log.view.Load().segments
		last := segments[len(segments)-3]
		var image *crashdisk.Disk
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Remove && c.Name != newManifestName && image == nil {
				image = disk.AfterKill()
			}
			return crashdisk.Fault{}
		})
		must(t, log.TruncateSuffix(last.next()))
		disk.SetHook(nil)
		image = struck(image, last.name, 0, recordsStart)
		want := seen{last.next(), 0}
		if got := seenIn(t, image); got != want {
			t.Fatalf("%+v before a repair", got)
		}
		stopRepair(t, image, func(after int, repaired *crashdisk.Disk) {
			if got := seenIn(t, repaired); got != want {
				t.Errorf("%v, stopped at call %d: %+v", durability, after+1, got)
			}
		})
	}
}

// A segment of which no copy can be made is not written anew, also if its headers are all that it lost.
func TestNothingIsWrittenAnewWithoutACopy(t *testing.T) {
	log, disk := numbered(t, None, 150)
	log.keep()
	must(t, log.Close())
	image := struck(disk, segmentName(1), 0, recordsStart)
	before := bytes.Clone(image.Bytes(segmentName(1)))
	image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if strings.HasSuffix(c.Name, damagedSuffix) {
			return crashdisk.Fault{Err: errInjected}
		}
		return crashdisk.Fault{}
	})
	if _, err := repairDir(image); !errors.Is(err, errInjected) {
		t.Fatal(err)
	}
	if !bytes.Equal(before, image.Bytes(segmentName(1))) {
		t.Error("the segment is another")
	}
}

// Of what a repair gives up there is a copy, also if it stopped in between.
func TestStoppedRepairKeepsACopy(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 256, alone: true, written: true})
	for i := range 5 {
		mustAppend(t, log, string(noise(i, 30)))
	}
	must(t, log.TruncateSuffix(3))
	mustAppend(t, log, string(noise(9, 30)))
	must(t, log.Sync())
	image := struck(disk, segmentName(0), 0, recordsStart)
	image = struck(image, segmentName(1), recordsStart, len(image.Bytes(segmentName(1))))
	stopRepair(t, image, func(after int, repaired *crashdisk.Disk) {
		for i := range 3 {
			if !holds(t, repaired, noise(i, 30)) {
				t.Errorf("stopped at call %d: no file has entry %d", after+1, i)
			}
		}
	})
}

// So there is of a batch that is cut off, also if files follow with an entry that is intact.
func TestRepairKeepsACopyOfACutBatch(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 256, alone: true})
	var batch [][]byte
	for i := range 6 {
		batch = append(batch, noise(i, 250))
	}
	_, err := log.AppendBatch(batch)
	must(t, err)
	mustAppend(t, log, string(noise(6, 250)), string(noise(7, 80)), string(noise(8, 80)))
	image := disk.AfterKill()
	at := recordOn(t, image, segmentName(1), 3)
	image = struck(image, segmentName(1), at, len(image.Bytes(segmentName(1))))
	at = recordOn(t, image, segmentName(3), 8)
	image = struck(image, segmentName(2), 0, len(image.Bytes(segmentName(2))))
	image = struck(image, segmentName(3), 0, at)
	_, err = repairDir(image)
	must(t, err)
	for i := range 3 {
		if !holds(t, image, noise(i, 250)) {
			t.Errorf("no file has entry %d", i)
		}
	}
}

// A trailer whose flush failed is written once more before others vouch for it.
func TestTrailerOfATruncationWhoseFlushFailed(t *testing.T) {
	log, disk := numbered(t, None, 150)
	must(t, log.Sync())
	next := log.Next() - 1
	must(t, log.TruncateSuffix(next))
	mustAppend(t, log, "instead", "torn")
	image := disk.AfterKill()
	name := segmentsOn(t, image)[len(segmentsOn(t, image))-1]
	at := recordOn(t, image, name, next+1)
	for n := 1; ; n++ {
		hurt := flipped(image, name, 8*(at+1))
		syncs := 0
		hurt.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Sync && c.Name != newManifestName {
				if syncs++; syncs == n {
					return crashdisk.Fault{Err: errInjected}
				}
			}
			return crashdisk.Fault{}
		})
		first, err := openDir(hurt, FileOptions{SegmentSize: 256, alone: true})
		hurt.SetHook(nil)
		if err == nil {
			must(t, first.Close())
			return
		}
		hurt = hurt.AfterKill()
		must(t, openOn(t, hurt, None).TruncateSuffix(next+1))
		for seed := range uint64(10) {
			v, err := verify(hurt.AfterPowerCut(rand.New(rand.NewPCG(seed, 1))), func(Entry, error) bool { return true })
			if err != nil || len(v.Damage) > 0 || v.Next != next+1 {
				t.Fatalf("flush %d failed: %s, %+v, %v", n, fmt.Sprint(v.Damage), v, err)
			}
		}
	}
}

// A repair that cannot write a segment anew leaves nothing of that: it may have filled the disk.
func TestFailedRepairLeavesNoUnfinishedSegment(t *testing.T) {
	disk, _ := diskWith(t, None, 24)
	image := struck(disk, segmentName(0), recordsStart, recordsStart+1)
	image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Write && c.Name == newSegmentName && c.Offset > 0 {
			return crashdisk.Fault{Err: errInjected}
		}
		return crashdisk.Fault{}
	})
	if _, err := repairDir(image); !errors.Is(err, errInjected) {
		t.Fatal(err)
	}
	if image.Bytes(newSegmentName) != nil {
		t.Error("the unfinished segment is there")
	}
}
