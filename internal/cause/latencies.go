package cause

import (
	"math"
	"runtime/metrics"
)

// This file stands on its own, as gotest compiles it inside package testing,
// too, and uses no Go newer than 1.22.

// sumBuckets estimates the sum of the recorded values: every count stands in
// the middle of its bucket, an open bucket at its closed end.
func sumBuckets(h *metrics.Float64Histogram) (sum float64, count uint64) {
	for i, n := range h.Counts {
		low, high := h.Buckets[i], h.Buckets[i+1]
		switch {
		case math.IsInf(low, -1):
			low = high
		case math.IsInf(high, 1):
			high = low
		}
		sum += float64(n) * (low + high) / 2
		count += n
	}
	return sum, count
}
