package analysis_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// sweepOf is a run of nine variants at five levels of N in six blocks, of which trials are off
// by such a part. A factor for a cell makes it another rate than that of the others.
func sweepOf(random *rand.Rand, off float64, factor func(variant string, n int) float64) *results.Run {
	run := runOf(1)
	run.Trials, run.Experiments[0].Variants = nil, nil
	for v := range 9 {
		name := fmt.Sprintf("v%d", v)
		run.Experiments[0].Variants = append(run.Experiments[0].Variants, results.Variant{Name: name})
		for _, n := range []int{1, 2, 4, 8, 16} {
			for block := range 6 {
				t := runOf(1e5 * factor(name, n) * math.Exp(off*random.NormFloat64())).Trials[0]
				t.Variant, t.Goroutines, t.Block = name, n, block+1
				run.Trials = append(run.Trials, t)
			}
		}
	}
	return run
}

func alike(string, int) float64 { return 1 }

// Of runs that differ by chance alone at most one comparison in twenty calls anything better
// or worse, a whole variant or any of 45 cells, however noisy the trials are.
func TestNothingIsMadeOfNoiseInAWholeComparison(t *testing.T) {
	racing.Simulation(t)
	for off, pairs := range map[float64]int{0.02: 40, 0.1: 40, 0.3: 200} { // the wider, the more it takes to see a wrong one
		random := rand.New(rand.NewPCG(5, 6))
		cells, variants, failed := 0, 0, 0
		for range pairs {
			c := analysis.Compare(sweepOf(random, off, alike), sweepOf(random, off, alike))
			if cellsDiffer(c) {
				cells++
			}
			if variantsDiffer(c) {
				variants++
			}
			for _, g := range analysis.GateChanges(c, 0.05) {
				if g.Status == results.GateFailed {
					failed++
					break
				}
			}
		}
		t.Logf("trials off by %.0f %%: of %d comparisons %d called a cell different, %d a variant, %d failed a threshold", 100*off, pairs, cells, variants, failed)
		if most := pairs / 20; cells > most || variants > most || failed > most {
			t.Errorf("of %d comparisons of equal runs %d called a cell different, %d a variant, %d failed a threshold", pairs, cells, variants, failed)
		}
	}
}

func cellsDiffer(c *results.Comparison) bool { return slices.ContainsFunc(c.Changes, differs) }

func variantsDiffer(c *results.Comparison) bool {
	return slices.ContainsFunc(c.Pooled, func(p results.Pooled) bool { return differs(p.Change) })
}

func differs(c results.Change) bool { return c.Call == results.Better || c.Call == results.Worse }

// count is how many thresholds that begin so come out in a way, and how many others.
func count(c *results.Comparison, drop float64, status, of string) (its, others int) {
	for _, g := range analysis.GateChanges(c, drop) {
		switch {
		case g.Status != status:
		case strings.HasPrefix(g.Threshold, of):
			its++
		default:
			others++
		}
	}
	return its, others
}

// A variant that is slower by a tenth at all N is found where trials are off by 5 %, though
// hardly a cell of it is, and a threshold of 5 % fails of it alone.
func TestPlantedSlowdown(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(8, 9))
	const pairs = 40
	found, others := 0, 0
	for range pairs {
		c := analysis.Compare(sweepOf(random, 0.05, alike), sweepOf(random, 0.05, func(variant string, _ int) float64 {
			if variant == "v3" {
				return 0.88
			}
			return 1
		}))
		its, rest := count(c, 0.05, results.GateFailed, "log/v3 over N = 1, 2, 4, 8, 16:")
		found, others = found+its, others+rest
	}
	if found < pairs*9/10 || others > 2 {
		t.Errorf("found in %d of %d pairs, and %d others", found, pairs, others)
	}
}

// What one level of N loses is not evened out by the others: such a variant passes no threshold.
func TestOneLevelSlower(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	half := func(_ string, n int) float64 {
		if n == 16 {
			return 0.8
		}
		return 1.06 // together as fast as before
	}
	c := analysis.Compare(sweepOf(random, 0.005, alike), sweepOf(random, 0.005, half))
	for _, g := range analysis.GateChanges(c, 0.05) {
		if g.Status != results.GateFailed || !strings.Contains(g.Text, "at N = 16 slower by ") {
			t.Errorf("%+v", g)
		}
	}
}

// A cell that is doubted is left out of its variant, and held to the threshold alone.
func TestDoubtedLevelIsNotPooled(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	older, newer := sweepOf(random, 0.01, alike), sweepOf(random, 0.01, alike)
	for i := range newer.Trials {
		if trial := &newer.Trials[i]; trial.Variant == "v0" && trial.Goroutines == 4 {
			trial.Warnings = append(trial.Warnings, results.Warning{Code: results.WarnDisturbed})
		}
	}
	c := analysis.Compare(older, newer)
	statuses := map[string]string{}
	for _, g := range analysis.GateChanges(c, 0.05) {
		statuses[g.Threshold] = g.Status
	}
	if len(statuses) != 10 || statuses["log/v0 over N = 1, 2, 8, 16: at most 5.0 % slower"] != results.GatePassed || statuses["log/v0@4: at most 5.0 % slower"] != results.GateUnseen {
		t.Errorf("%v", statuses)
	}
}

