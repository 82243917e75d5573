package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// needing is a run of one variant, in which trials are off by such a part.
func needing(random *rand.Rand, trials int, off float64) *results.Run {
	var rates []float64
	for range trials {
		rates = append(rates, 1e5*math.Exp(off*random.NormFloat64()))
	}
	return runOf(rates...)
}

// As many trials as are said to be needed pass a threshold in about four runs of five that are
// no slower, and half as many much less often.
func TestNeeds(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(3, 3))
	const runs = 150
	passed, half, said := 0, 0, 0
	for range runs {
		older := needing(random, 30, 0.08)
		needs := analysis.Needs(older, 0.08)
		if len(needs) != 1 || needs[0].Variant != "log/file" || needs[0].Trials < 6 {
			t.Fatalf("%+v", needs)
		}
		said += needs[0].Trials
		passes := func(trials int) bool {
			return analysis.GateChanges(analysis.Compare(older, needing(random, trials, 0.08)), 0.08)[0].Status == results.GatePassed
		}
		if passes(needs[0].Trials) {
			passed++
		}
		if passes(max(4, needs[0].Trials/2)) {
			half++
		}
	}
	t.Logf("%.0f trials on average: %d of %d pass, with half of them %d", float64(said)/runs, passed, runs, half)
	if passed < runs*65/100 || passed > runs*92/100 || half > passed*9/10 {
		t.Errorf("%d of %d pass, with half of the trials %d", passed, runs, half)
	}
	if needs := analysis.Needs(needing(random, 6, 0.3), 0.05); len(needs) != 1 || needs[0].Trials != 0 {
		t.Errorf("beside six trials that are off by 30 %%: %+v", needs)
	}
	if needs := analysis.Needs(needing(random, 6, 0.001), 0.05); len(needs) != 1 || needs[0].Trials != 6 {
		t.Errorf("of a quiet run: %+v", needs)
	}
	if needs := analysis.Needs(needing(random, 3, 0.001), 0.05); len(needs) != 0 {
		t.Errorf("of three trials: %+v", needs)
	}
}
