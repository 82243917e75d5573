package commitlog

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A crash has left a segment without its name, and then it is damaged: one repair mends
// it, and keeps one copy of what was there.
func TestRepairOfASegmentWithoutItsName(t *testing.T) {
	disk, values := diskWith(t, Always, 24)
	for _, name := range segmentsOn(t, disk) {
		image := flipped(disk, name, 8*(recordsStart+recordHeaderSize))
		must(t, image.Rename(name, name+againSuffix))
		v, err := repairDir(image)
		if err != nil || len(v.Damage) != 1 {
			t.Fatalf("%s: repair returned %+v, %v", name, v, err)
		}
		if lost := checkRepaired(t, name, image, values); lost != v.Lost {
			t.Errorf("%s: %d entries are lost, verify said %d", name, lost, v.Lost)
		}
		if kept := keptOn(t, image); !slices.Equal(kept, []string{name + damagedSuffix}) {
			t.Errorf("%s: the repair kept %q", name, kept)
		}
	}
}

// So it is with one whose name another segment has got meanwhile.
func TestRepairOfASegmentWhoseNameAnotherHas(t *testing.T) {
	disk, values := diskWith(t, Always, 24)
	segments := segmentsOn(t, disk)
	for _, name := range segments[1:] {
		image := flipped(disk, segments[0], 8*(recordsStart+recordHeaderSize))
		must(t, image.Rename(segments[0], segments[0]+againSuffix))
		must(t, image.Rename(name, segments[0]))
		if _, err := repairDir(image); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if lost := checkRepaired(t, fmt.Sprint(name, " misnamed"), image, values); lost != 1 {
			t.Errorf("%s: %d entries are lost", name, lost)
		}
	}
}

// A repair beside an open log whose entries are being cut off says that it is open, not
// that there is none.
func TestRepairBesideATruncationIsLocked(t *testing.T) {
	d := crashdisk.New()
	log, err := openDir(d, FileOptions{SegmentSize: 256, alone: true})
	must(t, err)
	defer log.Close()
	for range 10 {
		_, err := log.Append(make([]byte, 40))
		must(t, err)
	}
	done := false
	d.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Open && c.Name != segmentName(0) && c.Name != manifestName && !done {
			done = true
			must(t, log.TruncateSuffix(1))
		}
		return crashdisk.Fault{}
	})
	if _, err := repairDir(d); !errors.Is(err, ErrLocked) {
		t.Errorf("repair returned %v", err)
	}
}
