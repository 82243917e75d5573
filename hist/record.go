package hist

import "math/bits"

// This file, like all that Source names, is also compiled inside a package that
// can import nothing of ours.

const (
	subBits    = 7            // 128 buckets an octave
	subCount   = 1 << subBits // and the values 0..127 in front of the first
	numBuckets = 4096         // hence 31 octaves: 128 ns up to 2^38 ns
	topBucket  = numBuckets - 1
)

// A Histogram counts latencies in nanoseconds. The zero value is empty and
// ready; it holds no pointers and may be copied. It is not safe for concurrent
// use.
//
// Count and sum are kept modulo 2^64: a sum of 2^64 ns is 584 years.
type Histogram struct {
	counts [numBuckets]uint64
	count  uint64
	sum    uint64 // ns
	notMin uint64 // complement of the smallest value, so that 0 means "none yet"
	max    uint64 // ns
}

// Record counts one latency of ns nanoseconds. A negative one, which a stepped
// clock can produce, counts as 0. It does not allocate.
func (h *Histogram) Record(ns int64) {
	v := uint64(max(ns, 0))
	h.counts[bucketOf(v)]++
	h.count++
	h.sum += v
	h.notMin = max(h.notMin, ^v)
	h.max = max(h.max, v)
}

// RecordN counts n latencies of ns nanoseconds each, as n calls of
// [Histogram.Record] would. With n = 0 it does nothing.
func (h *Histogram) RecordN(ns int64, n uint64) {
	if n == 0 {
		return
	}
	v := uint64(max(ns, 0))
	h.counts[bucketOf(v)] += n
	h.count += n
	h.sum += v * n
	h.notMin = max(h.notMin, ^v)
	h.max = max(h.max, v)
}

// bucketOf returns the bucket of v. In the octave 2^(7+s) ≤ v < 2^(8+s) a
// bucket is 2^s wide, and v>>s is 128..255: the first octave thus continues
// where the exact values 0..127 end.
func bucketOf(v uint64) uint {
	s := uint(bits.Len64(v|subCount)) - subBits - 1
	return min(s<<subBits+uint(v>>(s&63)), topBucket)
}

// bucketBounds is the inverse of bucketOf: the smallest and largest value that
// the layout puts into bucket i.
func bucketBounds(i uint) (low, high uint64) {
	if i < subCount {
		return uint64(i), uint64(i)
	}
	s := i>>subBits - 1
	low = uint64(i-s<<subBits) << s
	return low, low + 1<<s - 1
}
