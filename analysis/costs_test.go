package analysis_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/results"
)

// costing is a run of which each trial's operations take so much.
func costing(p99, allocs []float64) *results.Run {
	run := runOf(spread(1e6)[:len(p99)]...)
	for i := range run.Trials {
		t := &run.Trials[i]
		t.Latency = results.NewLatency(new(hist.Histogram), results.Each)
		t.Latency.P99NS = results.Number(p99[i])
		t.Usage.Allocs = results.Number(allocs[i] * float64(t.Ops))
	}
	return run
}

func TestGateCosts(t *testing.T) {
	flat, none, missing := []float64{1, 1, 1, 1, 1, 1}, make([]float64, 6), float64(results.Missing())
	for name, c := range map[string]struct {
		older, newer *results.Run
		cost         analysis.Cost
		status, text string
	}{
		"the same":            {costing(spread(1000), flat), costing(spread(1000), flat), analysis.Cost{Name: "p99", Share: 0.1}, results.GatePassed, "ratio 1.00"},
		"twice as long":       {costing(spread(1000), flat), costing(spread(2000), flat), analysis.Cost{Name: "p99", Share: 0.1}, results.GateFailed, "ratio 2.00"},
		"shorter":             {costing(spread(1000), flat), costing(spread(500), flat), analysis.Cost{Name: "p99", Share: 0.1}, results.GatePassed, "ratio 0.500"},
		"noisy":               {costing([]float64{1000, 1500, 700, 900, 2000, 1100}, flat), costing(spread(1000), flat), analysis.Cost{Name: "p99", Share: 0.1}, results.GateUnseen, "is not ruled out"},
		"no more than 3 %":    {costing(spread(1000), flat), costing(spread(1030), flat), analysis.Cost{Name: "p99", Share: 0.01}, results.GateUnseen, "ratio 1.03"},
		"not told":            {costing([]float64{missing, missing, missing, missing, 5, 5}, flat), costing(spread(1000), flat), analysis.Cost{Name: "p99", Share: 0.1}, results.GateUnseen, "in the older run fewer than 4 trials"},
		"three trials":        {costing(spread(1000)[:3], flat), costing(spread(1000)[:3], flat), analysis.Cost{Name: "p99", Share: 0.1}, results.GateUnseen, "fewer than 4 trials"},
		"no allocations":      {costing(flat, none), costing(flat, none), analysis.Cost{Name: "allocs", Share: 0.1}, results.GatePassed, "none in both runs"},
		"an allocation":       {costing(flat, none), costing(flat, flat), analysis.Cost{Name: "allocs", Share: 0.1}, results.GateFailed, "none before, now 1.00"},
		"no allocation more":  {costing(flat, flat), costing(flat, none), analysis.Cost{Name: "allocs", Share: 0.1}, results.GatePassed, "none any more"},
		"one here and there":  {costing(flat, none), costing(flat, []float64{0, 1, 0, 1, 1, 1}), analysis.Cost{Name: "allocs", Share: 0.1}, results.GateUnseen, "in some trials now"},
		"twice as many":       {costing(flat, flat), costing(flat, []float64{2, 2, 2, 2, 2, 2}), analysis.Cost{Name: "allocs", Share: 0.1}, results.GateFailed, "ratio 2.00"},
		"2 % more":            {costing(flat, flat), costing(flat, []float64{1.02, 1.02, 1.02, 1.02, 1.02, 1.02}), analysis.Cost{Name: "allocs", Share: 0.01}, results.GateFailed, "ratio 1.02"},
		"astride of none":     {costing(flat, []float64{.0098, .0098, .0098, .0098, .0098, .0098}), costing(flat, []float64{.0102, .0102, .0102, .0102, .0102, .0102}), analysis.Cost{Name: "allocs", Share: 0.5}, results.GateUnseen, "next to none"},
		"one trial of none":   {costing(flat, []float64{5, 5, 0, 5, 5, 5}), costing(flat, []float64{50, 50, 50, 50, 50, 50}), analysis.Cost{Name: "allocs", Share: 0.5}, results.GateUnseen, "some trials have none of it"},
		"the short not told":  {costing([]float64{missing, 1000, 1000, 1001, 1002, 1000}, flat), costing(spread(1000), flat), analysis.Cost{Name: "p99", Share: 0.1}, results.GateUnseen, "only 5 of 6 trials have a p99, and the others may be the short ones"},
		"as many as in every": {costing(flat, flat), costing(flat, flat), analysis.Cost{Name: "allocs", Share: 0.01}, results.GatePassed, "ratio 1.00"},
	} {
		gates := analysis.GateCosts(new(results.Comparison), c.older, c.newer, c.cost)
		if len(gates) != 1 || gates[0].Status != c.status || !strings.Contains(gates[0].Text, c.text) || !strings.HasPrefix(gates[0].Threshold, "log/file@1: "+c.cost.Name+" at most ") {
			t.Errorf("%s: %+v", name, gates)
		}
	}
}

