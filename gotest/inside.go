//go:build never

// What is put inside package testing, behind the code of the user's own
// benchmark.go. It names fields and functions of that file; edit.go holds the
// list of them. The rest comes from parallel and hist. All names of ours get a
// prefix on the way.

package testing

import (
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
)

// watch is what a B remembers: its field syncwrite.
type watch struct {
	window      atomic.Pointer[window] // open while RunParallel runs
	totals      *totals                // of the windows since the timer was reset; nil without one
	mean        int64                  // ns an operation took in the last window
	known       bool                   // mean says something
	short       bool                   // mean says that an operation is short, and no more
	calls       int                    // windows of this run
	callsBefore int                    // and of the run before
	reported    *totals                // what the benchmark measured itself; nil: nothing
	untimed     untimed
	began       look   // when the timer was reset
	procs       int    // GOMAXPROCS when the run began: the benchmark may set its own
	created     uint64 // goroutines the process had created when the timer was reset, and those of RunParallel since
	before      uint64 // goroutines it had created when RunParallel began
	tracing     *tracing
	profiling   *profiling
	number      int64            // of this benchmark among those of the process, for the names of files; 0: none yet
	discarded   bool             // the timer was reset behind operations of RunParallel
	toggled     bool             // the timer was started, stopped or reset within a window
	offLast     bool             // it was off when the last window began, and not in all before
	returned    bool             // the last run came to its end: neither Skip nor runtime.Goexit ended it
	left        bool             // operations of it were left over
	loops       bool             // it is one of b.Loop
	first       *BenchmarkResult // what to print where the first operation was run anew and did not come to its end
	running     atomic.Int32     // calls of RunParallel
	noTrial     atomic.Int32     // why the run is none
}

// untimed says whether the last RunParallel found the timer off all the time,
// and where there was one, whether the timer has run since.
type untimed int

const (
	allTimed untimed = iota
	neverTimed
	timedLater
)

// label prints once what ns/op is here, as a configuration line of the benchmark
// format: benchstat then does not mix it with what go test says.
func label(w io.Writer) {
	if !labelled {
		labelled = true
		fmt.Fprintln(w, "ns-op: goroutine-time")
	}
}

var labelled bool

// RunParallel runs a benchmark in parallel, as it did before, and times each
// goroutine. A call that overlaps another one has no window: both share one timer, and
// what it stops and starts is the other's.
func (b *B) RunParallel(body func(*PB)) {
	if b.N == 0 { // it runs nothing
		b.syncwrite.noTrial.Store(withinLoop)
		b.goRunParallel(body)
		return
	}
	defer b.syncwrite.running.Add(-1)
	if b.syncwrite.running.Add(1) > 1 {
		b.syncwrite.noTrial.Store(overlapping)
		b.goRunParallel(body)
		return
	}
	on := b.pause()
	w := b.openWindow(on)
	within := func(pb *PB) { // an allocation while the timer is off; --why knows stacks by its name (ofRunParallel)
		defer b.syncwrite.tracing.takePart()()
		pb.lane = w.enter()
		defer pb.leave()
		body(pb)
		pb.lane.returned = true
	}
	b.resume(on)
	defer b.closeWindow(w) // also where package testing fails the benchmark and ends this goroutine
	b.goRunParallel(within)
}

// pause stops the timer and reports whether it was on, for resume: what lies between is in neither the
// benchmark's time nor its allocations.
func (b *B) pause() (on bool) {
	if on = b.timerOn; on {
		b.StopTimer()
	}
	return on
}

func (b *B) resume(on bool) {
	if on {
		b.StartTimer()
	}
}

// openWindow prepares a window while the timer pauses.
func (b *B) openWindow(on bool) *window {
	w := b.prepareWindow()
	b.syncwrite.offLast = !on && b.parallel() != nil
	b.syncwrite.tracing, b.syncwrite.profiling = b.startTracing(), b.startProfiling()
	b.syncwrite.before = Created()
	b.syncwrite.window.Store(w)
	w.stopped = !on
	return w
}

// prepareWindow is a window that knows how long an operation took in the run before. Where there
// was more than one call of RunParallel, that is of another one, and nothing is known.
func (b *B) prepareWindow() *window {
	s, mean, short := &b.syncwrite, int64(-1), false
	if s.calls++; s.calls == 1 && s.callsBefore == 1 {
		short = s.short
		if s.known {
			mean = s.mean
		}
	}
	procs := runtime.GOMAXPROCS(0)
	w := newWindow(b.parallelism*procs, min(procs, runtime.NumCPU()), mean)
	w.short, w.before = short, b.duration.Nanoseconds()
	return w
}

func (b *B) closeWindow(w *window) {
	b.syncwrite.window.Store(nil)
	on := b.pause()
	b.syncwrite.tracing.stop()
	b.syncwrite.profiling.stop()
	b.syncwrite.take(w, b.duration.Nanoseconds()-w.before)
	b.resume(on)
}

