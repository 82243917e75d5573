package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

// same is equality of intervals in which NaN equals NaN.
func same(a, b Interval) bool {
	eq := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
	return eq(a.Median, b.Median) && eq(a.Low, b.Low) && eq(a.High, b.High)
}

// upTo returns 1, 2, …, n in random order: the bounds of an interval are then
// the ranks of its order statistics.
func upTo(n int) []float64 {
	xs := make([]float64, n)
	for i, p := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		xs[i] = float64(p + 1)
	}
	return xs
}

// The ranks of the textbooks: Conover, Practical Nonparametric Statistics,
// section 3.2, from the binomial table with p = 1/2.
func TestKnownIntervals(t *testing.T) {
	for _, c := range []struct {
		n          int
		confidence float64
		want       Interval
	}{
		{1, 0.95, Interval{1, -inf, inf}},
		{4, 0.95, Interval{2.5, -inf, inf}},
		{5, 0.95, Interval{3, -inf, inf}},
		{6, 0.95, Interval{3.5, 1, 6}}, // covers 96.875 %
		{6, 0.96875, Interval{3.5, 1, 6}},
		{6, 0.969, Interval{3.5, -inf, inf}},
		{6, 0.9, Interval{3.5, 1, 6}},
		{8, 0.9921875, Interval{4.5, 1, 8}}, // what its lowest and highest cover
		{8, 0.9296875, Interval{4.5, 2, 7}}, // and the next
		{7, 0.999, Interval{4, -inf, inf}},
		{40, 0.95, Interval{20.5, 14, 27}},
		{6, 1, Interval{3.5, -inf, inf}},
	} {
		if got := MedianInterval(upTo(c.n), c.confidence); !same(got, c.want) {
			t.Errorf("n=%d at %v: %v, want %v", c.n, c.confidence, got, c.want)
		}
	}
}

// coverage is the exact probability that the ranks low..high of n values enclose
// the median: Σ C(n,k)/2ⁿ for low ≤ k < high.
func coverage(n int, low, high float64) float64 {
	sum, lnFactN := 0.0, lnFactorial(n)
	for k := int(low); k < int(high); k++ {
		sum += math.Exp(lnFactN - lnFactorial(k) - lnFactorial(n-k) - float64(n)*math.Ln2)
	}
	return sum
}

func lnFactorial(n int) float64 {
	ln, _ := math.Lgamma(float64(n + 1))
	return ln
}

func TestCoverageReachesTheConfidence(t *testing.T) {
	if got := coverage(6, 1, 6); math.Abs(got-0.96875) > 1e-9 {
		t.Fatalf("coverage of 6 values is %v, want 0.96875", got)
	}
	for _, confidence := range []float64{0.9, 0.95, 0.99} {
		for n := mostBetween + 1; n <= 200; n++ {
			iv := MedianInterval(upTo(n), confidence)
			if got := coverage(n, iv.Low, iv.High); got < confidence {
				t.Errorf("n=%d: %v covers %v, want %v", n, iv, got, confidence)
			}
		}
	}
}

// A skewed distribution, with a fixed seed: the count is the same in every run.
func TestCoverageInSimulation(t *testing.T) {
	const runs = 20_000
	r := rand.New(rand.NewPCG(3, 4))
	covered := 0
	for range runs {
		xs := make([]float64, 6)
		for i := range xs {
			xs[i] = r.ExpFloat64()
		}
		if MedianInterval(xs, 0.95).Covers(math.Ln2) {
			covered++
		}
	}
	if got := float64(covered) / runs; math.Abs(got-0.96875) > 0.005 {
		t.Errorf("%v of the intervals cover the median, want 0.96875", got)
	}
}