// Of twelve trials an interval leaves out three that stalled: what takes half as much again of all operations passes
// nothing, nor is it called the same.
func TestCostsOfTrialsThatStalled(t *testing.T) {
	of := func(factors ...float64) *results.Run {
		run := runOf(slices.Concat(spread(1e6), spread(1e6))...)
		for i := range run.Trials {
			t, by := &run.Trials[i], 1.0
			if i < len(factors) {
				by = factors[i]
			}
			t.Latency = results.NewLatency(new(hist.Histogram), results.Each)
			t.Latency.MeanNS, t.Latency.P99NS = results.Number(1000*by), results.Number(3000*by)
			t.Usage.Allocs, t.Usage.AllocBytes = results.Number(2*by*float64(t.Ops)), results.Number(64*by*float64(t.Ops))
		}
		return run
	}
	for _, turns := range []string{"", "a"} {
		older, newer := of(), of(3, 3, 3)
		older.Envs[0].Settings.Turns, newer.Envs[0].Settings.Turns = turns, turns
		for _, name := range []string{"mean", "p99", "allocs", "bytes"} {
			if g := analysis.GateCosts(new(results.Comparison), older, newer, analysis.Cost{Name: name, Share: 0.05})[0]; g.Status != results.GateUnseen || !strings.Contains(g.Text, "growth by up to 50.0 %") {
				t.Errorf("%s: %+v", name, g)
			}
		}
		for _, c := range analysis.Compare(older, newer).Costs {
			if c.Call != results.CannotTell {
				t.Errorf("%+v", c)
			}
		}
	}
}

// What is told to be needed is enough.
func TestLeastCostThatPasses(t *testing.T) {
	older, newer := costing(spread(1000), make([]float64, 6)), costing(spread(1003), make([]float64, 6))
	text := analysis.GateCosts(new(results.Comparison), older, newer, analysis.Cost{Name: "p99", Share: 0.001})[0].Text
	_, number, _ := strings.Cut(text, "growth by up to ")
	number, _, _ = strings.Cut(number, " %")
	share, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	if g := analysis.GateCosts(new(results.Comparison), older, newer, analysis.Cost{Name: "p99", Share: share / 100})[0]; g.Status != results.GatePassed {
		t.Errorf("%q, and of %v %%: %+v", text, share, g)
	}
}

// growing is a run of trials of so many operations, each of which takes the longer the more were done, so many
// times as long as another run's.
func growing(ops int, by float64) *results.Run {
	run := costing(spread(1000), make([]float64, 6))
	for i := range run.Trials {
		t := &run.Trials[i]
		mean := float64(ops) / 2 * by * spread(1)[i]
		t.Ops, t.WallNS, t.GoroutineNS = ops, int64(float64(ops)*mean), int64(float64(ops)*mean)
		t.HalfOps, t.HalfNS = ops/2, t.WallNS/4
		t.Latency.MeanNS, t.Latency.P99NS, t.Usage.AllocBytes = results.Number(mean), results.Number(2*mean), results.Number(ops*100)
	}
	return run
}

