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
	each        bool  // every operation was timed
	blind       bool  // the latencies cannot be trusted
	resolution  int64 // ns: what a reading of the clock takes
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
	t.longestNS = max(t.longestNS, l.longest)
	t.ops += l.ops
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
	t.resolution = max(t.resolution, w.resolution)
	t.hist.Merge(&w.hist)
}

// metrics calls put for each figure of a benchmark line of n operations in wall
// nanoseconds. Quantiles that the samples cannot carry are left out, and those
// shorter than a reading of the clock, which it cannot tell.
func (t *totals) metrics(n int, wall int64, put func(value float64, unit string)) {
	if n <= 0 || wall <= 0 {
		return
	}
	put(float64(t.goroutineNS)/float64(n), "ns/op")
	put(float64(wall)/float64(n), "wall-ns/op")
	put(float64(n)/float64(wall)*1e9, "ops/s")
	put(float64(t.goroutines), "goroutines")
	if !t.blind {
		t.quantile(0.50, "p50-ns", put)
		t.quantile(0.99, "p99-ns", put)
	}
	if t.goroutines > 1 && t.even > 0 {
		put(float64(t.slowest)/t.even, "slowest-share")
		put(float64(t.fastest)/t.even, "fastest-share")
	}
}

func (t *totals) quantile(q float64, unit string, put func(float64, string)) {
	if v := t.hist.Carried(q); v >= float64(t.resolution) { // false for NaN
		put(v, unit)
	}
}