// What looks slower at one level, though not certainly beside so many others, keeps its variant
// from passing.
func TestOneLevelLooksSlower(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	one := func(_ string, n int) float64 {
		if n == 16 {
			return 0.86
		}
		return 1.04
	}
	c := analysis.Compare(sweepOf(random, 0.03, alike), sweepOf(random, 0.03, one))
	alone := 0
	for _, g := range analysis.GateChanges(c, 0.05) {
		if g.Status == results.GatePassed {
			t.Errorf("%+v", g)
		}
		if g.Status == results.GateUnseen && strings.Contains(g.Text, ", but at N = 16 alone 0.8") {
			alone++
		}
	}
	if alone == 0 {
		t.Error("no level is named that looks slower alone")
	}
}

// A variant is no surer than its cells: where their rates can be too high by half, so can its.
func TestVariantIsAsUnsureAsItsCells(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	older, newer := sweepOf(random, 0.005, alike), sweepOf(random, 0.005, alike)
	for i := range newer.Trials {
		newer.Trials[i].Alone = 0.5
	}
	for _, p := range analysis.Compare(older, newer).Pooled {
		if low := 1 / 1.5; float64(p.Ratio.Low) > 1.01*low || float64(p.Sure.Low) > 1.01*low || p.Call != results.CannotTell {
			t.Errorf("%s: %v, surely %v: %s", p.Variant, p.Ratio, p.Sure, p.Call)
		}
	}
}

// A level that lost a quarter, in trials that are off by a tenth, seldom passes a threshold of a fifth
// behind seven others that lost nothing, and what lost nothing mostly does.
func TestOneSlowLevelOfMany(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(8, 9))
	passed, quiet := 0, 0
	const pairs = 40
	for range pairs {
		c := analysis.Compare(sweepOf(random, 0.1, alike), sweepOf(random, 0.1, func(variant string, n int) float64 {
			if variant == "v0" && n == 1 {
				return 0.75
			}
			return 1
		}))
		its, rest := count(c, 0.2, results.GatePassed, "log/v0 ")
		passed, quiet = passed+its, quiet+rest
	}
	t.Logf("of %d slow variants %d passed, of %d others %d", pairs, passed, 8*pairs, quiet)
	if passed > pairs*30/100 || quiet < 8*pairs*95/100 {
		t.Errorf("of %d slow variants %d passed, of %d others %d", pairs, passed, 8*pairs, quiet)
	}
}

// Of four trials that have one of two rates by the toss of a coin all of one run can have the one, and
// all of the other run the other: of 45 cells one does so in every third pair of equal runs.
func TestTossesOfACoin(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(8, 9))
	tossed := func() *results.Run {
		run := sweepOf(random, 0.02, alike)
		run.Trials = slices.DeleteFunc(run.Trials, func(t results.Trial) bool { return t.Block > 4 })
		for i := range run.Trials {
			if random.IntN(2) == 0 {
				run.Trials[i].WallNS = run.Trials[i].WallNS * 10 / 7
			}
		}
		return run
	}
	called := 0
	const pairs = 100
	for range pairs {
		c := analysis.Compare(tossed(), tossed())
		if cellsDiffer(c) || variantsDiffer(c) {
			called++
		}
	}
	if called > pairs*5/100 {
		t.Errorf("%d of %d pairs of equal runs are called different", called, pairs)
	}
}

// What all trials did together is in the interval of a variant as of all its levels: where a trial stalled in each
// run at another level it makes nothing wider, and where the newer run's stalled at all of them it is held.
func TestVariantHoldsWhatAllTrialsDidTogether(t *testing.T) {
	stalled := func(older, newer []int) results.Interval {
		random := rand.New(rand.NewPCG(2, 9))
		old, now := inTurns(random, 0.1, 0.01, alike)
		for six := 1; six < 4; six++ {
			moreOld, moreNow := inTurns(random, 0.1, 0.01, alike)
			for run, more := range map[*results.Run]*results.Run{old: moreOld, now: moreNow} {
				for _, t := range more.Trials {
					t.Block += 6 * six
					run.Trials = append(run.Trials, t)
				}
			}
		}
		for run, levels := range map[*results.Run][]int{old: older, now: newer} {
			for i := range run.Trials {
				if trial := &run.Trials[i]; trial.Variant == "v3" && trial.Block == 4 && slices.Contains(levels, trial.Goroutines) {
					trial.WallNS *= 10
				}
			}
		}
		c := analysis.Compare(old, now)
		i := slices.IndexFunc(c.Pooled, func(p results.Pooled) bool { return p.Variant == "v3" })
		return c.Pooled[i].Ratio
	}
	calm, either, all := stalled(nil, nil), stalled([]int{1}, []int{2}), stalled(nil, []int{1, 2, 4, 8, 16})
	if either.Low < calm.Low*0.98 || either.High > calm.High*1.02 {
		t.Errorf("a stall each: %.3f–%.3f, without %.3f–%.3f", either.Low, either.High, calm.Low, calm.High)
	}
	if together := 24. / 33; float64(all.Low) > together*1.05 { // that block was slow for both by some percent
		t.Errorf("one stalled trial of 24 at all levels: %.3f–%.3f, and %.2f together", all.Low, all.High, together)
	}
}
