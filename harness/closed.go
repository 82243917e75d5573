package harness

import (
	"errors"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/hist"
)

// worker is one goroutine of a trial: its share of the work and what it saw.
type worker struct {
	op   Operation
	own  int   // operations that it alone does, at least one
	deal *deal // where more come from, and where all are counted
	sampling
	clock  int64 // cost of a clock reading, taken off every sample
	random uint64
	stop   *atomic.Bool
	// failing is told of the first error; nobody waits for it to be read.
	failing chan<- error

	start, end int64 // start is 0 if it never ran
	first      int64 // how long its first operation took
	done       int
	piece      int // in hand
	chunkMax   int64
	hist       *hist.Histogram
	pacer      *pacer // of the open loop; nil in the closed one
	opened     *opened
	sorting    *sorting        // of requests of several kinds; nil without
	opens      int64           // when the window did
	ending     <-chan struct{} // closed when the run is cancelled
	err        error
}

// errGoexit is that of an operation that ends its goroutine.
var errGoexit = errors.New("the operation ended its goroutine (runtime.Goexit)")

// run is the closed loop: the next operation starts when the last has returned; with a
// pacer it is the open one. An operation that panics or ends its goroutine has failed.
func (w *worker) run() {
	returned := false
	defer func() {
		w.end = nanotime()
		if r := recover(); r != nil {
			w.fail(panicked(r))
		} else if !returned {
			w.fail(errGoexit)
		}
	}()
	w.start = nanotime()
	switch {
	case w.pacer != nil:
		w.takeDue(w.pacer)
	case w.sorting != nil:
		w.untilEnd()
	case w.sampling == eachTimed:
		w.timeEach(w.begin(w.fewOwn()))
	default:
		w.timeSampled(w.begin(w.fewOwn()))
	}
	returned = true
}

// more is the next piece of the work.
func (w *worker) more() int {
	if w.stop.Load() {
		return 0
	}
	w.deal.did(w.piece)
	if w.own > 0 {
		return w.begin(w.fewOwn())
	}
	return w.begin(w.deal.take())
}

// begin takes a piece in hand.
func (w *worker) begin(piece int) int {
	w.piece = piece
	w.deal.begin(piece)
	return piece
}

// fewOwn takes a part of those that it alone does.
func (w *worker) fewOwn() int {
	few := max(w.own/pieces, 1)
	w.own -= few
	return few
}

// timeEach reads the clock once per operation: the end of one is the start of
// the next, so that the latencies add up to the goroutine's time.
func (w *worker) timeEach(left int) {
	op, latencies := w.op, w.hist
	last := w.start
	for ; left > 0; left = w.more() {
		for range left {
			if w.stop.Load() {
				return
			}
			if err := op(); err != nil {
				w.fail(err)
				return
			}
			now := nanotime()
			latencies.Record(now - last)
			if w.done == 0 {
				w.first = now - last
			}
			last = now
			w.done++
		}
	}
}

// timeSampled times the first operation, which is a sample as often as another one is, one
// after each gap of random length, and the stretch from sample to sample as a whole. A gap
// goes on from one piece of the work to the next.
func (w *worker) timeSampled(left int) {
	skip, last := 0, w.start
	for ; left > 0; left = w.more() {
		for skip < left {
			if w.stop.Load() || !w.untimed(skip) {
				return
			}
			before := nanotime()
			err := w.op()
			now := nanotime()
			if err != nil {
				w.fail(err)
				return
			}
			if w.done == 0 {
				w.first = now - before
			}
			if w.done > 0 || w.chance(&w.random) {
				w.hist.Record(now - before - w.clock)
			}
			w.done++
			w.chunkMax = max(w.chunkMax, now-last)
			last = now
			left -= skip + 1
			skip = w.gap(&w.random)
		}
		if !w.untimed(left) {
			return
		}
		skip -= left
	}
	w.chunkMax = max(w.chunkMax, nanotime()-last)
}

// untimed runs n operations and reports whether all succeeded.
func (w *worker) untimed(n int) bool {
	op := w.op
	for i := range n {
		if err := op(); err != nil {
			w.done += i
			w.fail(err)
			return false
		}
	}
	w.done += n
	return true
}

func (w *worker) fail(err error) {
	err = tell(err)
	w.err = err
	w.stop.Store(true)
	select {
	case w.failing <- err:
	default:
	}
}
