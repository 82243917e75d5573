package commitlog

import (
	"bytes"
	"testing"
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

// What damage has left of a log ends before its first entry: the log is empty then, and
// goes on there.
func TestDamageBeforeTheFirstEntry(t *testing.T) {
	for what, damage := range map[string]func(data []byte){
		"no header":           func(data []byte) { clear(data[:recordsStart]) },
		"two entries flipped": func(data []byte) { data[recordsStart+16+9] ^= 1; data[recordsStart+markSize+5*16+9] ^= 1 },
	} {
		log, disk := numbered(t, None, 3)
		must(t, log.Sync())
		mustAppend(t, log, "3", "4", "5", "6", "7", "8", "9")
		must(t, log.TruncatePrefix(8))
		image := disk.AfterKill()
		name := segmentsOn(t, image)[0]
		data := image.Bytes(name)
		damage(data)
		image.SetBytes(name, data)
		v, err := repairDir(image)
		if err != nil || len(v.Damage) == 0 || v.First != 8 || v.Next != 8 || v.Lost != 0 {
			t.Errorf("%s: verify returned %+v, %v", what, v, err)
		}
		if again := openOn(t, image, None); again.First() != 8 || again.Next() != 8 {
			t.Errorf("%s: repaired log holds entries %d to %d", what, again.First(), again.Next())
		}
	}
}

// A power cut undoes that the first segment was removed, and takes the name of the one
// that the log begins with: nothing in it was promised. What is behind it is cut off,
// and a repair keeps a copy.
func TestFirstSegmentIsGone(t *testing.T) {
	for _, c := range []struct{ repaired, known bool }{{false, false}, {true, false}} {
		log, disk := numbered(t, None, 60)
		segments := segmentsOn(t, disk)
		disk = disk.AfterKill()
		for _, name := range segments[1:4] {
			must(t, disk.Remove(name))
		}
		first, _ := baseOf(segments[3])
		m := manifest{id: log.view.Load().manifest.id, first: first, limit: unlimited}
		if c.known {
			m.known = first
		}
		must(t, writeManifest(disk, m))
		behind := disk.Bytes(segments[4])
		v, err := verify(disk, func(Entry, error) bool { return true })
		if err != nil || len(v.Damage) > 0 || !v.Opens || v.Next != first || v.Tail.CutEntries == 0 {
			t.Fatalf("verify returned %+v, %v", v, err)
		}
		if c.repaired {
			_, err := repairDir(disk)
			must(t, err)
			if !bytes.Equal(disk.Bytes(segments[4]+damagedSuffix), behind) {
				t.Errorf("%s was not kept: %q", segments[4], keptOn(t, disk))
			}
		}
		again := openOn(t, disk, None)
		if again.First() != first || again.Next() != first {
			t.Errorf("log holds entries %d to %d", again.First(), again.Next())
		}
		mustAppend(t, again, "next")
		must(t, again.Close())
	}
}
