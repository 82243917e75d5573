package hist

import "math"

// Merge adds everything o holds to h and leaves o as it was. Merging is exact:
// h ends up as if it had recorded o's latencies itself.
func (h *Histogram) Merge(o *Histogram) {
	for i, n := range o.counts {
		h.counts[i] += n
	}
	h.count += o.count
	h.sum += o.sum
	h.notMin = max(h.notMin, o.notMin)
	h.max = max(h.max, o.max)
}

// Reset empties h.
func (h *Histogram) Reset() { *h = Histogram{} }

// Equal reports whether h and o hold the same counts, sum, min and max.
func (h *Histogram) Equal(o *Histogram) bool { return *h == *o }

// Count returns how many latencies were recorded.
func (h *Histogram) Count() uint64 { return h.count }

// Sum returns the sum of all latencies in nanoseconds. It is exact.
func (h *Histogram) Sum() uint64 { return h.sum }

// Mean returns the arithmetic mean in nanoseconds, from the exact sum, or NaN
// when h is empty.
func (h *Histogram) Mean() float64 {
	if h.count == 0 {
		return math.NaN()
	}
	return float64(h.sum) / float64(h.count)
}

// Min returns the smallest latency in nanoseconds, exactly, or 0 when h is
// empty.
func (h *Histogram) Min() int64 {
	if h.count == 0 {
		return 0
	}
	return int64(^h.notMin)
}

// Max returns the largest latency in nanoseconds, exactly, or 0 when h is
// empty.
func (h *Histogram) Max() int64 { return int64(h.max) }