// Between order statistics an interval covers as often as it says, nearly, whatever the
// distribution, and eight values tell no less than six.
func TestCoverageBetweenOrders(t *testing.T) {
	racing.Simulation(t)
	laplace := func(r *rand.Rand) float64 {
		x := r.ExpFloat64()
		if r.IntN(2) == 0 {
			return -x
		}
		return x
	}
	for name, c := range map[string]struct {
		draw   func(*rand.Rand) float64
		median float64
	}{
		"normal":      {(*rand.Rand).NormFloat64, 0},
		"uniform":     {(*rand.Rand).Float64, 0.5},
		"exponential": {(*rand.Rand).ExpFloat64, math.Ln2},
		"Laplace":     {laplace, 0},
		"Cauchy":      {func(r *rand.Rand) float64 { return r.NormFloat64() / r.NormFloat64() }, 0},
	} {
		random := rand.New(rand.NewPCG(9, 4))
		width := map[int]float64{}
		for _, n := range []int{6, 7, 8, 10, 12, 20, 30} {
			const runs = 10_000
			covered := 0
			for range runs {
				xs := make([]float64, n)
				for i := range xs {
					xs[i] = c.draw(random)
				}
				iv := MedianInterval(xs, 0.95)
				width[n] += math.Min(iv.High-iv.Low, 100)
				if iv.Covers(c.median) {
					covered++
				}
			}
			if share := float64(covered) / runs; n > 6 && (share < 0.932 || share > 0.962) {
				t.Errorf("%s, %d values: %.1f %% cover the median", name, n, 100*share)
			}
		}
		if width[7] > 1.02*width[6] || width[8] > 1.1*width[7] || width[10] > width[8] {
			t.Errorf("%s: more values tell less: %v", name, width)
		}
	}
}

func TestIntervalOfBadInput(t *testing.T) {
	none := Interval{nan, nan, nan}
	for _, c := range []struct {
		name       string
		xs         []float64
		confidence float64
		want       Interval
	}{
		{"empty", nil, 0.95, none},
		{"NaN", []float64{1, 2, 3, 4, 5, nan, 7}, 0.95, none},
		{"one value", []float64{7}, 0.95, Interval{7, -inf, inf}},
		{"confidence NaN", upTo(6), nan, none},
		{"confidence in percent", upTo(6), 95, none},
		{"confidence below 0", upTo(6), -0.1, none},
		{"infinite value", []float64{1, 2, 3, 4, 5, inf}, 0.95, Interval{3.5, 1, inf}},
		{"infinite middle", []float64{1, 2, 3, inf, inf, inf}, 0.95, Interval{inf, 1, inf}},
		{"all equal", []float64{2, 2, 2, 2, 2, 2}, 0.95, Interval{2, 2, 2}},
	} {
		if got := MedianInterval(c.xs, c.confidence); !same(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestInputStaysAsItWas(t *testing.T) {
	x, y := []float64{3, 1, 2, 6, 5, 4}, []float64{6, 5, 4, 3, 2, 1}
	MedianInterval(x, 0.95)
	Median(x)
	PairedRatio(x, y, 0.95)
	if _, err := MannWhitney(x, y); err != nil {
		t.Error(err)
	}
	if !slices.Equal(x, []float64{3, 1, 2, 6, 5, 4}) || !slices.Equal(y, []float64{6, 5, 4, 3, 2, 1}) {
		t.Errorf("inputs are now %v and %v", x, y)
	}
}

func TestCovers(t *testing.T) {
	iv := Interval{Median: 2, Low: 1, High: 3}
	for x, want := range map[float64]bool{0.9: false, 1: true, 2: true, 3: true, 3.1: false, inf: false, nan: false} {
		if iv.Covers(x) != want {
			t.Errorf("%v covers %v: %v", iv, x, !want)
		}
	}
	if !(Interval{2, -inf, inf}).Covers(1e300) || (Interval{nan, nan, nan}).Covers(1) {
		t.Error("unbounded covers everything, NaN nothing")
	}
}

func TestHalfWidth(t *testing.T) {
	for _, c := range []struct {
		iv   Interval
		want float64
	}{
		{Interval{100, 95, 110}, 0.10},
		{Interval{100, 80, 110}, 0.20},
		{Interval{-100, -110, -95}, 0.10},
		{Interval{7, 7, 7}, 0},
		{Interval{0, 0, 0}, 0},
		{Interval{0, -1, 1}, inf},
		{Interval{7, -inf, inf}, inf},
		{Interval{inf, 1, inf}, nan},
		{Interval{nan, nan, nan}, nan},
	} {
		got := c.iv.HalfWidth()
		if got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("half width of %v is %v, want %v", c.iv, got, c.want)
		}
	}
}
