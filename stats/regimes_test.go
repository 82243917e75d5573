package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
)

// What is of one kind is taken for two in fewer than two samples of a hundred.
func TestOneRegimeIsNotParted(t *testing.T) {
	racing.Simulation(t)
	for name, draw := range map[string]func(*rand.Rand) float64{
		"normal":      func(r *rand.Rand) float64 { return math.Exp(0.3 * r.NormFloat64()) },
		"uniform":     func(r *rand.Rand) float64 { return 1 + r.Float64() },
		"exponential": func(r *rand.Rand) float64 { return 1 + r.ExpFloat64() },
		"stalls":      func(r *rand.Rand) float64 { return 1 / (1 + 0.5*r.ExpFloat64()) },
		"heavy tails": func(r *rand.Rand) float64 {
			return math.Exp(0.1 * r.NormFloat64() / max(0.1, math.Abs(r.NormFloat64())))
		},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{4, 6, 8, 12, 30} {
			const draws = 4000
			parted := 0
			for range draws {
				xs := make([]float64, n)
				for i := range xs {
					xs[i] = draw(random)
				}
				if _, two := TwoRegimes(xs); two {
					parted++
				}
			}
			if share := float64(parted) / draws; share > 0.02 {
				t.Errorf("%s, %d values: %.1f %% of samples are parted", name, n, 100*share)
			}
		}
	}
}

func TestTwoRegimes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{6, 12, 30} {
		const draws = 1000
		found := 0
		for range draws {
			xs := make([]float64, n)
			for i := range xs {
				if xs[i] = math.Exp(0.02 * random.NormFloat64()); i%3 == 0 {
					xs[i] *= 1.5
				}
			}
			r, two := TwoRegimes(xs)
			if two && math.Abs(r.High/r.Low-1.5) < 0.1 && math.Abs(r.Share-1.0/3) < 0.01 {
				found++
			}
		}
		if found < draws*9/10 {
			t.Errorf("%d values: found in %d of %d", n, found, draws)
		}
	}
	for _, xs := range [][]float64{nil, {100, 101, 99, 100, 102, 98, 100, 101, 99, 100, 50, 32}, {1, 1, 2}, {1, 1, 2, 0}, {1, 1, 2, math.NaN()}, {1, 1, 1.05, 1.05}, {1, 1, 1, 2}} {
		if r, two := TwoRegimes(xs); two {
			t.Errorf("%v: %+v", xs, r)
		}
	}
	if r, two := TwoRegimes([]float64{2, 1, 2, 1}); !two || r != (Regimes{1, 2, 0.5}) {
		t.Errorf("%+v %v", r, two)
	}
}

// By hand: of the 24 orders of four values one rises throughout, and three have one pair
// exchanged.
func TestTrendP(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4}, 2.0 / 24}, {[]float64{4, 3, 2, 1}, 2.0 / 24}, {[]float64{1, 2, 4, 3}, 8.0 / 24},
		{[]float64{1, 2, 3, 4, 5, 6}, 2.0 / 720}, {[]float64{2, 1, 4, 3}, 18.0 / 24},
	} {
		if got := TrendP(c.xs); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %v, want %v", c.xs, got, c.want)
		}
	}
	for _, xs := range [][]float64{nil, {1}, {1, math.NaN()}} {
		if got := TrendP(xs); !math.IsNaN(got) {
			t.Errorf("%v: %v", xs, got)
		}
	}
	if got := TrendP([]float64{1, 1, 1, 1}); got != 1 {
		t.Errorf("of ties: %v", got)
	}
}
