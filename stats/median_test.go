package stats

import (
	"math"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{nil, nan},
		{[]float64{3}, 3},
		{[]float64{3, 1}, 2},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 3, 2}, 2.5},
		{[]float64{1, nan, 3}, nan},
		{[]float64{1, inf, inf, 2}, inf},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64},
	} {
		if got := Median(c.xs); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("median of %v is %v, want %v", c.xs, got, c.want)
		}
	}
}

// What R's quantile(1:10, q, type = 8) is by hand: position 10q + (q+1)/3.
func TestQuantile(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for q, want := range map[float64]float64{
		0: 1, 0.05: 1, 0.25: 2 + 11.0/12, 0.5: 5.5, 0.75: 8 + 1.0/12, 0.99: 10, 1: 10,
	} {
		if got := Quantile(xs, q); math.Abs(got-want) > 1e-12 {
			t.Errorf("Quantile(%v) = %v, want %v", q, got, want)
		}
	}
}

func TestQuantileOfOddCountIsItsMiddle(t *testing.T) {
	if got := Quantile([]float64{0.1, 0.7, 0.9, 1.1, 8}, 0.5); got != 0.9 {
		t.Errorf("median %v, want exactly 0.9", got)
	}
}

func TestQuantileOfBadInput(t *testing.T) {
	for _, c := range []struct {
		xs []float64
		q  float64
	}{
		{nil, 0.5}, {[]float64{nan, 1}, 0.5}, {[]float64{1, 2}, nan}, {[]float64{1, 2}, -0.1}, {[]float64{1, 2}, 50},
	} {
		if got := Quantile(c.xs, c.q); !math.IsNaN(got) {
			t.Errorf("Quantile(%v, %v) = %v, want NaN", c.xs, c.q, got)
		}
	}
	if got := Quantile([]float64{4}, 0.9); got != 4 {
		t.Errorf("quantile of one value is %v, want 4", got)
	}
}
