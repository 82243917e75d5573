package parallel

import (
	"slices"
	"testing"
)

// step lets a lane run n operations that take no time of their own.
func step(l *lane, n int) {
	l.left = uint64(n)
	for l.left > 0 {
		l.settle()
		l.deal()
	}
	l.settle()
}

func newLane(mean int64) (*window, *lane) {
	w := newWindow(1, 1, mean)
	w.start()
	return w, w.enter()
}

// An operation of 1.2 µs is timed each time.
func TestEachIsTimed(t *testing.T) {
	w, l := newLane(eachFrom)
	step(l, 1000)
	l.finish()
	l.leave()
	if n := w.close().hist.Count(); n != 1000 {
		t.Errorf("%d latencies of 1000 operations", n)
	}
	if !w.totals.each || w.totals.ops != 1000 || w.totals.goroutines != 1 {
		t.Errorf("%+v", w.totals.ops)
	}
}

// A shorter one in random gaps of the given mean.
func TestSamplesAreSpaced(t *testing.T) {
	w, l := newLane(1)
	const mean, n = 100, 1_000_000
	w.spacing.Store(mean)
	step(l, n)
	l.leave()
	if got := float64(n) / float64(w.close().hist.Count()); got < 0.95*mean || got > 1.05*(mean+1) {
		t.Errorf("a sample in %.1f operations, want %d", got, mean)
	}
}

func TestGapsAreRandom(t *testing.T) {
	l := lane{spacing: 100, random: 1}
	var gaps []uint64
	for range 10_000 {
		gaps = append(gaps, l.draw())
	}
	if low, high := slices.Min(gaps), slices.Max(gaps); low != 50 || high != 149 {
		t.Errorf("gaps from %d to %d", low, high)
	}
}

// All time from the first operation to the last is accounted for, to the
// nanosecond.
func TestNoTimeIsLost(t *testing.T) {
	for _, mean := range []int64{1, 500, eachFrom, -1} {
		_, l := newLane(mean)
		l.settle()
		begin := l.last
		step(l, 100_000)
		end := nanotime()
		l.finish()
		if l.recorded != l.last-begin || l.last < end {
			t.Errorf("mean %d: %d of %d ns recorded, %d behind", mean, l.recorded, l.last-begin, end-l.last)
		}
	}
}

// While nothing is known, operations are timed each; short ones no longer than
// it takes to see that, and what was timed so is dropped.
func TestDoubtEnds(t *testing.T) {
	w, l := newLane(-1)
	step(l, probation-1)
	if w.spacing.Load() != 0 || l.count+int(w.totals.hist.Count()) != probation-1 {
		t.Errorf("spacing %d after %d operations", w.spacing.Load(), l.ops)
	}
	w.totals.hist.RecordN(1, 1000) // of goroutines that were faster
	step(l, 4*widest)
	if w.spacing.Load() == 0 || w.doubt.Load() != 0 || w.generation.Load() < 1 {
		t.Errorf("spacing %d, doubt %d", w.spacing.Load(), w.doubt.Load())
	}
	l.leave()
	if n := w.close().hist.Count(); n > 3*probation {
		t.Errorf("%d latencies: those of the beginning were kept", n)
	}
}

func TestSpacing(t *testing.T) {
	w := &window{price: 60}
	for mean, want := range map[int64]int64{eachFrom: 0, eachFrom - 1: 5, 60: 100, 20: 300, 1: 6000, 0: widest} {
		if got := w.spacingFor(mean); got != want {
			t.Errorf("%d ns: spacing %d, want %d", mean, got, want)
		}
	}
}

// Where goroutines wait for each other, an operation takes a processor no longer.
func TestWaitsAreNoWork(t *testing.T) {
	for _, c := range []struct {
		goroutines, procs int
		want              int64
	}{{1, 2, 1000}, {2, 2, 1000}, {50, 2, 40}, {50, 1, 20}} {
		if got := newWindow(c.goroutines, c.procs, 1).share(1000); got != c.want {
			t.Errorf("%d goroutines, %d processors: %d ns, want %d", c.goroutines, c.procs, got, c.want)
		}
	}
	for goroutines, want := range map[int]int64{1: 2 * eachFrom, 3: 2 * eachFrom / 3} {
		l := newWindow(goroutines, 1, -1).enter()
		if got := l.working(2 * eachFrom); got != want {
			t.Errorf("%d goroutines: %d ns, want %d", goroutines, got, want)
		}
	}
}

// One operation that waited is no reason to time each.
func TestOneWait(t *testing.T) {
	w, l := newLane(-1)
	step(l, probation-1)
	l.before -= 1e9
	step(l, 2*probation)
	if w.spacing.Load() == 0 {
		t.Error("short operations are timed each because one waited")
	}
}

// A goroutine's time runs while the timer does, from its own start.
func TestTimer(t *testing.T) {
	w := newWindow(3, 3, eachFrom)
	before := w.enter() // with the timer off
	w.start()
	l := w.enter()
	step(l, 10)
	w.stop()
	stopped := w.read().timed
	if w.read().timed != stopped || stopped <= 0 {
		t.Errorf("the timer runs on: %d, %d", stopped, w.read().timed)
	}
	w.start()
	w.reset()
	if w.read().resets != 1 {
		t.Error("a reset was lost")
	}
	before.leave()
	l.leave()
	if got := w.close(); !got.blind || got.goroutineNS > 2*w.read().timed {
		t.Errorf("blind %v, %d ns of two goroutines in %d", got.blind, got.goroutineNS, w.read().timed)
	}
}

// A goroutine's time begins when it does, not with the timer.
func TestOwnStart(t *testing.T) {
	w := newWindow(1, 1, eachFrom)
	w.start()
	const long = 1e15
	w.timed += long
	w.enter().leave()
	if got := w.close().goroutineNS; got >= long {
		t.Errorf("%d ns, of which %.0f were before it started", got, float64(long))
	}
}

// A window whose timer never ran measured nothing.
func TestUntimedWindow(t *testing.T) {
	w := newWindow(1, 1, eachFrom)
	l := w.enter()
	step(l, 10)
	l.leave()
	var all totals
	all.add(w.close())
	if all.goroutines != 0 || all.hist.Count() != 0 {
		t.Errorf("%d goroutines, %d latencies", all.goroutines, all.hist.Count())
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

func figuresOf(t *totals, n int, wall int64) map[string]float64 {
	all := map[string]float64{}
	t.metrics(n, wall, func(v float64, unit string) { all[unit] = v })
	return all
}

func TestFigures(t *testing.T) {
	var w, all totals
	w.addGoroutine(3000, &lane{ops: 2})
	w.addGoroutine(5000, &lane{ops: 6})
	w.hist.RecordN(500, 1000)
	w.each = true
	all.add(&w)
	got := figuresOf(&all, 8, 5000)
	for unit, want := range map[string]float64{
		"ns/op": 1000, "wall-ns/op": 625, "ops/s": 1.6e6, "goroutines": 2, "p50-ns": 500, "p99-ns": 500, "slowest-share": 0.5, "fastest-share": 1.5,
	} {
		if got[unit] != want {
			t.Errorf("%s %v, want %v", unit, got[unit], want)
		}
	}
	all.resolution = 600
	if got := figuresOf(&all, 8, 5000); len(got) != 6 {
		t.Errorf("quantiles below a reading of the clock: %v", got)
	}
	all.resolution = 0
	w.each = false
	all.add(&w) // timed in another way
	if got := figuresOf(&all, 8, 5000); len(got) != 6 || !all.blind {
		t.Errorf("quantiles of two ways to time: %v", got)
	}
}
