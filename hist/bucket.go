package hist

import "iter"

// A Bucket is a run of latencies that the histogram does not tell apart.
type Bucket struct {
	Low, High int64  // ns, both inclusive
	Count     uint64 // latencies recorded from Low to High
}

// Buckets yields the buckets that hold something, in ascending order. The last
// bucket of all also takes what lies beyond the range; its High is then
// [Histogram.Max].
func (h *Histogram) Buckets() iter.Seq[Bucket] {
	return func(yield func(Bucket) bool) {
		for i, n := range h.counts {
			if n == 0 {
				continue
			}
			low, high := h.bounds(uint(i))
			if !yield(Bucket{Low: int64(low), High: int64(high), Count: n}) {
				return
			}
		}
	}
}

// bounds returns the smallest and largest value of bucket i of h.
func (h *Histogram) bounds(i uint) (low, high uint64) {
	low, high = bucketBounds(i)
	if i == topBucket {
		high = max(high, h.max)
	}
	return low, high
}
