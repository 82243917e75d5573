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

func TestSpacing(t *testing.T) {
	w := &window{price: 60}
	for mean, want := range map[int64]int64{eachFrom: 0, eachFrom - 1: 5, 60: 100, 20: 300, 1: 6000, 0: widest} {
		if got := w.spacingFor(mean); got != want {
			t.Errorf("%d ns: spacing %d, want %d", mean, got, want)
		}
	}
}

// A goroutine's time runs while the timer does, from its own start.
func TestTimer(t *testing.T) {
	w := newWindow(3, 3, eachFrom)
	before := w.enter() // with the timer off
	w.start()
	l := w.enter()
	step(l, 10)
	w.stop(1000)
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
	if got := w.close(); !got.blind || got.goroutines != 2 || got.goroutineNS > 2*w.read().timed {
		t.Errorf("blind %v, %d ns of two goroutines in %d", got.blind, got.goroutineNS, w.read().timed)
	}
}

// What was timed is what the timer says of itself at each stop, to the nanosecond: neither what telling of
// it took, nor what it had run before the window, or before a reset.
func TestTimedIsWhatTheTimerSays(t *testing.T) {
	c := &virtual{reading: 30, step: 1}
	w := windowAt(c, 1, 1, eachFrom)
	w.before = 5000
	ran := w.before
	lasts := func(ns int64) {
		w.start()
		c.ns += ns
		ran += ns
		w.stop(ran)
		c.ns += 1_000_000
	}
	l := w.enter()
	for range 10 {
		lasts(100)
	}
	if got := w.read().timed; got != 1000 || c.readings != 10 {
		t.Errorf("%d ns timed, want 1000; the clock was read %d times, want one of each start", got, c.readings)
	}
	w.reset()
	ran = 0
	lasts(70)
	l.leave()
	if got := w.close().goroutineNS; got != 70 {
		t.Errorf("%d ns behind a reset, want 70", got)
	}
}

// A reset takes off all that a goroutine ran before it, also where it had left by then.
func TestResetDiscardsWhoHasLeft(t *testing.T) {
	c := &virtual{reading: 30, step: 1}
	w := windowAt(c, 2, 2, eachFrom)
	prepares, works := w.enter(), w.enter()
	w.start()
	c.ns += 1_000_000
	prepares.leave()
	w.reset()
	c.ns += 1000
	w.stop(1000)
	works.leave()
	if got := w.close(); got.goroutineNS != 1000 || got.goroutines != 2 {
		t.Errorf("%d ns of %d goroutines, want 1000 of 2", got.goroutineNS, got.goroutines)
	}
}

// Who begins while the timer starts has run for no less than nothing.
func TestNoTimeBelowNone(t *testing.T) {
	c := &virtual{reading: 30, step: 1}
	w := windowAt(c, 1, 1, eachFrom)
	w.start()
	l := w.enter()
	w.stop(10)
	l.leave()
	if got := w.close().goroutineNS; got != 0 {
		t.Errorf("%d ns", got)
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

// A reset in a parallel body discards what was measured before it, also what other
// goroutines still hold.
func TestResetDiscardsLatencies(t *testing.T) {
	now := int64(1)
	w := newWindow(2, 2, eachFrom)
	w.clock = func() int64 { return now }
	w.start()
	a, b := w.enter(), w.enter()
	slow, fast := int64(20_000_000), int64(1_000_000)
	do := func(l *lane, ns int64) {
		l.settle()
		l.left++
		l.deal()
		now += ns
	}
	for range 70 { // more than a goroutine holds
		do(a, slow)
		do(b, slow)
	}
	w.reset()
	for range 100 {
		do(a, fast)
		do(b, fast)
	}
	for _, l := range []*lane{a, b} {
		l.settle()
		l.finish()
		l.leave()
	}
	h := w.close().hist
	if h.Count() < 100 || h.Max() >= slow {
		t.Errorf("%d latencies behind a reset, up to %d ns; want none of %d", h.Count(), h.Max(), slow)
	}
}

// What had passed before the last reset is known, of goroutines that have asked for more since and of
// those that have not. The operation that was under way may have passed, too.
func TestPassedBeforeReset(t *testing.T) {
	w := newWindow(3, 3, eachFrom)
	w.start()
	run := func(l *lane, n int) {
		for ; n > 0; n-- {
			l.left = 1
			l.asks()
			l.settle()
			l.begins()
			l.deal()
		}
	}
	goes, ends, comes := w.enter(), w.enter(), w.enter()
	run(goes, 10)
	run(ends, 5)
	w.reset()
	run(goes, 10)
	run(comes, 10)
	for _, l := range []*lane{goes, ends, comes} {
		l.leave()
	}
	if got := w.close().early; got != 10+5 {
		t.Errorf("%d operations, want 15", got)
	}
	if w.mistimed.Load() {
		t.Error("the timer was never off")
	}
}

// No operation took longer than the longest stretch: not the last one of a goroutine either, whether
// it asks for another one or leaves. What lies before a reset is in no stretch.
func TestLongestStretch(t *testing.T) {
	const long = 1_000_000
	deal := func(l *lane, n uint64) {
		l.asks()
		l.settle()
		l.left = n
		l.begins()
		for l.left > 0 {
			l.deal()
		}
	}
	asks := func(l *lane) {
		l.asks()
		l.settle()
		l.finish()
	}
	for name, c := range map[string]struct {
		work func(c *virtual, w *window, l *lane)
		want int64 // and at most 1,000 ns more, of readings
	}{
		"asks for another": {func(c *virtual, _ *window, l *lane) { deal(l, 1); c.ns += long; asks(l) }, long},
		"leaves":           {func(c *virtual, _ *window, l *lane) { deal(l, 1); c.ns += long }, long},
		"reset behind": {func(c *virtual, w *window, l *lane) {
			deal(l, 1)
			c.ns += long
			w.reset()
			c.ns += long / 10
			asks(l)
		}, long / 10},
		"leaves behind a reset": {func(c *virtual, w *window, l *lane) {
			deal(l, 1)
			c.ns += long
			w.reset()
			c.ns += long / 10
		}, long / 10},
		"done before a reset": {func(c *virtual, w *window, l *lane) { deal(l, 1); c.ns += long; asks(l); w.reset() }, 0},
		"begins behind it":    {func(c *virtual, w *window, l *lane) { c.ns += long; w.reset(); deal(l, 1); c.ns += 100; asks(l) }, 100},
	} {
		for _, mean := range []int64{10, eachFrom, -1} {
			clock := &virtual{reading: 30, step: 1}
			w := windowAt(clock, 1, 1, mean)
			w.start()
			l := w.enter()
			c.work(clock, w, l)
			l.leave()
			if got := w.close().longestNS; got < c.want || got > c.want+1000 {
				t.Errorf("%s, mean %d: %d ns, want %d", name, mean, got, c.want)
			}
		}
	}
}
