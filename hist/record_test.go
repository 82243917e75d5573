package hist

import (
	"math"
	"testing"
)

func TestBucketsTileTheRange(t *testing.T) {
	next := uint64(0)
	for i := range uint(numBuckets) {
		low, high := bucketBounds(i)
		if low != next || high < low {
			t.Fatalf("bucket %d is %d..%d, want it to start at %d", i, low, high, next)
		}
		if bucketOf(low) != i || bucketOf(high) != i {
			t.Fatalf("bucket %d is %d..%d, but these go to %d and %d", i, low, high, bucketOf(low), bucketOf(high))
		}
		next = high + 1
	}
	if next != 1<<38 {
		t.Errorf("buckets end at %d, want 2^38", next)
	}
}

func TestBucketsAreNarrow(t *testing.T) {
	for i := range uint(numBuckets) {
		low, high := bucketBounds(i)
		if width := high - low; width*128 >= low && width > 0 {
			t.Fatalf("bucket %d is %d..%d: wider than 1/128 of its values", i, low, high)
		}
	}
}

func TestKnownBuckets(t *testing.T) {
	for v, want := range map[uint64]uint{
		0: 0, 1: 1, 127: 127, 128: 128, 255: 255,
		256: 256, 257: 256, 258: 257, 511: 383, 512: 384, 515: 384, 516: 385,
		1<<38 - 1: 4095, 1 << 38: 4095, math.MaxInt64: 4095,
	} {
		if got := bucketOf(v); got != want {
			t.Errorf("bucketOf(%d) = %d, want %d", v, got, want)
		}
	}
}

func TestRecordKeepsExactFigures(t *testing.T) {
	var h Histogram
	for _, ns := range []int64{700, 5, 1 << 40, 700} {
		h.Record(ns)
	}
	if h.Count() != 4 || h.Sum() != 1405+1<<40 || h.Min() != 5 || h.Max() != 1<<40 {
		t.Errorf("count %d sum %d min %d max %d", h.Count(), h.Sum(), h.Min(), h.Max())
	}
}

func TestNegativeCountsAsZero(t *testing.T) {
	var h, want Histogram
	h.Record(-3)
	h.RecordN(math.MinInt64, 2)
	want.RecordN(0, 3)
	if !h.Equal(&want) {
		t.Errorf("count %d sum %d min %d max %d", h.Count(), h.Sum(), h.Min(), h.Max())
	}
}

func TestRecordNIsNRecords(t *testing.T) {
	var h, want Histogram
	h.RecordN(12345, 3)
	h.RecordN(1, 0)
	for range 3 {
		want.Record(12345)
	}
	if !h.Equal(&want) {
		t.Errorf("count %d sum %d min %d max %d", h.Count(), h.Sum(), h.Min(), h.Max())
	}
}

func TestRecordAllocatesNothing(t *testing.T) {
	var h Histogram
	ns := int64(1)
	allocs := testing.AllocsPerRun(1000, func() {
		h.Record(ns)
		h.RecordN(ns, 2)
		ns += ns>>3 + 1
	})
	if allocs != 0 {
		t.Errorf("%v allocations a call", allocs)
	}
}

// Values of all octaves up to 2^14 in turn, so that neither the bucket nor the branch
// predictor is always the same one.
func BenchmarkRecord(b *testing.B) {
	var h Histogram
	ns := int64(0)
	for b.Loop() {
		ns = (ns + 977) & (1<<14 - 1)
		h.Record(ns)
	}
}
