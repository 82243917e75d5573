package commitlog

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A segment that does not tell its base has entries that the one before has, too: so that one was cut before,
// whatever else that said is gone, and also if the first entry is damaged, where the manifest is lost.
func TestCutThatOverlappingEntriesTell(t *testing.T) {
	zeroed := func(image *crashdisk.Disk, name string, from, to int) {
		data := image.Bytes(name)
		clear(data[from:to])
		image.SetBytes(name, data)
	}
	firstRecord := recordsStart + int(recordSize(1))
	for _, c := range []struct {
		what   string
		again  bool // the manifest has another cut by now
		lost   uint64
		damage func(image *crashdisk.Disk, names []string)
	}{
		{"header and first record, no manifest", false, 1, func(image *crashdisk.Disk, names []string) {
			zeroed(image, names[1], 0, firstRecord)
			must(t, image.Remove(manifestName))
		}},
		{"header and first head, no manifest", false, 1, func(image *crashdisk.Disk, names []string) {
			zeroed(image, names[1], 0, recordsStart+sumSize+1)
			must(t, image.Remove(manifestName))
		}},
		{"header", true, 0, func(image *crashdisk.Disk, names []string) {
			zeroed(image, names[1], 0, recordsStart)
		}},
	} {
		log, disk := numbered(t, Always, 9)
		must(t, log.TruncateSuffix(3))
		want := []string{"0", "1", "2", "d", "e", "f", "g", "h", "i"}
		mustAppend(t, log, want[3:]...)
		if c.again {
			must(t, log.TruncateSuffix(8))
			mustAppend(t, log, want[8])
		}
		image := disk.AfterKill()
		c.damage(image, segmentsOn(t, image))
		wantAllBut(t, c.what, image, want, 3, c.lost)
		if _, err := repairDir(image); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		wantAllBut(t, c.what+", repaired", image, want, 3, c.lost)
	}
}

// Heads of damaged records tell of no cut where no intact entry does: spaces in place of the first record are heads
// of twelve, which the segment before has.
func TestDamagedHeadsTellOfNoCut(t *testing.T) {
	disk := crashdisk.New()
	log, err := openDir(disk, FileOptions{Durability: Always, SegmentSize: 8192, alone: true})
	must(t, err)
	var want []string
	for i := range 230 {
		want = append(want, fmt.Sprintf("%078d", i))
		mustAppend(t, log, want[i])
	}
	must(t, log.Close())
	image, name := disk.AfterKill(), segmentName(2) // the last one, which has no trailer
	first := int(baseOn(t, image, name))
	data := image.Bytes(name)
	copy(data, bytes.Repeat([]byte(" "), recordsStart+int(recordSize(78))))
	image.SetBytes(name, data)
	wantAllBut(t, "spaces", image, want, first, 1)
}

// wantAllBut holds a log to its values, of which so many from an index on are lost.
func wantAllBut(t *testing.T, what string, disk *crashdisk.Disk, want []string, from int, lost uint64) {
	t.Helper()
	shown := 0
	v, err := verify(disk, func(e Entry, err error) bool {
		if err == nil {
			if shown++; int(e.Index) >= len(want) || string(e.Value) != want[e.Index] || int(e.Index) >= from && int(e.Index) < from+int(lost) {
				t.Errorf("%s: entry %d is %q", what, e.Index, e.Value)
			}
		}
		return true
	})
	if err != nil || v.First != 0 || int(v.Next) != len(want) || v.Lost != lost || shown != len(want)-int(lost) {
		t.Errorf("%s: %d entries are shown, %+v, %v", what, shown, v, err)
	}
}

// Where there is damage, a file that is cut off with bytes in it that tell no entry is kept: one can be intact that
// stands alone.
func TestBytesThatTellNothingAreKept(t *testing.T) {
	log, disk := numbered(t, None, 19)
	must(t, log.TruncateSuffix(18))
	mustAppend(t, log, "18", "one that stands alone")
	must(t, log.TruncatePrefix(18))
	must(t, log.Close())
	names := segmentsOn(t, disk)
	name := names[len(names)-1]
	image := struck(disk, name, 0, recordsStart+int(recordSize(2)))
	must(t, image.Remove(manifestName))
	_, err := repairDir(image)
	must(t, err)
	if !holds(t, image, []byte("one that stands alone")) {
		names, _ := image.Names()
		t.Errorf("%q have nothing of it", names)
	}
}
