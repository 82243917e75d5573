package commitlog

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// Segments are gone, and behind them is only one without an entry: all that they held
// is counted as lost.
func TestLostBeforeAnEmptySegment(t *testing.T) {
	disk, values := diskWith(t, None, 24)
	sealLast(t, disk)
	openOn(t, disk, None)
	disk = disk.AfterKill()
	segments := segmentsOn(t, disk)
	for first := range segments[:len(segments)-1] { // the first that is gone
		image := disk.AfterKill()
		for _, name := range segments[first : len(segments)-1] {
			must(t, image.Remove(name))
		}
		read := uint64(0)
		v, err := verify(image, func(_ Entry, err error) bool {
			if err == nil {
				read++
			}
			return true
		})
		if err != nil || v.Lost == 0 || v.Next != uint64(len(values)) || read+v.Lost != v.Next {
			t.Errorf("of segments from %d on: %d entries were read, verify returned %+v, %v", first, read, v, err)
		}
		if _, err := repairDir(image); err != nil {
			t.Fatal(err)
		}
		if lost := checkRepaired(t, "repaired", image, values); lost != v.Lost {
			t.Errorf("of segments from %d on: %d entries are lost, verify said %d", first, lost, v.Lost)
		}
	}
}

// Damage to headers, or to entries that were truncated, costs none of the others. If there are none the log is empty.
func TestDamageBeforeTheFirstEntry(t *testing.T) {
	for what, damage := range map[string]func(data []byte){
		"no header":           func(data []byte) { clear(data[:recordsStart]) },
		"two entries flipped": func(data []byte) { data[recordsStart+16+9] ^= 1; data[recordsStart+5*16+9] ^= 1 },
	} {
		for _, first := range []uint64{8, 10} {
			log, disk := numbered(t, None, 3)
			must(t, log.Sync())
			mustAppend(t, log, "3", "4", "5", "6", "7", "8", "9")
			must(t, log.TruncatePrefix(first))
			image := disk.AfterKill()
			name := segmentsOn(t, image)[0]
			data := image.Bytes(name)
			damage(data)
			image.SetBytes(name, data)
			v, err := repairDir(image)
			told := what == "no header" && first < 10 // else nothing reads it
			if err != nil || len(v.Damage) > 0 != told || v.First != first || v.Next != 10 || v.Lost != 0 || len(v.Untold) > 0 {
				t.Errorf("%s: verify returned %+v, %v", what, v, err)
			}
			if again := openOn(t, image, None); again.First() != first || again.Next() != 10 {
				t.Errorf("%s: repaired log holds entries %d to %d", what, again.First(), again.Next())
			}
		}
	}
}

// A bit of a truncated entry is flipped in what a killed process leaves. It costs no
// other entry, nor those that were appended since and not flushed, in that segment or
// the ones behind.
func TestFlippedBitBeforeTheFirstEntry(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for _, before := range []int{5, 8, 40} {
			for _, first := range []uint64{3, 5} {
				for _, behind := range []int{0, 2, 40} {
					for entry := range first {
						what := fmt.Sprintf("%v: %d entries, from %d on, and %d more, damage to %d", durability, before, first, behind, entry)
						log, disk := numbered(t, durability, before)
						must(t, log.TruncatePrefix(first))
						for i := range behind {
							mustAppend(t, log, fmt.Sprint(before+i))
						}
						image := disk.AfterKill()
						name := segmentsOn(t, image)[0]
						image = flipped(image, name, 8*recordOn(t, image, name, entry)+8*valueAt+5)
						old := image.AfterKill()
						wantNoneLost(t, what, image, first, uint64(before+behind))
						m, _, err := readManifest(old)
						must(t, err)
						m.known = 0 // as it was before there was that number, or the disk full
						must(t, writeManifest(old, m))
						wantNoneLost(t, "nothing known, "+what, old, first, uint64(before+behind))
					}
				}
			}
		}
	}
}

// recordOn returns where the record of an entry is in a segment.
func recordOn(t *testing.T, disk *crashdisk.Disk, name string, entry uint64) int {
	t.Helper()
	s := loaded(t, disk, name)
	defer s.file.Close()
	sc := s.scan()
	for {
		r, ok, err := sc.step()
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if sc.next == entry+1 {
			return int(sc.at - r.record())
		}
	}
}

// wantNoneLost holds a damaged log to its entries, as it is and repaired.
func wantNoneLost(t *testing.T, what string, disk *crashdisk.Disk, first, next uint64) {
	t.Helper()
	read := first
	v, err := verify(disk, func(e Entry, err error) bool {
		if err == nil && (e.Index != read || string(e.Value) != fmt.Sprint(read)) {
			t.Errorf("%s: entry %d reads %q", what, e.Index, e.Value)
		}
		if err == nil {
			read++
		}
		return true
	})
	if err != nil || v.First != first || v.Next != next || v.Lost != 0 || read != next {
		t.Errorf("%s: %d entries are read, verify returned %+v, %v", what, read-first, v, err)
	}
	if _, err := repairDir(disk); err != nil {
		t.Errorf("%s: repair returned %v", what, err)
	}
	log := openOn(t, disk, None)
	if log.First() != first || log.Next() != next {
		t.Errorf("%s: repaired log holds entries %d to %d", what, log.First(), log.Next())
	}
	for i := first; i < log.Next(); i++ {
		if entry, err := log.Get(i); err != nil || string(entry.Value) != fmt.Sprint(i) {
			t.Errorf("%s: entry %d of the repaired log reads %q, %v", what, i, entry.Value, err)
		}
	}
}

// The first entry of a segment is damaged, and nothing says that it had been flushed: the
// log ends before it. A repair keeps a copy of what is intact behind.
func TestRepairKeepsASegmentWithoutItsFirstEntry(t *testing.T) {
	_, disk := numbered(t, None, 40)
	for _, name := range segmentsOn(t, disk) {
		base := baseOn(t, disk, name)
		image := flipped(disk, name, 8*recordOn(t, disk, name, base)+8*valueAt+5)
		data := image.Bytes(name)
		v, err := repairDir(image)
		if err != nil || v.Next != base || v.Tail.CutEntries != 39-base {
			t.Errorf("%s: repair returned %+v, %v", name, v, err)
		}
		if !bytes.Equal(image.Bytes(name+damagedSuffix), data) {
			t.Errorf("%s was not kept: %q", name, keptOn(t, image))
		}
		if log := openOn(t, image, None); log.Next() != base {
			t.Errorf("%s: repaired log ends at %d", name, log.Next())
		}
	}
}
