package hist

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestQuantileOfExactValues(t *testing.T) {
	var h Histogram
	for ns := range int64(100) {
		h.Record(ns + 1)
	}
	for q, want := range map[float64]float64{
		-1: 1, 0: 1, 0.005: 1, 0.01: 1, 0.011: 2, 0.07: 7, 0.29: 29, 0.5: 50, 0.501: 51, 0.9: 90, 0.99: 99, 0.999: 100, 1: 100, 2: 100,
	} {
		if got := h.Quantile(q); got != want {
			t.Errorf("Quantile(%v) = %v, want %v", q, got, want)
		}
	}
	if got := h.Quantile(math.NaN()); !math.IsNaN(got) {
		t.Errorf("Quantile(NaN) = %v", got)
	}
}

func TestQuantileIsMidpoint(t *testing.T) {
	// 1024..1031 share a bucket; its middle is 1027.5.
	if got := record([]int64{1, 1030, 5000}).Quantile(0.5); got != 1027.5 {
		t.Errorf("median %v, want 1027.5", got)
	}
}

func TestQuantileStaysWithinMinAndMax(t *testing.T) {
	if got := record([]int64{1030, 1030, 1031}).Quantile(0.5); got != 1030 {
		t.Errorf("median %v, want min 1030", got)
	}
	if got := record([]int64{1024, 1025, 1025}).Quantile(0.5); got != 1025 {
		t.Errorf("median %v, want max 1025", got)
	}
}

func TestQuantileBeyondTheRangeIsMax(t *testing.T) {
	h := record([]int64{1, 1 << 39, 1 << 40, 1 << 41})
	if got := h.Quantile(0.5); got != 1<<41 {
		t.Errorf("median %v, want the max", got)
	}
}

// What shares the last bucket with something beyond the range is told as Max; all below that
// bucket is as close as ever.
func TestQuantileBesideTheRange(t *testing.T) {
	const last = 255 << 30
	h := record([]int64{1, last - 1, last - 1, last, 1<<38 - 1000, 1 << 41})
	for rank, want := range []float64{1, last - 1, last - 1, 1 << 41, 1 << 41, 1 << 41} {
		if got := h.Quantile(float64(rank+1) / 6); math.Abs(got-want) > want/128 {
			t.Errorf("rank %d: %v, want %v", rank+1, got, want)
		}
	}
}

func TestQuantileErrorIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := latencies(1).Filter(func(vs []int64) bool { return slices.Max(vs) < 1<<38 }).Draw(t, "values")
		h := record(values)
		slices.Sort(values)
		rank := rapid.IntRange(1, len(values)).Draw(t, "rank")
		want := float64(values[rank-1])
		got := h.Quantile(float64(rank) / float64(len(values)))
		if low, high := h.Around(float64(rank) / float64(len(values))); !(low <= min(want, got) && max(want, got) <= high) || high-low > low/64 {
			t.Errorf("rank %d of %d: %v, estimated as %v, is not close between %v and %v", rank, len(values), want, got, low, high)
		}
		if math.Abs(got-want) > want/128 {
			t.Errorf("rank %d of %d: %v, want %v", rank, len(values), got, want)
		}
	})
}
