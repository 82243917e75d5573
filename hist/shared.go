package hist

import "sync/atomic"

// A Shared histogram counts latencies in nanoseconds from many goroutines at once, in the
// same buckets as a [Histogram]. The zero value is empty and ready. It knows no sum,
// minimum and maximum of its own.
type Shared struct{ counts [numBuckets]atomic.Uint32 }

// Record counts one latency of ns nanoseconds; a negative one counts as 0.
func (s *Shared) Record(ns int64) { s.counts[bucketOf(uint64(max(ns, 0)))].Add(1) }

// AddTo adds everything s holds to h, each latency as the middle of its bucket.
func (s *Shared) AddTo(h *Histogram) {
	for i := range s.counts {
		if n := s.counts[i].Load(); n > 0 {
			low, high := bucketBounds(uint(i))
			h.RecordN(int64(low+(high-low)/2), uint64(n))
		}
	}
}
