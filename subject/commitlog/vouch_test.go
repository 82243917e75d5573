package commitlog

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// Entries that were flushed are missed even where their segment was not sealed:
// a mark in a later one, or the trailer of one, says that they had been safe.
func TestLaterSegmentsVouch(t *testing.T) {
	for _, seal := range []bool{false, true} {
		log, disk := numbered(t, None, 120)
		if n := log.unsealed(); n < 3 {
			t.Fatalf("%d segments are full", n)
		}
		if seal {
			for range 2 {
				if _, err := log.sealOldest(); err != nil {
					t.Fatal(err)
				}
			}
		} else {
			must(t, log.Sync())
			mustAppend(t, log, "120")
			must(t, log.Sync())
			mustAppend(t, log, "121") // says that the one before says so
		}
		image := disk.AfterKill()
		name := segmentsOn(t, image)[0]
		if seal { // the trailer goes as well
			image = flipped(image, name, 8*(len(image.Bytes(name))-blockSize))
		}
		image = flipped(image, name, 8*recordOn(t, image, name, 2))
		_, err := openDir(image, FileOptions{SegmentSize: 256, alone: true})
		if damage := (*CorruptError)(nil); !errors.As(err, &damage) || damage.Index != 2 {
			t.Errorf("sealed %t: opening returned %v, want damage to entry 2", seal, err)
		}
		if left, err := verify(image, func(Entry, error) bool { return true }); err != nil || left.Lost != 1 || left.Next < 120 {
			t.Errorf("sealed %t: verify returned %+v, %v", seal, left, err)
		}
	}
}

// What nobody vouches for is cut off at the first gap, later segments included,
// and a repair keeps all of it.
func TestUnsealedSegmentsAreCutOff(t *testing.T) {
	_, disk := numbered(t, None, 120)
	image := disk.AfterKill()
	names := segmentsOn(t, image)
	image = flipped(image, names[1], 8*recordOn(t, image, names[1], baseOn(t, disk, names[1])+1))
	base := baseOn(t, disk, names[1])
	copied := image.AfterKill()
	left := openOn(t, image, None)
	if left.Next() != base+1 || left.Recovery().CutEntries != 120-base-2 {
		t.Errorf("%d entries are left, %+v; want %d, and %d cut off", left.Next(), left.Recovery(), base+1, 120-base-2)
	}
	mustAppend(t, left, "instead")
	if _, err := repairDir(copied); err != nil {
		t.Fatal(err)
	}
	for _, name := range names[1:] {
		if copied.Bytes(name+damagedSuffix) == nil {
			t.Errorf("%s was cut off and not kept", name)
		}
	}
}

// A power cut took the end of a segment, which ends the log there. The header of a later one is damaged: one repair does.
func TestRepairOfAHeaderAfterAPowerCut(t *testing.T) {
	_, disk := numbered(t, None, 120)
	names := segmentsOn(t, disk)
	base := baseOn(t, disk, names[1])
	for _, later := range names[2:] {
		image := disk.AfterKill()
		data := image.Bytes(names[1])
		clear(data[recordOn(t, image, names[1], base+2):])
		image.SetBytes(names[1], data)
		image = flipped(image, later, 0)
		if _, err := repairDir(image); err != nil {
			t.Errorf("%s: %v", later, err)
			continue
		}
		for _, name := range names[2:] {
			if image.Bytes(name+damagedSuffix) == nil {
				t.Errorf("%s was not kept", name)
			}
		}
		log := openOn(t, image, None)
		if log.Next() != base+2 {
			t.Errorf("%s: log ends at %d, want %d", later, log.Next(), base+2)
		}
		for i, value := range contents(t, log) {
			if value != fmt.Sprint(i) {
				t.Errorf("entry %d reads %q", i, value)
			}
		}
	}
}