// Costs are of the same work, as rates are: where operations take the longer the more were done, other
// numbers of them neither fail equal programs nor pass a slower one.
func TestCostsOfUnlikeWork(t *testing.T) {
	for name, c := range map[string]struct {
		ops  int
		by   float64
		cost string
		want string
	}{
		"as many":            {100_000, 1, "mean", results.GatePassed},
		"as many, slower":    {100_000, 1.2, "mean", results.GateFailed},
		"more":               {112_000, 1, "mean", results.GateUnseen},
		"more, p99":          {112_000, 1, "p99", results.GateUnseen},
		"fewer, slower":      {93_000, 1.08, "mean", results.GateUnseen},
		"many more":          {260_000, 1, "mean", results.GateUnseen},
		"many more, bytes":   {260_000, 1, "bytes", results.GateUnseen},
		"more, bytes":        {108_000, 1, "bytes", results.GateUnseen},
		"nearly as many":     {103_000, 1, "bytes", results.GatePassed},
		"more, without more": {108_000, 1, "allocs", results.GatePassed},
	} {
		gates := analysis.GateCosts(new(results.Comparison), growing(100_000, 1), growing(c.ops, c.by), analysis.Cost{Name: c.cost, Share: 0.05})
		if len(gates) != 1 || gates[0].Status != c.want {
			t.Errorf("%s: %+v", name, gates)
		}
	}
}

// What is not known of all operations that were due, or of a variant that an error ended, is held to nothing.
func TestCostsOfWhatIsNotKnown(t *testing.T) {
	flat := []float64{1, 1, 1, 1, 1, 1}
	for want, spoil := range map[string]func(*results.Run){
		"failed": func(run *results.Run) {
			for i := range run.Trials {
				run.Trials[i].Failed = run.Trials[i].Ops / 3
			}
		},
		"were never sent": func(run *results.Run) {
			for i := range run.Trials {
				run.Trials[i].Open = &results.Open{Unsent: 1}
			}
		},
		"in the newer run the variant ": func(run *results.Run) {
			run.Outcomes = []results.Outcome{{Experiment: "log", Variant: "file", Goroutines: 1, Kind: results.OutcomeError, Text: "disk full"}}
		},
	} {
		newer := costing(spread(1000), flat)
		spoil(newer)
		gates := analysis.GateCosts(new(results.Comparison), costing(spread(1000), flat), newer, analysis.Cost{Name: "p99", Share: 0.1})
		if len(gates) != 1 || gates[0].Status != results.GateUnseen || !strings.Contains(gates[0].Text, want) {
			t.Errorf("%s: %+v", want, gates)
		}
	}
}

// What the new run lacks passes no cost.
func TestCostsOfWhatIsGone(t *testing.T) {
	run := costing(spread(1000), []float64{1, 1, 1, 1, 1, 1})
	gates := analysis.GateCosts(&results.Comparison{Lost: []string{"log/gone@1"}}, run, run, analysis.Cost{Name: "p99", Share: 0.1})
	if len(gates) != 2 || gates[1].Status != results.GateUnseen || gates[1].Threshold != "log/gone@1: p99 at most 10.0 % more" {
		t.Errorf("%+v", gates)
	}
}

// Of many cells with four trials one allocates by chance in all trials of one run and in none of the
// other; with six, hardly any does.
func TestAllocationsByChance(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	allocating := func(blocks int, allocs float64) *results.Run {
		run := sweepOf(random, 0.01, alike)
		run.Trials = slices.DeleteFunc(run.Trials, func(t results.Trial) bool { return t.Block > blocks })
		for i := range run.Trials {
			run.Trials[i].Usage.Allocs = results.Number(allocs * float64(run.Trials[i].Ops))
		}
		return run
	}
	for blocks, want := range map[int]string{4: results.GateUnseen, 6: results.GateFailed} {
		older, newer := allocating(blocks, 0), allocating(blocks, 1)
		for _, c := range analysis.Compare(newer, older).Costs {
			if c.Cost == "allocs" && c.Call == results.Better && blocks == 4 {
				t.Fatalf("%d trials, none any more: %s", blocks, c.Call)
			}
		}
		for _, g := range analysis.GateCosts(new(results.Comparison), older, newer, analysis.Cost{Name: "allocs", Share: 0.1}) {
			if g.Status != want {
				t.Fatalf("%d trials: %+v", blocks, g)
			}
		}
	}
}

