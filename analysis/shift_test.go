package analysis_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// Runs that differ as a whole are called different in no more than one comparison of twenty, and what
// one variant lost beside that is found.
func TestRunsThatShift(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(5, 6))
	shifted := func(factor func(string, int) float64) *results.Run {
		by := math.Exp(0.05 * random.NormFloat64())
		return sweepOf(random, 0.02, func(variant string, n int) float64 { return by * factor(variant, n) })
	}
	slow := func(variant string, _ int) float64 {
		if variant == "v3" {
			return 0.75
		}
		return 1
	}
	const pairs = 100
	called, found, others := 0, 0, 0
	for range pairs {
		c := analysis.Compare(shifted(alike), shifted(alike))
		if cellsDiffer(c) || variantsDiffer(c) {
			called++
		}
		its, rest := count(analysis.Compare(shifted(alike), shifted(slow)), 0.05, results.GateFailed, "log/v3 ")
		found, others = found+its, others+rest
	}
	t.Logf("%d of %d equal pairs are called different; a quarter less is found in %d, %d others fail", called, pairs, found, others)
	if called > pairs*5/100 || found < pairs*95/100 || others > pairs*2/100 {
		t.Errorf("%d of %d equal pairs are called different; a quarter less is found in %d, %d others fail", called, pairs, found, others)
	}
}

// Where two runs took turns, what all variants lost is theirs: no machine does that to one of them.
func TestRunsThatTookTurns(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	older, newer := sweepOf(random, 0.005, alike), sweepOf(random, 0.005, func(string, int) float64 { return 0.9 })
	for turns, want := range map[string]string{"a": results.GateFailed, "b": results.GateUnseen} {
		older.Envs[0].Settings.Turns, newer.Envs[0].Settings.Turns = "a", turns
		c := analysis.Compare(older, newer)
		if c.Turns != (turns == "a") {
			t.Errorf("%s: %v", turns, c.Turns)
		}
		for _, g := range analysis.GateChanges(c, 0.05) {
			if g.Status != want {
				t.Errorf("%s: %+v", turns, g)
			}
		}
		if shifted := slices.ContainsFunc(c.Warnings, func(w results.Warning) bool { return w.Code == results.WarnShift }); shifted != (turns == "b") {
			t.Errorf("%s: %v", turns, c.Warnings)
		}
	}
}

// What all variants lost is called of none, up to a quarter, and said; beyond that it fails.
func TestWhatAllVariantsLost(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for factor, want := range map[float64]string{0.9: results.GateUnseen, 0.6: results.GateFailed} {
		c := analysis.Compare(sweepOf(random, 0.005, alike), sweepOf(random, 0.005, func(string, int) float64 { return factor }))
		for _, g := range analysis.GateChanges(c, 0.05) {
			if g.Status != want {
				t.Errorf("%v times as much: %+v", factor, g)
			}
		}
		if !slices.ContainsFunc(c.Warnings, func(w results.Warning) bool {
			return w.Code == results.WarnShift && strings.Contains(w.Text, fmt.Sprintf("three of four variants did %.1f", factor))
		}) {
			t.Errorf("%v times as much: warnings %q", factor, c.Warnings)
		}
	}
}

// A limit that was measured along tells of the variants that survive what it does, and of no others.
func TestWhatALimitLost(t *testing.T) {
	const unsure = 0 // a limit that scatters, with a median 15 % lower
	run := func(flush, durable, fast float64) *results.Run {
		run := runOf(spread(durable)...)
		limit := spread(flush)
		if flush == unsure {
			limit = []float64{0.5e4, 0.7e4, 0.85e4, 0.85e4, 1.2e4, 1.4e4}
		}
		run.Experiments = append(run.Experiments, results.Experiment{Name: "limits", Along: true, Variants: []results.Variant{{Name: "flush", Promise: results.Promise{Order: "total", Result: "linearizable", Survives: "power-cut"}}}})
		run.Experiments[0].Variants[0].Promise.Survives = "power-cut"
		run.Experiments[0].Variants = append(run.Experiments[0].Variants, results.Variant{Name: "memory", Promise: results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}})
		for of, rates := range map[string][]float64{"limits/flush": limit, "log/memory": spread(fast)} {
			for _, trial := range runOf(rates...).Trials {
				trial.Experiment, trial.Variant, _ = strings.Cut(of, "/")
				run.Trials = append(run.Trials, trial)
			}
		}
		return run
	}
	for _, c := range []struct {
		flush, durable, fast float64
		file, memory         string
	}{
		{1e4, 1e3, 1e6, results.Same, results.Same},
		{0.8e4, 0.8e3, 1e6, results.CannotTell, results.Same},
		{0.8e4, 0.8e3, 0.8e6, results.CannotTell, results.Worse},
		{0.8e4, 0.5e3, 1e6, results.Worse, results.Same},
		{unsure, 0.85e3, 1e6, results.Worse, results.Same},
		{0.8e4, 1e3, 1e6, results.CannotTell, results.Same}, // as fast as before on a slower disk: better, perhaps
	} {
		comparison := analysis.Compare(run(1e4, 1e3, 1e6), run(c.flush, c.durable, c.fast))
		for _, change := range comparison.Changes {
			if want := map[string]string{"file": c.file, "memory": c.memory}[change.Variant]; want != "" && change.Call != want {
				t.Errorf("%+v: %s is called %s", c, change.Variant, change.Call)
			}
		}
	}
}

