package harness

import (
	"sync/atomic"

	"github.com/syncwrite/syncwrite/hist"
)

// maxGap is the longest stretch of operations between two samples: at least
// one operation in 128 is timed.
const maxGap = 127

// worker is one goroutine of a trial: its share of the work and what it saw.
type worker struct {
	op     Operation
	share  int
	each   bool
	clock  int64 // cost of a clock reading, taken off every sample
	random uint64
	stop   *atomic.Bool

	started    bool
	start, end int64
	done       int
	failed     int
	chunkMax   int64
	hist       *hist.Histogram
	err        error
}

// run is the closed loop: the next operation starts when the last has returned.
func (w *worker) run() {
	w.started = true
	if w.each {
		w.timeEach()
	} else {
		w.timeSampled()
	}
}

// timeEach reads the clock once per operation: the end of one is the start of
// the next, so that the latencies add up to the goroutine's time.
func (w *worker) timeEach() {
	op, latencies := w.op, w.hist
	last := nanotime()
	w.start = last
	for w.done < w.share && !w.stop.Load() {
		if err := op(); err != nil {
			w.fail(err)
			break
		}
		now := nanotime()
		latencies.Record(now - last)
		last = now
		w.done++
	}
	w.end = nanotime()
}

// timeSampled times one operation after each gap of random length, and the
// stretch from sample to sample as a whole.
func (w *worker) timeSampled() {
	last := nanotime()
	w.start = last
	for left := w.share; left > 0 && !w.stop.Load(); {
		skipped := min(left-1, gap(&w.random))
		if !w.untimed(skipped) {
			break
		}
		before := nanotime()
		err := w.op()
		now := nanotime()
		if err != nil {
			w.fail(err)
			break
		}
		w.hist.Record(now - before - w.clock)
		w.done++
		w.chunkMax = max(w.chunkMax, now-last)
		last = now
		left -= skipped + 1
	}
	w.end = nanotime()
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
	w.failed++
	w.err = err
	w.stop.Store(true)
}

// gap draws the number of operations to skip, 0 … maxGap-1 (xorshift64: a few
// instructions, and no two goroutines in step).
func gap(state *uint64) int {
	x := *state
	x ^= x << 13
	x ^= x >> 7
	x ^= x << 17
	*state = x
	return int((x >> 32) * maxGap >> 32)
}
