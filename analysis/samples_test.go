package analysis_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// inTurns are two runs whose trials were measured side by side: each pair of trials shares how fast the machine
// was. The newer one does so many times as much.
func inTurns(random *rand.Rand, shared, off float64, factor func(string, int) float64) (older, newer *results.Run) {
	older, newer = sweepOf(random, off, alike), sweepOf(random, off, factor)
	older.Envs[0].Settings.Turns, newer.Envs[0].Settings.Turns = "a", "a"
	for i := range older.Trials {
		by := math.Exp(shared * random.NormFloat64())
		for _, t := range []*results.Trial{&older.Trials[i], &newer.Trials[i]} {
			t.WallNS = int64(float64(t.WallNS) * by)
		}
	}
	return older, newer
}

// What a pair of trials shares is in no interval: a machine that is now fast and now slow, by ten
// times what a trial is off, hides no slowdown, and nothing is made of it.
func TestComparisonInPairs(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(8, 8))
	slow := func(variant string, _ int) float64 {
		if variant == "v3" {
			return 0.9
		}
		return 1
	}
	const pairs = 100
	called, passed, found, others := 0, 0, 0, 0
	for range pairs {
		older, newer := inTurns(random, 0.2, 0.02, alike)
		c := analysis.Compare(older, newer)
		if cellsDiffer(c) || variantsDiffer(c) {
			called++
		}
		for _, g := range analysis.GateChanges(c, 0.05) {
			if g.Status == results.GatePassed {
				passed++
			}
		}
		its, rest := count(analysis.Compare(inTurns(random, 0.2, 0.02, slow)), 0.05, results.GateFailed, "log/v3 ")
		found, others = found+its, others+rest
	}
	t.Logf("%d of %d equal pairs are called different, %d of %d thresholds pass; a tenth less is found in %d, %d others fail", called, pairs, passed, 9*pairs, found, others)
	if called > pairs*5/100 || passed < 9*pairs*90/100 || found < pairs*95/100 || others > pairs*2/100 {
		t.Errorf("%d of %d equal pairs are called different, %d of %d thresholds pass; a tenth less is found in %d, %d others fail", called, pairs, passed, 9*pairs, found, others)
	}
}

// Where each of a pair scatters by itself, more than layout makes, chance is called no difference either: of
// cells and variants together in a comparison of twenty.
func TestPairsThatScatter(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(5, 6))
	const pairs = 400
	called, failed := 0, 0
	for range pairs {
		older, newer := inTurns(random, 0.2, 0.3, alike)
		c := analysis.Compare(older, newer)
		if cellsDiffer(c) || variantsDiffer(c) {
			called++
		}
		if its, others := count(c, 0.05, results.GateFailed, "log/v3 "); its+others > 0 {
			failed++
		}
	}
	t.Logf("%d of %d equal pairs are called different, %d fail", called, pairs, failed)
	if called > pairs*7/100 || failed > pairs*5/100 { // by chance: 5 %, two standard errors more
		t.Errorf("%d of %d equal pairs are called different, %d fail", called, pairs, failed)
	}
}

// Two programs that took turns were both asked for all: what an error ended in the older one, at all
// levels of N, is held to the threshold, though the newer one measured it.
func TestTurnsOfAVariantThatFailedInOne(t *testing.T) {
	older, newer := inTurns(rand.New(rand.NewPCG(8, 8)), 0.1, 0.001, alike)
	older.Trials = slices.DeleteFunc(older.Trials, func(t results.Trial) bool { return t.Variant == "v3" })
	older.Outcomes = []results.Outcome{{Experiment: "log", Variant: "v3", Factors: newer.Trials[0].Factors, Goroutines: 2, Kind: results.OutcomeError, Text: "killed"}}
	if its, others := count(analysis.Compare(older, newer), 0.05, results.GateUnseen, "log/v3"); its != 5 || others != 0 {
		t.Errorf("%d of its five levels are held, and %d others cannot be told", its, others)
	}
}

// A block that one of the two lacks is no pair, and the others are still those of one another.
func TestPairsOfBlocksThatBothHave(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	older, newer := inTurns(random, 0.3, 0.0001, func(string, int) float64 { return 0.9 })
	newer.Trials = slices.DeleteFunc(newer.Trials, func(t results.Trial) bool { return t.Variant == "v0" && t.Goroutines == 2 && t.Block == 1 })
	slices.Reverse(newer.Trials)
	c := analysis.Compare(older, newer)
	for _, p := range c.Pooled {
		if p.Call != results.Worse && p.Variant != "v0" || math.Abs(float64(p.Ratio.Median)-0.9) > 0.001 {
			t.Errorf("%s: %+v, %s", p.Variant, p.Ratio, p.Call)
		}
	}
}

// Trials that are autocorrelated tell less of where another run would have been than as many that are not: the
// intervals of two runs whose order says so are wider, and hold the truth in nearly all.
func TestAutocorrelatedRuns(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(21, 4))
	const blocks, comparisons = 24, 40
	wander := func() *results.Run {
		run := sweepOf(random, 0, alike)
		first := run.Trials
		run.Trials = nil
		for _, trial := range first {
			if trial.Block > 1 {
				continue
			}
			last := random.NormFloat64()
			for block := range blocks {
				trial.Block = block + 1
				last = 0.8*last + 0.6*random.NormFloat64()
				now := trial
				now.WallNS = int64(float64(now.WallNS) * math.Exp(0.1*last))
				run.Trials = append(run.Trials, now)
			}
		}
		return run
	}
	held, cells, called := 0, 0, 0
	for range comparisons {
		c := analysis.Compare(wander(), wander())
		if !slices.ContainsFunc(c.Warnings, func(w results.Warning) bool {
			return w.Code == results.WarnInOrder && strings.HasPrefix(w.Text, "for the order of the blocks")
		}) {
			t.Errorf("not said: %v", c.Warnings)
		}
		if cellsDiffer(c) || variantsDiffer(c) {
			called++
		}
		for _, change := range c.Changes {
			if cells++; change.Ratio.Low <= 1 && change.Ratio.High >= 1 {
				held++
			}
		}
	}
	t.Logf("%d of %d intervals hold the truth, %d of %d comparisons call something", held, cells, called, comparisons)
	if held < cells*85/100 || called > comparisons/10 {
		t.Errorf("%d of %d intervals hold the truth, %d of %d comparisons call something", held, cells, called, comparisons)
	}
}