// A latency that grew as the rates of all others fell is called of no cell; a count is.
func TestCostsThatShift(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	costly := func(factor float64) *results.Run {
		run := sweepOf(random, 0.005, func(string, int) float64 { return 1 / factor })
		for i := range run.Trials {
			trial := &run.Trials[i]
			trial.Latency = results.NewLatency(new(hist.Histogram), results.Each)
			trial.Latency.P99NS = results.Number(1000 * factor * (1 + 0.001*float64(trial.Block)))
			trial.Usage.Allocs = results.Number(float64(trial.Ops) * factor * (1 + 0.001*float64(trial.Block)))
		}
		return run
	}
	for _, c := range analysis.Compare(costly(1), costly(1.15)).Costs {
		if want := map[string]string{"p99": results.CannotTell, "allocs": results.Worse}[c.Cost]; c.Call != want {
			t.Fatalf("%s of %s is called %s", c.Cost, c.Cell().Name(), c.Call)
		}
	}
}

// What a limit explains of one level keeps its variant from failing, and from passing, too.
func TestOneLevelBesideAMovedLimit(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	run := func(flush, last float64) *results.Run {
		run := sweepOf(random, 0.01, func(variant string, n int) float64 {
			if variant == "v0" && n == 16 {
				return last
			}
			return 1
		})
		run.Experiments = append(run.Experiments, results.Experiment{Name: "limits", Along: true, Variants: []results.Variant{{Name: "flush", Promise: results.Promise{Order: "total", Result: "linearizable", Survives: "power-cut"}}}})
		for i := range run.Experiments[0].Variants {
			run.Experiments[0].Variants[i].Promise.Survives = "power-cut"
		}
		for _, trial := range runOf(spread(flush)...).Trials {
			trial.Experiment, trial.Variant = "limits", "flush"
			run.Trials = append(run.Trials, trial)
		}
		return run
	}
	c := analysis.Compare(run(1e4, 1), run(0.8e4, 0.82))
	for _, g := range analysis.GateChanges(c, 0.05) {
		if want := strings.HasPrefix(g.Threshold, "log/v0 "); (g.Status == results.GateUnseen) != want || g.Status == results.GateFailed {
			t.Errorf("%+v", g)
		}
	}
	for _, change := range c.Changes {
		if change.Along && change.Call != results.Worse {
			t.Errorf("the limit itself is called %s", change.Call)
		}
	}
}

// Three variants have two others each, which tell nothing: nothing is taken off, and nothing said of that.
func TestThreeVariantsThatShift(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	three := func(factor float64) *results.Run {
		run := sweepOf(random, 0.005, func(string, int) float64 { return factor })
		run.Trials = slices.DeleteFunc(run.Trials, func(t results.Trial) bool { return t.Variant > "v2" })
		return run
	}
	c := analysis.Compare(three(1), three(0.85))
	for _, p := range c.Pooled {
		if p.Call != results.Worse {
			t.Errorf("%s is called %s", p.Variant, p.Call)
		}
	}
	if slices.ContainsFunc(c.Warnings, func(w results.Warning) bool { return w.Code == results.WarnShift }) {
		t.Errorf("warnings %q", c.Warnings)
	}
}

// Others that are not of one mind tell nothing: what five of eight lost is called.
func TestOthersOfTwoMinds(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	c := analysis.Compare(sweepOf(random, 0.005, alike), sweepOf(random, 0.005, func(variant string, _ int) float64 {
		if variant < "v6" {
			return 0.85
		}
		return 1
	}))
	for _, p := range c.Pooled {
		if (p.Call == results.Worse) != (p.Variant < "v6") {
			t.Errorf("%s is called %s", p.Variant, p.Call)
		}
	}
}
