package commitlog

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What a repair cuts off the end of the last segment is kept beside it, also where there is
// damage elsewhere.
func TestRepairKeepsWhatItCutsOff(t *testing.T) {
	live := filepath.Join(t.TempDir(), "live")
	log, err := OpenFile(live, FileOptions{SegmentSize: 4096})
	must(t, err)
	defer log.Close()
	for i := range 50 {
		_, err := log.Append(noise(i, 100))
		must(t, err)
	}
	log.keep() // seals the first segment
	dir := copied(t, live)
	spot{0, recordsStart + 50}.flip(t, dir)
	spot{1, recordsStart + 2*recordSize(100) + 50}.flip(t, dir)
	v, err := Repair(dir)
	must(t, err)
	kept, err := os.ReadFile(filepath.Join(dir, segmentName(1)+damagedSuffix))
	if v.Tail.CutEntries == 0 || err != nil || !bytes.Contains(kept, noise(49, 100)) {
		t.Errorf("%d entries were cut off; kept: %v", v.Tail.CutEntries, err)
	}
}

// An entry that is missing at the end, behind records that are all intact, is told as damage to
// whoever salvages the log, too.
func TestSalvageTellsOfAHoleAtTheEnd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096})
	must(t, err)
	for i := range 4 {
		_, err := log.Append(noise(i, 1300))
		must(t, err)
	}
	must(t, log.TruncateSuffix(3))
	mustAppend(t, log, "in a file of its own")
	must(t, log.Close())
	must(t, os.Remove(filepath.Join(dir, segmentName(2))))
	must(t, os.Truncate(filepath.Join(dir, segmentName(0)), recordsStart+3*recordSize(1300)))
	entries, damage := 0, 0
	for _, err := range Salvage(dir) {
		if err != nil {
			damage++
		} else {
			entries++
		}
	}
	if entries != 3 || damage == 0 {
		t.Errorf("%d entries and %d times damage", entries, damage)
	}
}

// A log without damage, of which nothing that is intact is cut off, gets no files beside it by a repair.
func TestRepairKeepsNothingWithoutEntries(t *testing.T) {
	live := filepath.Join(t.TempDir(), "live")
	log, err := OpenFile(live, FileOptions{SegmentSize: 4096})
	must(t, err)
	defer log.Close()
	for range 4 { // the fourth stands alone in the second segment
		must(t, appendNext(log))
	}
	dir := copied(t, live)
	spot{1, recordsStart + 50}.flip(t, dir)
	v, err := Repair(dir)
	must(t, err)
	if kept, err := filepath.Glob(filepath.Join(dir, "*"+damagedSuffix)); len(v.Damage) > 0 || len(kept) > 0 || err != nil {
		t.Errorf("damage %v; kept %q (%v)", v.Damage, kept, err)
	}
	if n := salvaged(t, dir); n != 3 {
		t.Errorf("%d entries", n)
	}
}
