package parallel

import "testing"

// run lets a lane do n operations on a virtual clock, the i-th of which takes
// takes(i). Operations are acquired in grains, as a benchmark does.
func run(c *virtual, l *lane, n, grain int, takes func(i int) int64) {
	for i := 0; i < n; {
		l.left = uint64(min(grain, n-i))
		for l.settle(); l.left > 0; l.settle() {
			for range l.deal() {
				c.ns += takes(i)
				i++
			}
		}
	}
	l.finish()
	l.leave()
}

func always(ns int64) func(int) int64 { return func(int) int64 { return ns } }

func doubtful(c *virtual, goroutines, procs int) (*window, *lane) {
	w := windowAt(c, goroutines, procs, -1)
	w.start()
	return w, w.enter()
}

// A few short operations are not timed by themselves: the readings would be most
// of what is measured. Their time as a whole is there, to the nanosecond.
func TestFewShortOperationsAreTimedAsAWhole(t *testing.T) {
	for n, most := range map[int]int{50: 6, 100: 7, 500: 8} {
		for _, grain := range []int{1, 7, 1000} {
			c := &virtual{reading: 30, step: 1}
			w, l := doubtful(c, 2, 2)
			c.readings = 0
			run(c, l, n, grain, always(10))
			if c.readings > most {
				t.Errorf("%d operations by %d: the clock was read %d times, want %d at most", n, grain, c.readings, most)
			}
			got := w.close()
			if want := int64(10*n + 30*c.readings); got.goroutineNS != want {
				t.Errorf("%d operations by %d: %d ns, want %d", n, grain, got.goroutineNS, want)
			}
			if v := figuresOf(got, n, got.goroutineNS); v["p50-ns"] != 0 || got.each {
				t.Errorf("%d operations by %d: %v", n, grain, v)
			}
		}
	}
}

// What one operation took in the run before is enough to time none by itself.
func TestKnownToBeShort(t *testing.T) {
	c := &virtual{reading: 30, step: 1}
	w := windowAt(c, 1, 1, -1)
	w.short = true
	w.start()
	l := w.enter()
	c.readings = 0
	run(c, l, 50, 50, always(10))
	if c.readings != 3 || w.close().hist.Count() != 0 { // its first, its last and its goroutine's end
		t.Errorf("the clock was read %d times", c.readings)
	}
}

// Long operations are timed each, from the first on.
func TestLongOperationsAreTimedEach(t *testing.T) {
	for _, n := range []int{1, 20, 63, 64, 65, 1000} {
		c := &virtual{reading: 30, step: 1}
		w, l := doubtful(c, 1, 1)
		run(c, l, n, 10, always(2000))
		if got := w.close(); !got.each || got.hist.Count() != uint64(n) {
			t.Errorf("%d operations: %d timed, each: %v", n, got.hist.Count(), got.each)
		}
	}
}

// Doubt ends when a goroutine has seen enough, and what was timed before is
// dropped: short operations are sampled then, at 1 % of the time.
func TestDoubtEnds(t *testing.T) {
	c := &virtual{reading: 30, step: 1}
	w, l := doubtful(c, 1, 1)
	w.totals.hist.RecordN(1, 1000) // of goroutines that were faster
	run(c, l, 1_000_000, 1000, always(20))
	got := w.close()
	if w.doubt.Load() || got.each || got.hist.Count() == 0 || got.hist.Count() > 10_000 {
		t.Errorf("doubt %v, %d timed", w.doubt.Load(), got.hist.Count())
	}
	if got.hist.Min() < 20 {
		t.Error("latencies of the beginning were kept")
	}
	if over := got.goroutineNS - 20_000_000; over > 20_000_000/50 {
		t.Errorf("sampling took %d ns of %d", over, 20_000_000)
	}
}

// Operations that are long at first alone, since they open something, are sampled from then on:
// timed each, short ones would be told several times as long as they are.
func TestSlowFirstOnes(t *testing.T) {
	for _, slow := range []int{64, 100, 1000, 20_000} {
		c := &virtual{reading: 30, step: 1}
		w, l := doubtful(c, 1, 1)
		run(c, l, 1_000_000, 1000, func(i int) int64 {
			if i < slow {
				return 20_000
			}
			return 200
		})
		got := w.close()
		if w.spacing.Load() == 0 || got.each || got.hist.Count() == 0 || got.hist.Count() > 100_000 {
			t.Errorf("%d slow ones: spacing %d, %d timed", slow, w.spacing.Load(), got.hist.Count())
		}
		got.blind = false
		told := map[string]bool{}
		got.metrics(1_000_000, 1e9, 0, func(_ float64, unit string) { told[unit] = true })
		if want := slow < 5000; told["p99-ns"] != want || !told["p50-ns"] {
			t.Errorf("%d slow ones: told %v", slow, told)
		}
		own := int64(slow)*20_000 + int64(1_000_000-slow)*200
		if over := got.goroutineNS - own; over > own/20 {
			t.Errorf("%d slow ones: timing took %d ns of %d", slow, over, own)
		}
	}
}

// Operations that turn out long after a short one are timed each again; the few
// that were not are no part of the sample.
func TestFirstOneShort(t *testing.T) {
	c := &virtual{reading: 30, step: 1}
	w, l := doubtful(c, 1, 1)
	run(c, l, 1000, 10, func(i int) int64 {
		if i == 0 {
			return 10
		}
		return 5000
	})
	got := w.close()
	if w.spacing.Load() != 0 || got.each || got.hist.Count() < 900 || got.hist.Min() < 4900 {
		t.Errorf("spacing %d, %d timed, shortest %d", w.spacing.Load(), got.hist.Count(), got.hist.Min())
	}
}

// A wait is no reason to time each: the first operation's, one that came later,
// or those of a crowd of goroutines that mostly wait for each other, also where
// GOMAXPROCS is more than there are processors.
func TestWaitsAreNoReason(t *testing.T) {
	for name, c := range map[string]struct {
		goroutines, procs int
		takes             func(i int) int64
	}{
		"cold":  {1, 1, func(i int) int64 { return map[bool]int64{true: 1e6, false: 5}[i == 0] }},
		"later": {1, 1, func(i int) int64 { return map[bool]int64{true: 1e9, false: 5}[i == 40] }},
		"crowd": {200, 2, func(i int) int64 { return map[bool]int64{true: 1e6, false: 5}[i%16 == 0] }},
		"more":  {6400, 2, func(i int) int64 { return map[bool]int64{true: 5e7, false: 5}[i%16 == 0] }},
	} {
		clock := &virtual{reading: 30, step: 1}
		w, l := doubtful(clock, c.goroutines, c.procs)
		run(clock, l, 100_000, 1000, c.takes)
		if got := w.close(); got.each || got.hist.Count() > 1000 {
			t.Errorf("%s: %d of 100000 operations timed", name, got.hist.Count())
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
		l.settle()
		if got := l.working(2 * eachFrom); got != want {
			t.Errorf("%d goroutines: %d ns, want %d", goroutines, got, want)
		}
	}
}

// While one goroutine timed its operations by the batch, those that another one
// timed each are the long ones among all: they are no sample.
func TestUnfairSampleIsDropped(t *testing.T) {
	c := &virtual{reading: 30, step: 1}
	w, long := doubtful(c, 2, 2)
	short := w.enter()
	run(c, long, 50, 50, always(5000))
	run(c, short, 50, 50, always(10))
	if got := w.close(); got.hist.Count() != 0 || got.each || got.ops != 100 {
		t.Errorf("%d of %d operations timed, each: %v", got.hist.Count(), got.ops, got.each)
	}
}
