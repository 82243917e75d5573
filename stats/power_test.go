package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// With standard errors so large a drop is ruled out as often as is said.
func TestErrorThatDecides(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for quantile, want := range map[float64]float64{FourOfFive: 0.80, NineteenOf20: 0.95} {
		of := ErrorThatDecides(0.05, quantile)
		ruledOut := 0
		const draws = 20_000
		for range draws {
			if low := of * (random.NormFloat64() - sureOnEachSide); low > math.Log(1-0.05) {
				ruledOut++
			}
		}
		if got := float64(ruledOut) / draws; math.Abs(got-want) > 0.01 {
			t.Errorf("quantile %v: %v, want %v", quantile, got, want)
		}
	}
}
