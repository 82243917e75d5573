package parallel

import "github.com/syncwrite/syncwrite/hist"

// totals is what the goroutines of one or more windows saw.
type totals struct {
	goroutines  int    // started in the largest window
	goroutineNS int64  // each one's own start to its own end, summed, while the timer ran
	recordedNS  int64  // operations and the stretches between them, summed
	longestNS   int64  // longest stretch between two samples: no operation took longer
	ops         uint64 // operations dealt
	slowest     uint64 // operations of the goroutine that did fewest
	fastest     uint64 // and most
	even        float64
	dropped     uint64 // operations of which no latency tells: they were timed in another way
	early       uint64 // operations of a window that passed before its last reset, or may have
	over        uint64 // operations dealt that nobody has begun, or brought to their end
	each        bool   // every operation was timed
	blind       bool   // the latencies cannot be trusted
	insideNS    int64  // timed wall time of the windows
	floor       int64  // ns: latencies up to this are the clock's
	hist        hist.Histogram
}

// addGoroutine adds one goroutine of a window.
func (t *totals) addGoroutine(timed int64, l *lane) {
	if t.goroutines == 0 || l.ops < t.slowest {
		t.slowest = l.ops
	}
	t.fastest = max(t.fastest, l.ops)
	t.goroutines++
	t.goroutineNS += timed
	t.recordedNS += l.recorded
	t.ops += l.ops
	t.dropped += l.dropped
	t.over += l.left
}

// add adds a window. Windows that were timed in different ways give no
// latencies together. Of the shares, those of the longest window are kept.
func (t *totals) add(w *totals) {
	if w.goroutines == 0 {
		return
	}
	if t.goroutines == 0 {
		t.each = w.each
	}
	t.blind = t.blind || w.blind || t.each != w.each
	if w.ops >= t.ops {
		t.slowest, t.fastest = w.slowest, w.fastest
		t.even = float64(w.ops) / float64(w.goroutines)
	}
	t.goroutines = max(t.goroutines, w.goroutines)
	t.goroutineNS += w.goroutineNS
	t.recordedNS += w.recordedNS
	t.longestNS = max(t.longestNS, w.longestNS)
	t.ops += w.ops
	t.dropped += w.dropped
	t.over += w.over
	t.insideNS += w.insideNS
	t.floor = max(t.floor, w.floor)
	t.hist.Merge(&w.hist)
}

// metrics calls put for each figure of a benchmark line of n operations in wall
// nanoseconds. outside is the share of the timed time that was in no window.
// What the samples or the clock cannot carry is left out.
func (t *totals) metrics(n int, wall int64, outside float64, put func(value float64, unit string)) {
	if n <= 0 || wall <= 0 {
		return
	}
	if t.goroutineNS > 0 {
		put(float64(t.goroutineNS)/float64(n), "ns/op")
	}
	put(float64(wall)/float64(n), "wall-ns/op")
	if wall > t.floor {
		put(float64(n)/float64(wall)*1e9, "ops/s")
	}
	put(float64(t.goroutines), "goroutines")
	if !t.blind {
		t.quantile(0.50, "p50-ns", put)
		t.quantile(0.99, "p99-ns", put)
	}
	if t.goroutines > 1 && t.even > 0 && t.goroutineNS >= evenFrom*int64(t.goroutines) {
		put(float64(t.slowest)/t.even, "slowest-share")
		put(float64(t.fastest)/t.even, "fastest-share")
	}
	if outside > 0 {
		put(outside, "outside-share")
	}
}

// evenFrom is how long goroutines must run before their shares say more than
// which of them began first: operations are dealt by 100 µs of them.
const evenFrom = 1_000_000

// outsideShare is a part of timed wall time, 0 where it is next to nothing.
func outsideShare(outside, timed int64) float64 {
	const least, leastNS = 0.01, 10_000
	share := float64(outside) / float64(timed)
	if share < least || outside < leastNS {
		return 0
	}
	return share
}

// quantile leaves out one on whose far side so many operations can lie of which no latency
// tells that it may be another.
func (t *totals) quantile(q float64, unit string, put func(float64, string)) {
	if float64(t.dropped) > (1-q)/2*float64(t.ops) {
		return
	}
	if v := t.hist.Carried(q); v > float64(t.floor) { // false for NaN
		put(v, unit)
	}
}