// A power cut took the end of a segment and left the one behind, whose header alone
// tells that the entries before a hole were flushed. Those behind the hole are kept.
func TestRepairBelievesWhatItDrops(t *testing.T) {
	for hole := range uint64(3) {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{Durability: Interval, Interval: time.Hour, SegmentSize: 256, alone: true})
		mustAppend(t, log, "0")
		for len(log.view.Load().segments) < 2 || log.Next() < log.view.Load().segments[1].base+4 {
			mustAppend(t, log, fmt.Sprint(log.Next()))
		}
		must(t, log.Sync())
		flushed := log.Next()
		mustAppend(t, log, fmt.Sprint(flushed))
		flushing := false
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Sync && !flushing {
				flushing = true
				for len(log.view.Load().segments) < 3 { // others append beside the flush
					mustAppend(t, log, fmt.Sprint(log.Next()))
				}
			}
			return crashdisk.Fault{}
		})
		must(t, log.Sync())
		disk.SetHook(nil)
		mustAppend(t, log, "one more")
		image := disk.AfterKill()
		names := segmentsOn(t, image)
		torn := image.Bytes(names[1])
		clear(torn[recordOn(t, image, names[1], flushed):])
		image.SetBytes(names[1], torn)
		image = flipped(image, names[0], 8*recordOn(t, image, names[0], hole))
		if _, err := repairDir(image); err != nil {
			t.Fatal(err)
		}
		if image.Bytes(names[2]) != nil || image.Bytes(names[2]+damagedSuffix) == nil {
			t.Errorf("%s was not set aside", names[2])
		}
		left, err := openDir(image, log.options)
		must(t, err)
		for i := range flushed {
			e, err := left.Get(i)
			if lost := (*CorruptError)(nil); i == hole && (!errors.As(err, &lost) || !lost.Lost) || i != hole && (err != nil || string(e.Value) != fmt.Sprint(i)) {
				t.Errorf("hole at %d: entry %d of %d reads %q, %v", hole, i, flushed, e.Value, err)
			}
		}
		must(t, left.Close())
	}
}

// Readers at the very end see whole entries only.
func TestReadersMeetNoHalfEntry(t *testing.T) {
	log, err := OpenFile(t.TempDir()+"/log", FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	const entries = 30_000
	var group sync.WaitGroup
	group.Go(func() {
		for i := range entries {
			mustAppend(t, log, fmt.Sprint(i))
		}
	})
	for range 2 {
		group.Go(func() {
			for next := uint64(0); next < entries; next = log.Next() {
				if next == 0 {
					continue
				}
				entry, err := log.Get(next - 1)
				if err != nil || string(entry.Value) != fmt.Sprint(next-1) {
					t.Errorf("entry %d reads %q, %v", next-1, entry.Value, err)
					return
				}
			}
		})
	}
	group.Wait()
}

// What all segments behind damage say is looked for once, however many are damaged: a log
// of twice as many takes twice the reading, not four times.
func TestManyHolesTakeOneLook(t *testing.T) {
	few, many := readOfHoles(t, 100), readOfHoles(t, 800)
	if many > 12*few {
		t.Errorf("eight times the entries take %d bytes of reading instead of %d", many, few)
	}
}

// readOfHoles returns how many bytes an inspection reads of a log with damage in every segment.
func readOfHoles(t *testing.T, entries int) (read int) {
	t.Helper()
	image := crashdisk.New()
	log := openWith(t, image, FileOptions{Durability: Always, SegmentSize: 512, alone: true, backlog: entries})
	for i := range entries {
		mustAppend(t, log, fmt.Sprint(i))
	}
	image = image.AfterKill()
	for _, name := range segmentsOn(t, image) {
		image = flipped(image, name, 8*(recordsStart+6))
	}
	var mu sync.Mutex
	image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		mu.Lock()
		defer mu.Unlock()
		if c.Op == crashdisk.Read {
			read += c.Size
		}
		return crashdisk.Fault{}
	})
	in, err := inspect(image)
	must(t, err)
	if len(in.holes) < entries/60 {
		t.Errorf("of %d segments %d have holes", len(in.segments), len(in.holes))
	}
	must(t, in.close())
	return read
}
