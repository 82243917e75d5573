package stats

import (
	"math"
	"testing"
)

func TestPairedRatioCancelsDrift(t *testing.T) {
	den := []float64{100, 90, 80, 70, 60, 50}
	num := make([]float64, len(den))
	for i := range den {
		num[i] = den[i] * 0.5
	}
	if got := PairedRatio(num, den, 0.95); got != (Interval{0.5, 0.5, 0.5}) {
		t.Errorf("ratio %v, want exactly 0.5", got)
	}
}

func TestPairedRatioKnownAnswer(t *testing.T) {
	num := []float64{2, 8, 3, 20, 10, 24}
	den := []float64{2, 4, 1, 5, 2, 4} // 1, 2, 3, 4, 5, 6
	if got := PairedRatio(num, den, 0.95); got != (Interval{3.5, 1, 6}) {
		t.Errorf("ratio %v, want 3.5 within 1..6", got)
	}
}

func TestPairedRatioLeavesPairsOut(t *testing.T) {
	num := []float64{nan, 1, 0, inf, 6, 7}
	den := []float64{1, nan, 0, inf, 2}
	if got := PairedRatio(num, den, 0.95); !same(got, Interval{3, -inf, inf}) {
		t.Errorf("ratio %v, want 3 from the one good pair", got)
	}
	if got := PairedRatio(num[:1], den[:1], 0.95); !same(got, Interval{nan, nan, nan}) {
		t.Errorf("ratio %v of no pairs, want NaN", got)
	}
}

// A 0 in the denominator is no reason to look at the other pairs alone.
func TestPairedRatioToZeroIsInfinite(t *testing.T) {
	num := []float64{1000, 1000, 1000, 1000, 1000, 1000, 1000}
	den := []float64{500, 0, 500, 0, 500, 500, 500}
	if got := PairedRatio(num, den, 0.95); got.Median != 2 || got.Low != 2 || got.High != inf {
		t.Errorf("ratio %v, want 2 with an open end", got)
	}
}

func TestGeomean(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{1, 4, 16}, 4},
		{[]float64{7}, 7},
		{nil, nan},
		{[]float64{1, 0}, nan},
		{[]float64{1, -2}, nan},
		{[]float64{1, nan}, nan},
	} {
		got := Geomean(c.xs)
		if !(math.Abs(got-c.want) < 1e-12) && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("geomean of %v is %v, want %v", c.xs, got, c.want)
		}
	}
}
