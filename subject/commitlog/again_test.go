package commitlog

import (
	"fmt"
	"slices"
	"testing"
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
