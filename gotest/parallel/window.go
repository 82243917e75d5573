package parallel

import (
	"sync"
	"sync/atomic"
)

// A window is one run of a parallel body: its goroutines and what they saw.
type window struct {
	lanes   []lane
	entered atomic.Int64
	procs   int          // that the goroutines share
	clock   func() int64 // nil: the runtime's
	cost    int64        // ns that an empty sample reads; taken off every latency
	price   int64        // ns that taking a sample takes
	floor   int64        // ns: latencies up to this are the clock's, not the operation's
	short   bool         // one operation of an earlier run was short

	spacing    atomic.Int64 // mean gap between samples; 0: every operation is timed
	generation atomic.Int64 // counts changes of spacing, and resets
	switched   atomic.Int64 // counts starts and stops of the benchmark's timer: it is on where odd
	resets     atomic.Int64 // counts its resets
	resetAt    atomic.Int64 // clock at the last of them
	mistimed   atomic.Bool  // operations began or passed while it was off, or may have
	doubt      atomic.Bool  // what an operation takes is not known yet
	batched    atomic.Bool  // some were timed as a whole while it was not
	unknown    bool         // it was not at first: the first ones may be no usual ones

	mu     sync.Mutex
	totals totals
	more   []*lane // of goroutines that nobody announced

	// The benchmark's timer as seen from here.
	on      bool
	ran     bool  // it was on at some time
	before  int64 // ns it had run when the window began
	since   int64 // when it was last started
	timed   int64 // ns it ran before that, by its own clock
	stopped bool  // it was off at some time: latencies may hold time that is not timed
}

// A reading is the state of a window's timer at one moment.
type reading struct {
	timed  int64
	resets int64
}

// newWindow prepares a window for so many goroutines on so many processors. mean is
// how long one operation took a processor before, in nanoseconds; negative if that
// is not known.
func newWindow(goroutines, procs int, mean int64) *window {
	w := &window{lanes: make([]lane, goroutines), procs: procs}
	w.prepare(mean)
	return w
}

// prepare calibrates the clock, and says what is known of an operation.
func (w *window) prepare(mean int64) {
	w.calibrate()
	if mean >= 0 {
		w.spacing.Store(w.spacingFor(mean))
	} else {
		w.unknown = true
		w.doubt.Store(true)
	}
}

// now reads the clock.
func (w *window) now() int64 {
	if w.clock != nil {
		return w.clock()
	}
	return nanotime()
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

// enter gives the calling goroutine its lane.
func (w *window) enter() *lane {
	i := w.entered.Add(1) - 1
	var l *lane
	if i < int64(len(w.lanes)) {
		l = &w.lanes[i]
	} else {
		l = new(lane)
		w.mu.Lock()
		w.more = append(w.more, l)
		w.mu.Unlock()
	}
	l.window = w
	l.begin, l.switched = w.read(), w.switched.Load()
	l.random = uint64(l.begin.timed+1)*0x9e3779b97f4a7c15 ^ uint64(i+1)<<40 | 1
	return l
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

// read is the timer's state now.
func (w *window) read() reading {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := reading{w.timed, w.resets.Load()}
	if w.on {
		r.timed += w.now() - w.since
	}
	return r
}

// start, stop and reset follow the benchmark's timer. start comes just before it reads its clock, and
// stop behind that: stop is told how long it has run in all, since what passes between is not timed.
func (w *window) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.on {
		w.on, w.ran, w.since = true, true, w.now()
		w.switched.Add(1)
	}
}

func (w *window) stop(ran int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on {
		w.timed = ran - w.before
		w.on, w.stopped = false, true
		w.switched.Add(1)
	}
}

func (w *window) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before, w.timed, w.since = 0, 0, w.now()
	w.resetAt.Store(w.since)
	w.resets.Add(1)
	w.totals.hist.Reset()
	w.generation.Add(1) // what goroutines still hold was measured before
}

// close is what the goroutines saw, all of whom have left. It has no goroutines
// if the timer never ran. How long it ran the caller knows better: setting up
// what follows may have begun.
func (w *window) close() *totals {
	if !w.ran {
		return new(totals)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t := &w.totals
	for i := range w.lanes {
		w.account(&w.lanes[i])
	}
	for _, l := range w.more {
		w.account(l)
	}
	if w.doubt.Load() && w.batched.Load() {
		t.hist.Reset() // those that were timed by themselves are no fair sample
	}
	t.each = t.ops > 0 && t.hist.Count() == t.ops
	t.floor = w.floor
	t.blind = w.stopped
	return t
}

// account takes a lane whose goroutine is done.
func (w *window) account(l *lane) {
	if !l.gone {
		return
	}
	w.takeLocked(l)
	resets := w.resets.Load()
	w.totals.addGoroutine(l.timedSince(resets), l)
	w.totals.longestNS = max(w.totals.longestNS, l.longestSince(resets))
	w.totals.early += l.beforeReset(resets)
}
