package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The numbers of orders for 2 against 3 values, written out by hand, and the
// totals, which are binomial coefficients.
func TestRankSums(t *testing.T) {
	want := []float64{1, 1, 2, 2, 2, 1, 1}
	got := rankSums(2, 3)
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for u := range want {
		if got[u] != want[u] {
			t.Errorf("U = %d: %v orders, want %v", u, got[u], want[u])
		}
	}
	total := 0.0
	for _, c := range rankSums(6, 6) {
		total += c
	}
	if total != 924 {
		t.Errorf("%v orders of 6 and 6 values, want 924", total)
	}
}

// Critical values of U at 5 %, two-sided, from the printed tables.
func TestCriticalRank(t *testing.T) {
	for _, c := range []struct{ n, m, u int }{{4, 4, 0}, {5, 5, 2}, {6, 6, 5}, {7, 7, 8}, {8, 8, 13}, {10, 10, 23}, {6, 10, 11}} {
		if got := criticalRank(c.n, c.m, 0.05) - 1; got != c.u {
			t.Errorf("n = %d, m = %d: critical U %d, want %d", c.n, c.m, got, c.u)
		}
	}
	if criticalRank(3, 3, 0.05) != 0 {
		t.Error("three against three carry no interval at 95 %")
	}
}

// Ranks are counted out up to 50 values a sample and approximated above: here, where
// both are had, they are one apart.
func TestRanksAreCountedUpToFifty(t *testing.T) {
	for _, c := range []struct{ n, m, k int }{{50, 48, 925}, {48, 50, 925}, {51, 50, 986}, {50, 51, 986}} {
		if got := criticalRank(c.n, c.m, 0.05); got != c.k {
			t.Errorf("n = %d, m = %d: rank %d, want %d", c.n, c.m, got, c.k)
		}
	}
}

// The interval excludes 1 exactly where the test sees a difference.
func TestRatioIntervalAgreesWithTheTest(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	disagree := 0
	for range 2000 {
		x, y := make([]float64, 6), make([]float64, 6)
		for i := range x {
			x[i] = math.Exp(random.NormFloat64() * 0.1)
			y[i] = math.Exp(random.NormFloat64()*0.1 - 0.1)
		}
		p, err := MannWhitney(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if (p < 0.05) == RatioInterval(x, y, 0.95).Covers(1) {
			disagree++
		}
	}
	if disagree > 0 {
		t.Errorf("interval and test disagree in %d of 2000 samples", disagree)
	}
}

func TestRatioInterval(t *testing.T) {
	same := []float64{1, 2, 3, 4, 5, 6}
	twice := []float64{20, 40, 60, 80, 100, 120}
	iv := RatioInterval(twice, same, 0.95)
	if iv.Median < 15 || iv.Median > 25 || !iv.Covers(20) || iv.Covers(1) {
		t.Errorf("ratio %+v of values 20 times as large", iv)
	}
	if iv := RatioInterval(same[:3], same[:3], 0.95); !math.IsInf(iv.Low, -1) || iv.Median != 1 {
		t.Errorf("three against three: %+v, want 1 without bounds", iv)
	}
	for _, bad := range [][]float64{nil, {0}, {-1}, {math.NaN()}, {math.Inf(1)}} {
		if iv := RatioInterval(bad, same, 0.95); !math.IsNaN(iv.Median) {
			t.Errorf("%v: %+v, want NaN", bad, iv)
		}
	}
}

// Large samples take the normal approximation, which meets the counted one where
// both are had, and stays an interval however many there are.
func TestLargeSamples(t *testing.T) {
	for _, n := range []int{20, 35, 50} {
		exact, normal := criticalRank(n, n, 0.05), normalRank(float64(n), float64(n), 0.05)
		if d := exact - normal; d < -1 || d > 1 {
			t.Errorf("%d against %d: rank %d, approximated %d", n, n, exact, normal)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	sample := func() []float64 {
		xs := make([]float64, 520)
		for i := range xs {
			xs[i] = math.Exp(0.3 * random.NormFloat64())
		}
		return xs
	}
	iv := RatioInterval(sample(), sample(), 0.95)
	if !(iv.Low < iv.Median && iv.Median < iv.High) || iv.High/iv.Low < 1.05 || iv.High/iv.Low > 1.2 {
		t.Errorf("520 against 520 of 30 %%: %+v, want an interval of some 8 %%", iv)
	}
}
