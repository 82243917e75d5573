package analysis_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
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

// A comparison that ends where its pairs were said to be enough calls no more of equal programs than is
// said, passes them, and fails a loss of twice the drop, whatever the pairs scatter by. Three cells a variant; a
// run asks behind each block from the 13th on.
func TestPairsNeeded(t *testing.T) {
	const drop, most, draws = 0.05, 60, 400
	random := rand.New(rand.NewPCG(11, 13))
	for _, scatter := range []float64{0.03, 0.10, 0.15, 0.2} { // of a cell
		beyond, passed, failed, pairs := 0, 0, 0, 0
		for range draws {
			newer, older := make([][]float64, 3), make([][]float64, 3)
			var scores, ones []float64
			for need := most; len(scores) < need; {
				score := 1.0
				for i := range newer {
					off := math.Exp(scatter * random.NormFloat64())
					newer[i], older[i] = append(newer[i], off), append(older[i], 1)
					score *= math.Cbrt(off)
				}
				scores, ones = append(scores, score), append(ones, 1)
				if len(scores) >= 13 {
					need = min(most, analysis.PairsNeeded(newer, older, drop))
				}
			}
			ratio := stats.SignedRankRatio(scores, ones, 0.95)
			pairs += len(scores)
			if ratio.Low > 1 || ratio.High < 1 {
				beyond++
			}
			if ratio.Low >= 1-drop {
				passed++
			}
			if ratio.High*(1-2*drop) < 1-drop {
				failed++
			}
		}
		t.Logf("cells off by %.0f %%: %d pairs; of %d intervals %d miss, %d pass, %d of a planted tenth fail", 100*scatter, pairs/draws, draws, beyond, passed, failed)
		if beyond > draws*8/100 || passed < draws*85/100 || failed < draws*88/100 {
			t.Errorf("cells off by %.0f %%: of %d intervals %d miss, %d pass, %d of a planted tenth fail", 100*scatter, draws, beyond, passed, failed)
		}
	}
	if got := analysis.PairsNeeded([][]float64{{0, 1, 1}}, [][]float64{{1, 1, 1}}, drop); got < 1e6 {
		t.Errorf("of a rate of zero: %d", got)
	}
}
