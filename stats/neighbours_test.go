package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
)

// table draws rows of logarithms of rates, of which each value keeps a part of the one before.
func table(random *rand.Rand, rows, n int, keeps, shared float64) [][]float64 {
	all := make([][]float64, rows)
	common := make([]float64, n)
	for i := range common {
		common[i] = shared * random.NormFloat64()
	}
	for r := range all {
		x := random.NormFloat64()
		for i := range n {
			x = keeps*x + math.Sqrt(1-keeps*keeps)*random.NormFloat64()
			all[r] = append(all[r], x+common[i])
		}
	}
	return all
}

// Of tables whose order says nothing one in 200 is called, also where the rows move together; of
// autocorrelated ones nearly all are, where there are many rows or columns.
func TestAlikeNeighbours(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(7, 7))
	const draws, at = 1000, 0.005
	called := func(rows, n int, keeps, shared float64) float64 {
		sum := 0
		for range draws {
			if AlikeNeighbours(table(random, rows, n, keeps, shared)).P <= at {
				sum++
			}
		}
		return float64(sum) / draws
	}
	for _, c := range []struct {
		rows, n         int
		keeps, shared   float64
		atLeast, atMost float64
	}{
		{1, 6, 0, 0, 0, .01}, {45, 6, 0, 0, 0, .01}, {45, 6, 0, 3, 0, .01}, {45, 12, 0, 1, 0, .012},
		{45, 6, .8, 0, .95, 1}, {45, 12, .6, 0, .99, 1}, {5, 12, .8, 0, .9, 1}, {1, 24, .8, 0, .8, 1},
	} {
		if got := called(c.rows, c.n, c.keeps, c.shared); got < c.atLeast || got > c.atMost {
			t.Errorf("%d rows of %d that keep %.1f, %.0f shared: %.3f called, want %.2f–%.2f", c.rows, c.n, c.keeps, c.shared, got, c.atLeast, c.atMost)
		}
	}
}

// What cannot be tested is not called.
func TestAlikeNeighboursOfNothing(t *testing.T) {
	for name, rows := range map[string][][]float64{
		"nothing": nil, "two columns": {{1, 2}}, "rows of different lengths": {{1, 2, 3, 4}, {1, 2, 3}}, "what does not vary": {{1, 1, 1, 1}},
		"not a number": {{1, math.NaN(), 3, 4}},
	} {
		if got := AlikeNeighbours(rows); !math.IsNaN(got.P) || !math.IsNaN(got.Share) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	rising := AlikeNeighbours([][]float64{{1, 2, 3, 4, 5, 6}})
	if want := 2. / 720; math.Abs(rising.P-want) > 1e-12 || !(rising.Share < 0.5) {
		t.Errorf("six that rise: %+v, want %v", rising, want)
	}
	constant := AlikeNeighbours([][]float64{{1, 2, 3, 4, 5, 6}, {7, 7, 7, 7, 7, 7}})
	if constant != rising {
		t.Errorf("a row that does not vary tells: %+v, %+v", constant, rising)
	}
}
