package parallel

import "testing"

// A clock of one's own: each reading takes so many nanoseconds, and shows whole
// steps.
type virtual struct {
	ns            int64
	reading, step int64
	readings      int
}

func (c *virtual) now() int64 {
	c.readings++
	c.ns += c.reading
	return c.ns / c.step * c.step
}

func windowAt(c *virtual, goroutines, procs int, mean int64) *window {
	w := &window{lanes: make([]lane, goroutines), procs: procs, clock: c.now}
	w.prepare(mean)
	c.readings = 0
	return w
}

// The floor is twice the clock's step, or twice what a reading takes if that is
// more.
func TestClockFloor(t *testing.T) {
	for _, c := range []struct{ reading, step, want int64 }{
		{20, 1, 40}, {25, 25, 50}, {20, 100, 200}, {1, 15_000, 30_000}, {41, 1, 82},
	} {
		if got := windowAt(&virtual{reading: c.reading, step: c.step}, 1, 1, 0).floor; got != c.want {
			t.Errorf("a reading of %d ns in steps of %d: floor %d, want %d", c.reading, c.step, got, c.want)
		}
	}
}

// Whatever clock there is, latencies of no length are not told.
func TestFloorOfTheRealClock(t *testing.T) {
	w := newWindow(1, 1, eachFrom)
	if w.floor < 2 || w.floor < 2*w.cost {
		t.Errorf("floor %d ns where a reading takes %d", w.floor, w.cost)
	}
}

func TestUsualLeavesOutInterruptions(t *testing.T) {
	for _, c := range []struct {
		ns   []int64
		want int64
	}{{[]int64{20, 30, 20, 30, 9000}, 25}, {[]int64{7}, 7}, {[]int64{0, 0, 0, 10, 10}, 0}, {[]int64{10, 50, 50, 50, 60}, 44}, {[]int64{4, 8}, 6}} {
		if got := usual(c.ns); got != c.want {
			t.Errorf("%d: %d, want %d", c.ns, got, c.want)
		}
	}
}
