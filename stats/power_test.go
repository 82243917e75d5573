package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// With standard errors so large a drop is ruled out as often as is said.
func TestErrorThatDecides(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, often := range []float64{0.80, 0.95} {
		of := ErrorThatDecides(0.05, often, math.Inf(1))
		ruledOut := 0
		const draws = 20_000
		for range draws {
			if low := of * (random.NormFloat64() - 1.96); low > math.Log(1-0.05) {
				ruledOut++
			}
		}
		if got := float64(ruledOut) / draws; math.Abs(got-often) > 0.01 {
			t.Errorf("%v, want %v", got, often)
		}
	}
	if few, many := ErrorThatDecides(0.05, 0.95, 11), ErrorThatDecides(0.05, 0.95, 1e6); !(few < 0.92*many) || math.Abs(many/ErrorThatDecides(0.05, 0.95, math.Inf(1))-1) > 1e-3 {
		t.Errorf("known from 12 values %v, from a million %v", few, many)
	}
}