// take keeps what a window saw, for the figures and for the next run.
func (s *watch) take(w *window, inside int64) {
	s.created += Created() - s.before
	t := w.close()
	t.insideNS = inside
	if t.goroutines == 0 {
		s.untimed = neverTimed
	}
	if w.ran && w.mistimed.Load() {
		s.noTrial.CompareAndSwap(kept, halfTimed)
	}
	if t.early > t.ops/100 { // of fewer no rate is more than 1 % too high
		s.noTrial.CompareAndSwap(kept, lateReset)
	}
	s.left = s.left || t.over > 0
	if s.totals == nil {
		s.totals = new(totals)
	}
	s.totals.add(t)
	if t.ops > 0 {
		s.mean = w.share(t.goroutineNS / int64(t.ops))
	}
	s.known = t.ops >= probation
	s.short = t.ops > 0 && !s.known && t.goroutineNS < eachFrom*int64(t.ops)
}

// Next reports whether there are more iterations to execute.
func (pb *PB) Next() bool {
	if pb.cache == 0 {
		if !pb.more() { // not "&&": the compiler would keep the answer, and test it each time
			return false
		}
	}
	pb.cache--
	return true
}

// more is the slow path of Next. The Next that was there before acquires
// iterations, of which it takes the first off at once.
func (pb *PB) more() bool {
	l := pb.lane
	if l == nil { // of a call that has no window
		if !pb.goNext() {
			return false
		}
		pb.cache++ // Next takes the first off
		return true
	}
	l.asks()
	l.settle()
	if l.left == 0 {
		if !pb.goNext() {
			l.finish()
			return false
		}
		l.left = pb.cache + 1
	}
	l.begins()
	pb.cache = l.deal()
	return true
}

// beforeRun begins a run of b.N operations, which resets the timer next.
func (b *B) beforeRun() {
	s := &b.syncwrite
	s.callsBefore, s.calls, s.totals, s.discarded, s.returned, s.left, s.loops = s.calls, 0, nil, false, false, false, false
	s.procs = runtime.GOMAXPROCS(0)
	if s.running.Load() == 0 {
		s.noTrial.Store(kept)
	}
}

// afterRun ends a run that came to its end.
func (b *B) afterRun() { b.syncwrite.returned = true }

// leave ends a goroutine. What it was dealt and has not begun is left over.
func (pb *PB) leave() {
	pb.lane.left += pb.cache
	pb.lane.leave()
}

// The benchmark's timer tells of itself: just before it reads the clock when it starts, and behind
// that when it stops, so that it does not time us.

func (b *B) onStart() {
	if w := b.syncwrite.window.Load(); w != nil {
		b.syncwrite.toggled = b.syncwrite.toggled || w.stopped
		w.start()
	} else if b.syncwrite.untimed == neverTimed {
		b.syncwrite.untimed = timedLater
	}
}

func (b *B) onStop() {
	if w := b.syncwrite.window.Load(); w != nil {
		b.syncwrite.toggled = true
		w.stop(b.duration.Nanoseconds())
	}
}

// beforeReset takes what is not to be timed.
func (b *B) beforeReset() {
	if s := &b.syncwrite; s.window.Load() == nil {
		s.loops = s.loops || b.N == 0 // b.Loop, which has an N of its own, resets at 0
		s.discarded = b.N > 0 && (s.discarded || b.parallel() != nil)
		s.toggled = false
		s.forget(0)
		s.created = Created()
		s.began = lookAround()
	}
}

// forget drops what was found before the timer was reset, when so many calls of RunParallel
// may run. Neither overlapping ones nor those within b.Loop are undone by that.
func (s *watch) forget(running int32) {
	s.totals, s.untimed, s.left = nil, allTimed, false
	if why := s.noTrial.Load(); why != withinLoop && s.running.Load() == running {
		s.noTrial.CompareAndSwap(why, kept)
	}
}

// atProcs runs the first operation anew where it is the result and ran at another GOMAXPROCS: package
// testing runs that of the first repetition before it sets the first level of -cpu. Of a benchmark that
// skips because it is called again, the first result is printed, as by go test, and is no trial.
func (b *B) atProcs(procs int) {
	if b.syncwrite.procs == procs || !b.enough() {
		return
	}
	first := &BenchmarkResult{N: b.N, T: b.duration, Bytes: b.bytes, MemAllocs: b.netAllocs, MemBytes: b.netBytes, Extra: b.extra}
	b.extra = nil // that of the first result stays
	if b.run1(); b.syncwrite.broke() {
		b.syncwrite.first = first
	}
}

// broke reports whether operations of the last run did not come to their end.
func (s *watch) broke() bool { return !s.returned || s.left }

// enough reports whether the first run is the result: package testing adds none behind an operation
// that is all it was asked for, or as long as -benchtime, nor behind b.Loop.
func (b *B) enough() bool {
	if n := b.benchTime.n; n > 0 {
		return b.N == n
	}
	return b.syncwrite.loops || b.duration >= b.benchTime.d
}

func (b *B) onReset() {
	if w := b.syncwrite.window.Load(); w != nil {
		b.syncwrite.forget(1)
		b.syncwrite.toggled = true
		w.reset()
	}
}
