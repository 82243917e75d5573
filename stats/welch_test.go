package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// By hand: logarithms 0, 1, 2 and 0, 2, 4, means 1 and 2, variances 1 and 4; so the difference
// is -1 with a standard error of √(5/3) and 2.94 degrees of freedom.
func TestWelchRatio(t *testing.T) {
	exp := func(xs ...float64) []float64 {
		for i := range xs {
			xs[i] = math.Exp(xs[i])
		}
		return xs
	}
	got := WelchRatio(exp(0, 1, 2), exp(0, 2, 4), 0.95)
	off := math.Sqrt(5.0/3) * 3.2182 // Student's t with 2.94 degrees of freedom at 97.5 %, by interpolation in its table
	if math.Abs(math.Log(got.Median)+1) > 1e-9 || math.Abs(math.Log(got.High)+1-off) > 0.02 || math.Abs(math.Log(got.Low)+1+off) > 0.02 {
		t.Errorf("%v, want exp(-1 ± %v)", got, off)
	}
	for _, bad := range [][]float64{nil, {1}, {1, 0}, {1, math.Inf(1)}, {1, math.NaN()}} {
		if got := WelchRatio(bad, []float64{1, 2}, 0.95); !math.IsNaN(got.Median) || !math.IsNaN(got.Low) {
			t.Errorf("%v: %v", bad, got)
		}
	}
	if got := WelchRatio([]float64{2, 2}, []float64{1, 1}, 0.95); got != (Interval{2, 2, 2}) {
		t.Errorf("without scatter: %v", got)
	}
}

func TestWelchRatioCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	const draws = 10_000
	held := 0
	for range draws {
		x, y := make([]float64, 6), make([]float64, 6)
		for i := range x {
			x[i], y[i] = math.Exp(0.3*random.NormFloat64()), math.Exp(0.1*random.NormFloat64())
		}
		if WelchRatio(x, y, 0.998).Covers(1) {
			held++
		}
	}
	if share := float64(held) / draws; math.Abs(share-0.998) > 0.002 {
		t.Errorf("%v of the intervals hold the truth", share)
	}
}

func TestMostConfidence(t *testing.T) {
	for _, n := range [][2]int{{4, 4}, {6, 6}, {6, 30}, {20, 8}} {
		c := MostConfidence(n[0], n[1])
		if iv := RatioInterval(upTo(n[0]), upTo(n[1]), c); math.IsInf(iv.Low, 0) {
			t.Errorf("%v: none at %v", n, c)
		}
		if iv := RatioInterval(upTo(n[0]), upTo(n[1]), c+(1-c)/10); !math.IsInf(iv.Low, -1) {
			t.Errorf("%v: one above %v", n, c)
		}
	}
	if c := MostConfidence(6, 6); math.Abs(c-(1-2.0/924)) > 1e-9 {
		t.Error(c)
	}
	if MostConfidence(0, 6) != 0 {
		t.Error("of nothing")
	}
}
