package harness

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

func TestFloor(t *testing.T) {
	for _, c := range []struct{ reading, step, want results.Number }{{25, 1, 50}, {25, 100, 200}} {
		if got := floorOf(c.reading, c.step); got != c.want {
			t.Errorf("a reading of %v and a step of %v: %v, want %v", c.reading, c.step, got, c.want)
		}
	}
}

func TestClockStep(t *testing.T) {
	for _, c := range []struct{ cost, step int64 }{{25, 1}, {25, 10}, {40, 40}, {3, 100}, {25, 15_625_000}} {
		now := int64(1_700_000_000)
		read := func() int64 { now += c.cost; return now / c.step * c.step }
		if c.step == 15_625_000 {
			read = func() int64 { now += 4 * c.step; return now }
		}
		got := clockStep(read)
		if c.step < 1_000_000 && got%c.step != 0 || got == 0 {
			t.Errorf("step %d, reading %d: found %d", c.step, c.cost, got)
		}
	}
	if got := clockStep(func() int64 { return 7 }); got != 0 {
		t.Errorf("a clock that stands still has steps of %d", got)
	}
}
