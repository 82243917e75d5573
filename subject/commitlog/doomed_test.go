package commitlog

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A repair that fails, at whichever call, brings nothing back that was truncated, of a file that a crash has
// left: its removal is flushed by nothing but the next opening.
func TestFailedRepairBringsNothingBack(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 4096, alone: true})
	for i := range 10 {
		mustAppend(t, log, fmt.Sprint("old ", i))
	}
	must(t, log.TruncateSuffix(5))
	for i := 5; i < 8; i++ {
		mustAppend(t, log, fmt.Sprint("new ", i, " is longer"))
	}
	var image *crashdisk.Disk
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Remove && c.Name == segmentName(0) {
			image = disk.AfterKill()
		}
		return crashdisk.Fault{}
	})
	must(t, log.TruncatePrefix(6))
	must(t, log.Close())
	image = flipped(image, segmentName(1), 8*40)
	check := func(after int, disk *crashdisk.Disk) {
		entries := 0
		v, err := verify(disk, func(e Entry, err error) bool {
			if err == nil {
				entries++
			}
			if err == nil && !strings.HasPrefix(string(e.Value), "new") {
				t.Errorf("call %d refused: entry %d is %q", after+1, e.Index, e.Value)
			}
			return true
		})
		if err != nil || entries != 2 || v.Lost > 0 {
			t.Errorf("call %d refused: %d entries, %+v, %v", after+1, entries, v, err)
		}
	}
	check(-1, image)
	for after := 0; ; after++ {
		repaired, err := repairRefused(image, after)
		check(after, repaired.AfterKill())
		if err == nil {
			return
		}
		_, err = repairDir(repaired)
		must(t, err)
		check(after, repaired)
	}
}

// A segment of which a power cut took the begin, the header included that tells where it begins, stays a part
// of no log, and no damage, when entries are safe behind it.
func TestSegmentThatAPowerCutBeheaded(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 16 << 10, alone: true})
	for i := range 120 {
		_, err := log.Append(noise(i, 200))
		must(t, err)
	}
	image := disk.AfterKill()
	names := segmentsOn(t, image)
	name := names[len(names)-1]
	next := baseOn(t, image, name)
	data := bytes.Clone(image.Bytes(name))
	clear(data[:4096])
	image.SetBytes(name, data)
	log = openWith(t, image, FileOptions{SegmentSize: 16 << 10, Durability: Always, alone: true})
	for i := range uint64(3) {
		mustAppend(t, log, fmt.Sprint(i))
		v, err := verify(image.AfterKill(), func(Entry, error) bool { return true })
		if err != nil || len(v.Damage) > 0 || v.Next != next+i+1 {
			t.Errorf("behind append %d: %+v, %v", i, v, err)
		}
	}
}

// A repair that fails, at whichever call, forgets no entries that it was about to call lost, though what it has
// written by then says nothing of them.
func TestFailedRepairForgetsNoLoss(t *testing.T) {
	log, disk := numbered(t, Interval, 200)
	_, err := log.sealOldest()
	must(t, err)
	image := disk.AfterKill()
	names := segmentsOn(t, image)
	wipe := func(name string, from, to int) { // as a power cut can leave it
		data := bytes.Clone(image.Bytes(name))
		clear(data[from:min(to, len(data))])
		image.SetBytes(name, data)
	}
	wipe(names[1], 0, recordsStart+40)
	wipe(names[2], 0, 4096)
	wipe(names[3], recordsStart, 4096)
	for _, name := range names[4:] {
		must(t, image.Remove(name))
	}
	image = flipped(image, names[1], 8*3)
	before := seenIn(t, image)
	if before.lost == 0 {
		t.Fatalf("%+v", before)
	}
	for after := 0; ; after++ {
		repaired, err := repairRefused(image, after)
		if got := seenIn(t, repaired.AfterKill()); got != before {
			t.Errorf("call %d refused: before %+v, after %+v (%v)", after+1, before, got, err)
		}
		if err == nil {
			return
		}
	}
}

// A repair that fails, at whichever call, leaves a log that can be repaired, also one without entries that has lost
// its manifest: the files that hold nothing are all that says that there is a log.
func TestFailedRepairLeavesALog(t *testing.T) {
	disk := crashdisk.New()
	openWith(t, disk, FileOptions{SegmentSize: 4096, alone: true})
	image := disk.AfterKill()
	must(t, image.Remove(manifestName))
	for _, name := range segmentsOn(t, image) { // as a power cut can leave it
		data := bytes.Clone(image.Bytes(name))
		clear(data)
		image.SetBytes(name, data)
	}
	for after := 0; ; after++ {
		repaired, err := repairRefused(image, after)
		if _, again := repairDir(repaired); again != nil {
			t.Errorf("call %d refused: %v; and behind that: %v", after+1, err, again)
		}
		if err == nil {
			return
		}
	}
}

