package hist

import "math"

// Quantile returns the nearest-rank q-quantile in nanoseconds: an estimate of
// the ceil(q·n)-th smallest of the n latencies, or NaN when h is empty or q is
// NaN. A q below 0 counts as 0 and one above 1 as 1.
//
// The estimate is the middle of the bucket that holds that latency, clamped to
// [Min, Max], so it is off by less than 1/128 of the latency; the first and the
// last rank are exact. The last bucket, from 255·2^30 ns on, also holds what
// lies beyond the range (2^38 ns): where something does, a rank in it gives Max,
// which is never too small.
func (h *Histogram) Quantile(q float64) float64 {
	if h.count == 0 || math.IsNaN(q) {
		return math.NaN()
	}
	switch rank := nearestRank(q, h.count); rank {
	case 1:
		return float64(h.Min())
	case h.count:
		return float64(h.Max())
	default:
		return h.middle(h.bucketAt(rank))
	}
}

// nearestRank returns ceil(q·n) within 1..n. A decimal such as 0.07 is not a
// binary fraction: 0.07·100 comes out above 7, and the factor takes such
// rounding back before it turns into a whole rank.
func nearestRank(q float64, n uint64) uint64 {
	rank := math.Ceil(q * float64(n) * (1 - 0x1p-51))
	if rank < 1 {
		return 1
	}
	if rank >= float64(n) {
		return n
	}
	return uint64(rank)
}

// bucketAt returns the bucket of the rank-th smallest latency.
func (h *Histogram) bucketAt(rank uint64) uint {
	var seen uint64
	for i, n := range h.counts {
		seen += n
		if seen >= rank {
			return uint(i)
		}
	}
	return topBucket
}

// middle returns the value that stands for the latencies in bucket i.
func (h *Histogram) middle(i uint) float64 {
	low, high := bucketBounds(i)
	if i == topBucket && h.max > high {
		return float64(h.max)
	}
	mid := (float64(low) + float64(high)) / 2
	return min(max(mid, float64(h.Min())), float64(h.max))
}
