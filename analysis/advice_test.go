package analysis_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Of a variant that does the same at every level none of the levels seems to gain by chance more often than one
// alone would.
func TestNobodyIsAdvisedByChance(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const draws, most = 200, 18 // what happens once in twenty times happens more often than that once in a hundred tests
	advised := 0
	for range draws {
		b := one("a")
		for _, n := range []int{1, 2, 4, 8, 16, 32, 64, 128} {
			rates := make([]float64, 13)
			for i := range rates {
				rates[i] = 1e5 * math.Exp(0.2*random.NormFloat64())
			}
			b.cell("a", n, rates...)
		}
		if strings.Contains(b.finding(t).Verdict.Advice, "Use many goroutines") {
			advised++
		}
	}
	if advised > most {
		t.Errorf("%d of %d times", advised, draws)
	}
}