// Every cost has a name that is told, and the other way round.
func TestCostNames(t *testing.T) {
	run := costing(spread(1000), []float64{1, 1, 1, 1, 1, 1})
	for _, name := range analysis.CostNames() {
		if len(analysis.GateCosts(new(results.Comparison), run, run, analysis.Cost{Name: name, Share: 0.1})) != 1 {
			t.Error(name)
		}
	}
}

// What an operation takes is told of every cell: growth, and what it took nothing of before; nothing of equal
// runs, also where latencies have heavy tails.
func TestCostChanges(t *testing.T) {
	flat, none := []float64{1, 1, 1, 1, 1, 1}, make([]float64, 6)
	calls := func(older, newer *results.Run) map[string]string {
		all := map[string]string{}
		for _, c := range analysis.Compare(older, newer).Costs {
			all[c.Cost] = c.Call
		}
		return all
	}
	for name, c := range map[string]struct {
		older, newer *results.Run
		want         map[string]string
	}{
		"the same":         {costing(spread(1000), flat), costing(spread(1000), flat), map[string]string{"p99": results.Same, "allocs": results.Same}},
		"a slower tail":    {costing(spread(1000), flat), costing(spread(2000), flat), map[string]string{"p99": results.Worse, "allocs": results.Same}},
		"a faster tail":    {costing(spread(1000), flat), costing(spread(500), flat), map[string]string{"p99": results.Better, "allocs": results.Same}},
		"an allocation":    {costing(spread(1000), none), costing(spread(1000), flat), map[string]string{"p99": results.Same, "allocs": results.Worse}},
		"no allocation":    {costing(spread(1000), none), costing(spread(1000), none), map[string]string{"p99": results.Same, "allocs": results.Same}},
		"hardly any":       {costing(spread(1000), []float64{.001, .001, .001, .001, .001, .001}), costing(spread(1000), []float64{.009, .009, .009, .009, .009, .009}), map[string]string{"p99": results.Same, "allocs": results.Same}},
		"none any more":    {costing(spread(1000), flat), costing(spread(1000), none), map[string]string{"p99": results.Same, "allocs": results.Better}},
		"one now and then": {costing(spread(1000), none), costing(spread(1000), []float64{0, 1, 0, 1, 1, 1}), map[string]string{"p99": results.Same, "allocs": results.CannotTell}},
	} {
		if got := calls(c.older, c.newer); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestCostChangesOfHeavyTails(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(5, 6))
	tailed := func() *results.Run {
		run := sweepOf(random, 0.02, alike)
		for i := range run.Trials {
			trial := &run.Trials[i]
			trial.Latency = results.NewLatency(new(hist.Histogram), results.Each)
			trial.Latency.P99NS = results.Number(1000 * math.Exp(0.3*random.NormFloat64()/max(0.2, math.Abs(random.NormFloat64()))))
			trial.Usage.Allocs = results.Number(float64(trial.Ops) * (3 + 0.001*random.NormFloat64()))
		}
		return run
	}
	called := 0
	const pairs = 100
	for range pairs {
		if slices.ContainsFunc(analysis.Compare(tailed(), tailed()).Costs, func(c results.CostChange) bool { return c.Call == results.Worse || c.Call == results.Better }) {
			called++
		}
	}
	if called > pairs*5/100 {
		t.Errorf("in %d of %d pairs of equal runs a cost is called different", called, pairs)
	}
}
