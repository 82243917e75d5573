package hist

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// latencies draws values of every octave and beyond the range: a uniform draw
// would almost never be short.
func latencies(minLen int) *rapid.Generator[[]int64] {
	one := rapid.Custom(func(t *rapid.T) int64 {
		octave := rapid.IntRange(0, 41).Draw(t, "octave")
		return rapid.Int64Range(0, 1<<octave).Draw(t, "ns")
	})
	return rapid.SliceOfN(one, minLen, 60)
}

func record(values []int64) *Histogram {
	h := new(Histogram)
	for _, ns := range values {
		h.Record(ns)
	}
	return h
}

func TestEmpty(t *testing.T) {
	var h Histogram
	if h.Count() != 0 || h.Sum() != 0 || h.Min() != 0 || h.Max() != 0 {
		t.Errorf("count %d sum %d min %d max %d", h.Count(), h.Sum(), h.Min(), h.Max())
	}
	if !math.IsNaN(h.Mean()) || !math.IsNaN(h.Quantile(0.5)) {
		t.Errorf("mean %v, median %v, want NaN", h.Mean(), h.Quantile(0.5))
	}
	for b := range h.Buckets() {
		t.Errorf("bucket %+v", b)
	}
}

func TestMergeIsRecordingAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := latencies(0).Draw(t, "a"), latencies(0).Draw(t, "b")
		h, other := record(a), record(b)
		h.Merge(other)
		if !h.Equal(record(slices.Concat(a, b))) {
			t.Errorf("merge: count %d sum %d min %d max %d", h.Count(), h.Sum(), h.Min(), h.Max())
		}
		if !other.Equal(record(b)) {
			t.Error("merge changed its argument")
		}
	})
}

func TestReset(t *testing.T) {
	h := record([]int64{3, 1 << 39})
	h.Reset()
	if !h.Equal(new(Histogram)) {
		t.Error("reset histogram differs from an empty one")
	}
}

func TestEqualSeesEveryPart(t *testing.T) {
	h := record([]int64{300, 1 << 39})
	for _, values := range [][]int64{nil, {300}, {301, 1 << 39}, {300, 1<<39 + 1}, {300, 300, 1 << 39}} {
		if h.Equal(record(values)) {
			t.Errorf("equal to %v", values)
		}
	}
}

func TestBucketsHoldEachLatency(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := latencies(1).Draw(t, "values")
		slices.Sort(values)
		for b := range record(values).Buckets() {
			for range b.Count {
				if values[0] < b.Low || values[0] > b.High {
					t.Fatalf("%d in bucket %+v", values[0], b)
				}
				values = values[1:]
			}
		}
		if len(values) > 0 {
			t.Errorf("%d values in no bucket", len(values))
		}
	})
}

func TestBucketsStopEarly(t *testing.T) {
	for range record([]int64{1, 2, 3}).Buckets() {
		break
	}
}

func TestMean(t *testing.T) {
	if got := record([]int64{1000, 1001, 1003}).Mean(); got != 3004.0/3 {
		t.Errorf("mean %v, want 1001.33", got)
	}
}