// What a repair says has to be there is safe once it says so: a log that is not durable may not have flushed it.
func TestRepairFlushesWhatItVouchesFor(t *testing.T) {
	for _, damaged := range []string{manifestName, segmentName(0)} {
		for seed := range uint64(20) {
			log, disk := numbered(t, None, 120)
			must(t, log.view.Load().segments[0].file.Sync()) // else a power cut may take what is damaged
			image := flipped(disk.AfterKill(), damaged, 8*20)
			_, err := repairDir(image)
			must(t, err)
			cut := image.AfterPowerCut(rand.New(rand.NewPCG(seed, 1)))
			if got := seenIn(t, cut); got != (seen{120, 0}) {
				t.Errorf("%s damaged, seed %d: %+v behind a power cut", damaged, seed, got)
			}
		}
	}
}

// A file of truncated entries that a crash has brought back hides none of those that are there, also where the
// segment behind it has lost the header that tells where it begins, or both.
func TestTruncatedFileThatCameBack(t *testing.T) {
	for _, c := range []struct{ sealed, headless bool }{{true, false}, {true, true}, {false, false}} {
		dir := filepath.Join(t.TempDir(), "log")
		options := FileOptions{SegmentSize: 16 << 10, Durability: Always, alone: true}
		log, err := OpenFile(dir, options)
		must(t, err)
		for range 40 {
			must(t, appendNext(log))
		}
		if c.sealed {
			log.sealAll()
		}
		old, err := os.ReadFile(filepath.Join(dir, segmentName(0)))
		must(t, err)
		must(t, log.Close())
		first := uint64(26)
		if !c.headless {
			first = 40
			spot{3, 38}.flip(t, dir)
		}
		log, err = OpenFile(dir, options)
		must(t, err)
		must(t, log.TruncatePrefix(first))
		must(t, appendNext(log))
		killed := copied(t, dir)
		must(t, log.Close())
		if c.headless {
			overwrite(t, filepath.Join(killed, segmentName(2)), make([]byte, recordsStart), 0)
		}
		must(t, os.WriteFile(filepath.Join(killed, segmentName(0)), old, 0o600))
		v, err := Verify(killed)
		must(t, err)
		if v.First != first || v.Next != 41 || v.Lost > 0 || v.Tail.CutEntries > 0 || salvaged(t, killed) != int(41-first) {
			t.Errorf("%+v: %+v", c, v)
		}
	}
}

// Entries that stand in two places are no reason to keep a copy of their segment each time it is repaired.
func TestEntriesInTwoPlaces(t *testing.T) {
	log, disk := numbered(t, Interval, 8)
	must(t, log.TruncatePrefix(5))
	image := disk.AfterKill()
	name := segmentName(0)
	data := bytes.Clone(image.Bytes(name))
	from, to := recordOn(t, image, name, 5), recordOn(t, image, name, 7)
	copy(data[recordsStart:], data[from:to])
	image.SetBytes(name, data)
	for range 3 {
		_, err := repairDir(image)
		must(t, err)
	}
	if kept := keptOn(t, image); len(kept) > 0 {
		t.Errorf("kept %q", kept)
	}
}

// Of a batch that has to be there damage costs what it hurts, also where it ends a segment and the next one is gone.
func TestHalfABatchThatWasPromised(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096, Durability: Always, alone: true})
	must(t, err)
	defer log.Close()
	for _, batch := range [][]string{{"0", "1", "2"}, {"3", "4", "5"}, {"6"}, {"7"}} {
		var values [][]byte
		for _, value := range batch {
			values = append(values, append([]byte(value), noise(0, 1301)...))
		}
		_, err = log.AppendBatch(values)
		must(t, err)
	}
	killed := copied(t, dir)
	spot{0, recordsStart + 2*recordSize(1302) + 50}.flip(t, killed)
	overwrite(t, filepath.Join(killed, segmentName(1)), make([]byte, 4096), 0)
	for _, when := range []string{"damaged", "repaired"} {
		v, err := Verify(killed)
		must(t, err)
		intact := ""
		for e, err := range Salvage(killed) {
			if err == nil {
				intact += string(e.Value[:1])
			}
		}
		if v.Next != 8 || v.Lost != 4 || intact != "0167" {
			t.Errorf("%s: %s are there, %+v", when, intact, v)
		}
		_, err = Repair(killed)
		must(t, err)
	}
}

// A segment of which nothing is left but truncated entries, and which could not be removed, is no part of what a
// repair writes anew.
func TestRepairBesideATruncatedSegmentThatStayed(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 256, alone: true})
	appendNumbered(t, log, "own", 40)
	first := log.view.Load().segments[1].base + 3
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Remove && c.Name == segmentName(0) {
			return crashdisk.Fault{Err: syscall.EPERM}
		}
		return crashdisk.Fault{}
	})
	if err := log.TruncatePrefix(first); !errors.Is(err, syscall.EPERM) {
		t.Fatal(err)
	}
	disk.SetHook(nil)
	image := struck(disk, segmentName(1), 0, recordsStart+40)
	for _, what := range []string{"damaged", "repaired"} {
		if n, v := own(t, image, "own"); v.First != first || v.Next != 40 || uint64(n) != 40-first || v.Lost > 0 {
			t.Errorf("%s: %d entries, %+v", what, n, v)
		}
		_, err := repairDir(image)
		must(t, err)
	}
}
