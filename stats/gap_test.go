package stats

import (
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
)

// Where values are of two kinds, and their median lies in the gap, an interval covers it as often as it
// says, nearly.
func TestCoverageAcrossAGap(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(9, 4))
	for _, n := range []int{6, 7, 8, 9, 10, 11, 12, 13, 14, 20, 30} {
		const runs = 10_000
		covered := 0
		for range runs {
			xs := make([]float64, n)
			for i := range xs {
				if xs[i] = 0.05 * random.NormFloat64(); random.IntN(2) == 0 {
					xs[i]++
				}
			}
			if MedianInterval(xs, 0.95).Covers(0.5) {
				covered++
			}
		}
		if share := float64(covered) / runs; share < 0.93 {
			t.Errorf("%d values: %.1f %% cover the median", n, 100*share)
		}
	}
}
