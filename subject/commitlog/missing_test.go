package commitlog

import "testing"

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
