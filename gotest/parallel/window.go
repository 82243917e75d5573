package parallel

import (
	"sync"
	"sync/atomic"
)

// A window is one run of a parallel body: its goroutines and what they saw.
type window struct {
	lanes   []lane
	entered atomic.Int64
	procs   int   // that the goroutines share
	cost    int64 // ns that an empty sample reads; taken off every latency
	price   int64 // ns that taking a sample takes

	spacing    atomic.Int64 // mean gap between samples; 0: every operation is timed
	generation atomic.Int64 // counts changes of spacing
	doubt      atomic.Int64 // operations a goroutine must have seen to say what one takes; 0: it is known

	mu     sync.Mutex
	totals totals

	// The benchmark's timer as seen from here.
	on      bool
	since   int64 // when it was last started
	timed   int64 // ns it ran before that
	resets  int
	stopped bool // it was off at some time: latencies may hold time that is not timed
}

// A reading is the state of a window's timer at one moment.
type reading struct {
	timed  int64
	resets int
}

// newWindow prepares a window for so many goroutines on so many processors. mean is
// how long one operation took a processor before, in nanoseconds; negative if that
// is not known.
func newWindow(goroutines, procs int, mean int64) *window {
	w := &window{lanes: make([]lane, goroutines), procs: procs}
	w.calibrate()
	if mean >= 0 {
		w.spacing.Store(w.spacingFor(mean))
	} else {
		w.doubt.Store(probation)
	}
	return w
}

// spacingFor is how many operations of so many nanoseconds lie between two
// samples, on average: so many that samples take 1 % of the time. From about 50
// ns on that is more than 1 in 128.
func (w *window) spacingFor(mean int64) int64 {
	if mean >= eachFrom {
		return 0
	}
	if mean == 0 {
		return widest
	}
	return max(1, min(widest, 100*w.price/mean))
}

// share is what a processor has had for an operation, of the time that it took a
// goroutine.
func (w *window) share(ns int64) int64 {
	return ns * int64(min(w.procs, len(w.lanes))) / int64(len(w.lanes))
}

// calibrate takes samples of operations that do nothing, with a few more between
// them. For what a sample reads those have loops in them, as real ones have:
// without, the processor would have learnt every branch on the way to the clock
// by heart. It takes about 50 µs.
func (w *window) calibrate() {
	const samples = held - 1 // one more would hand them over
	_, took := w.probe(samples, 0)
	w.price = max(1, took/samples)
	latencies, _ := w.probe(samples, 64)
	w.cost = usual(latencies[:samples])
}

// probe takes so many samples, and the time that all operations took together.
func (w *window) probe(samples int, steps uint64) (latencies [held]int64, took int64) {
	l := lane{window: w, spacing: 8, left: 1 << 20, random: 1, last: nanotime()}
	begin, cache, x := l.last, uint64(0), uint64(1)
	for l.count < samples {
		if cache == 0 {
			cache = l.ask()
		}
		cache--
		n := steps
		if l.timing {
			n = 0
		}
		x = walk(x, n)
	}
	return l.latencies, l.last - begin
}

// walk is n steps that each wait for the one before (xorshift64).
//
//go:noinline
func walk(x, n uint64) uint64 {
	for ; n > 0; n-- {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// ask is the slow path of Next with operations at hand, as far from its caller.
//
//go:noinline
func (l *lane) ask() uint64 {
	l.settle()
	return l.deal()
}

// usual is the mean of those latencies that are not above twice the median: the
// others were interrupted.
func usual(latencies []int64) int64 {
	limit := 2 * median(latencies)
	var sum, n int64
	for _, ns := range latencies {
		if ns <= limit {
			sum += ns
			n++
		}
	}
	return (sum + n/2) / n
}

// median is the lower one of an even number. It is for few values: it compares
// each with all, and needs no other package.
func median(values []int64) int64 {
	for _, candidate := range values {
		below, above := 0, 0
		for _, v := range values {
			if v < candidate {
				below++
			} else if v > candidate {
				above++
			}
		}
		if half := len(values) / 2; below <= (len(values)-1)/2 && above <= half {
			return candidate
		}
	}
	return 0
}

// enter gives the calling goroutine its lane.
func (w *window) enter() *lane {
	i := w.entered.Add(1) - 1
	var l *lane
	if i < int64(len(w.lanes)) {
		l = &w.lanes[i]
	} else {
		l = new(lane)
	}
	l.window = w
	l.begin = w.read()
	l.random = uint64(nanotime())*0x9e3779b97f4a7c15 ^ uint64(i+1)<<40 | 1
	return l
}

// decide sets the spacing for operations of mean nanoseconds, as one goroutine
// saw them. What was seen while each was timed holds the price of that, so short
// operations are looked at once more.
func (w *window) decide(mean int64, seen uint64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	doubt := w.doubt.Load()
	if doubt == 0 || seen < uint64(doubt) {
		return
	}
	w.doubt.Store(0)
	if w.spacing.Load() == 0 {
		mean -= min(mean, w.price)
		if mean < eachFrom && doubt == probation {
			w.doubt.Store(probation * probation)
		}
	}
	if s := w.spacingFor(mean); s != w.spacing.Load() {
		w.totals.hist.Reset()
		w.spacing.Store(s)
		w.generation.Add(1)
	}
}

// take empties the lane's latencies into the histogram.
func (w *window) take(l *lane) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.takeLocked(l)
}

func (w *window) takeLocked(l *lane) {
	if l.generation == w.generation.Load() {
		for _, ns := range l.latencies[:l.count] {
			w.totals.hist.Record(ns - w.cost)
		}
	}
	l.count = 0
}

// leave takes a lane whose goroutine is done.
func (w *window) leave(l *lane, end reading) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.takeLocked(l)
	timed := end.timed
	if end.resets == l.begin.resets {
		timed -= l.begin.timed
	}
	w.totals.addGoroutine(timed, l)
}

// read is the timer's state now.
func (w *window) read() reading {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := reading{w.timed, w.resets}
	if w.on {
		r.timed += nanotime() - w.since
	}
	return r
}

// start, stop and reset follow the benchmark's timer.
func (w *window) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.on {
		w.on, w.since = true, nanotime()
	}
}

func (w *window) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on {
		w.timed += nanotime() - w.since
		w.on, w.stopped = false, true
	}
}

func (w *window) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timed, w.since = 0, nanotime()
	w.resets++
}

// close is what the goroutines saw, all of whom have left. It has no goroutines
// if the timer never ran.
func (w *window) close() *totals {
	t := &w.totals
	if t.goroutineNS == 0 {
		return new(totals)
	}
	t.each = w.spacing.Load() == 0
	t.resolution = w.cost
	t.blind = w.stopped
	return t
}
