package harness_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

var promise = results.Promise{Order: "none", Result: "independent", Survives: "nothing"}

// quick is a configuration that measures nothing in particular, fast.
func quick(t *testing.T) harness.Config {
	return harness.Config{Goroutines: []int{1, 3}, Trials: 3, Window: time.Millisecond, Dir: t.TempDir(), Seed: 1}
}

func nothing() error { return nil }

func experiment(variants ...harness.Variant) harness.Experiment {
	return harness.Experiment{Name: "test", Question: "Is it measured?", Variants: variants,
		Factors: []harness.Factor{{Name: "size", Default: "1"}}}
}

// Every cell stands once in every block, at a position of its own; a variant's
// operations are the same at every N.
func TestBlocksAreComplete(t *testing.T) {
	defer goleak.VerifyNone(t)
	config := quick(t)
	config.Levels = map[string][]string{"size": {"1", "2"}}
	run, err := harness.Run(t.Context(), config, experiment(harness.Func("a", promise, nothing), harness.Func("b", promise, nothing)))
	if err != nil {
		t.Fatal(err)
	}
	const cells = 2 * 2 * 2
	seen, ops := map[string]int{}, map[string]int{}
	for _, trial := range run.Trials {
		seen[fmt.Sprint(trial.Block, trial.Cell())]++
		seen[fmt.Sprint(trial.Block, " at ", trial.Position)]++
		group := trial.Variant + results.FactorKey(trial.Factors)
		if ops[group] != 0 && ops[group] != trial.Ops {
			t.Errorf("%s: %d and %d operations at different N", group, ops[group], trial.Ops)
		}
		ops[group] = trial.Ops
	}
	if len(run.Trials) != 3*cells || len(seen) != 2*3*cells {
		t.Errorf("%d trials in %d places, want %d, each cell and position once per block", len(run.Trials), len(seen), 3*cells)
	}
	if len(run.Ends) != 1 || run.Ends[0].Status != results.Complete {
		t.Errorf("ends %+v, want one, complete", run.Ends)
	}
}

func order(run *results.Run) []string {
	var names []string
	for _, t := range run.Trials {
		names = append(names, fmt.Sprint(t.Block, t.Cell()))
	}
	return names
}

// The seed fixes the order, another seed gives another, and blocks differ.
func TestOrderFollowsTheSeed(t *testing.T) {
	orders := map[uint64][]string{}
	for _, seed := range []uint64{5, 5, 6} {
		config := quick(t)
		config.Seed, config.Ops = seed, 64
		config.Goroutines = []int{1, 2, 3, 4, 5, 6, 7, 8}
		run, err := harness.Run(t.Context(), config, experiment(harness.Func("a", promise, nothing)))
		if err != nil {
			t.Fatal(err)
		}
		got := order(run)
		if before, again := orders[seed]; again && !slices.Equal(before, got) {
			t.Errorf("seed %d gave two orders\n%v\n%v", seed, before, got)
		}
		orders[seed] = got
	}
	if slices.Equal(orders[5], orders[6]) {
		t.Error("two seeds gave one order")
	}
}

// How often a cell is probed depends on how fast it is, and the order does not.
func TestOrderIsNotThatOfTheProbes(t *testing.T) {
	var orders [][]string
	for _, operation := range []func() error{nothing, func() error { time.Sleep(10 * time.Microsecond); return nil }} {
		config := quick(t)
		config.Ops, config.Goroutines = 64, []int{1, 2, 3, 4, 5, 6, 7, 8}
		run, err := harness.Run(t.Context(), config, experiment(harness.Func("a", promise, operation)))
		if err != nil {
			t.Fatal(err)
		}
		orders = append(orders, order(run))
	}
	if !slices.Equal(orders[0], orders[1]) {
		t.Errorf("one seed gave two orders\n%v\n%v", orders[0], orders[1])
	}
}

// A variant that fails half-way keeps its finished trials and leaves the
// others alone.
func TestFailingVariantEndsAlone(t *testing.T) {
	planted := errors.New("planted")
	opened := 0
	fails := harness.Variant{Name: "fails", Promise: promise, Open: func(harness.Setup) (harness.Instance, error) {
		opened++
		return harness.Instance{Worker: func(int) harness.Operation {
			return func() error {
				if opened > 8 {
					return planted
				}
				return nil
			}
		}}, nil
	}}
	config := quick(t)
	config.Ops = 100
	config.Trials = 6
	run, err := harness.Run(t.Context(), config, experiment(fails, harness.Func("stands", promise, nothing)))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, trial := range run.Trials {
		count[trial.Variant]++
	}
	if count["stands"] != 12 || count["fails"] == 0 || count["fails"] == 12 {
		t.Errorf("trials %v, want all 12 of the one that stands and some of the one that fails", count)
	}
	if len(run.Outcomes) != 1 || run.Outcomes[0].Text != "planted" || run.Outcomes[0].Block == 0 {
		t.Errorf("outcomes %+v, want one, planted, in a block", run.Outcomes)
	}
	if run.Ends[0].Status != results.Failed {
		t.Errorf("status %s, want failed", run.Ends[0].Status)
	}
}

func TestVariantThatCannotOpen(t *testing.T) {
	closed := harness.Variant{Name: "closed", Promise: promise, Open: func(harness.Setup) (harness.Instance, error) {
		return harness.Instance{}, errors.New("no door")
	}}
	run, err := harness.Run(t.Context(), quick(t), experiment(closed))
	if err != nil || len(run.Trials) != 0 || len(run.Outcomes) != 1 {
		t.Errorf("%d trials, outcomes %+v, error %v", len(run.Trials), run.Outcomes, err)
	}
}

// Cancelling keeps the finished trials, discards the one under way, and leaves
// no goroutine behind.
func TestCancelKeepsFinishedTrials(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	config := quick(t)
	config.Goroutines = []int{2}
	config.Ops = 1_000_000
	kept := 0
	config.Record = func(record any) error {
		if _, ok := record.(results.Trial); ok {
			kept++
		}
		return nil
	}
	config.Progress = func(p harness.Progress) {
		if !p.Calibrating && p.Done == 2 {
			cancel()
		}
	}
	run, err := harness.Run(ctx, config, experiment(harness.Func("a", promise, nothing)))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want cancelled", err)
	}
	if len(run.Trials) != 2 || kept != 2 {
		t.Errorf("%d trials returned and %d recorded, want 2", len(run.Trials), kept)
	}
	if run.Ends[0].Status != results.Interrupted || len(run.Outcomes) != 0 {
		t.Errorf("status %s, outcomes %v: an interruption is no failure of the variant", run.Ends[0].Status, run.Outcomes)
	}
}

func TestNothingToRun(t *testing.T) {
	if _, err := harness.Run(t.Context(), quick(t)); err == nil {
		t.Error("a run of no experiment went well")
	}
}

// What the run was asked to do is part of its result, also where it was left
// to the experiment.
func TestSettingsAreRecorded(t *testing.T) {
	e := experiment(harness.Func("a", promise, nothing))
	e.Goroutines, e.Window = []int{1, 3}, 2*time.Millisecond
	run, err := harness.Run(t.Context(), harness.Config{Trials: 1, Dir: t.TempDir()}, e)
	if err != nil {
		t.Fatal(err)
	}
	s := run.Envs[0].Settings
	if !slices.Equal(s.Goroutines, []int{1, 3}) || s.WindowNS != 2e6 || s.Trials != 1 || s.Seed == 0 || s.Loop != "closed" {
		t.Errorf("settings %+v", s)
	}
}

// What the clock cannot time is as short as two of its readings or two of its steps,
// whichever is more, and the trials leave out what is no longer than that.
func TestFloorIsThatOfTheClock(t *testing.T) {
	run, err := harness.Run(t.Context(), quick(t), experiment(harness.Func("a", promise, nothing)))
	if err != nil {
		t.Fatal(err)
	}
	o := run.Envs[0].Overhead
	if !o.ClockNS.Known() || !o.StepNS.Known() || o.FloorNS != 2*max(o.ClockNS, o.StepNS) {
		t.Errorf("a floor of %v ns where a reading takes %v and a step is %v", o.FloorNS, o.ClockNS, o.StepNS)
	}
	for _, trial := range run.Trials {
		if l := trial.Latency; l.FloorNS != o.FloorNS || l.P50NS <= o.FloorNS {
			t.Errorf("block %d: p50 %v and a floor of %v, want none up to %v", trial.Block, l.P50NS, l.FloorNS, o.FloorNS)
		}
	}
}

func TestRefusedSettings(t *testing.T) {
	good := experiment(harness.Func("a", promise, nothing))
	bad := good
	bad.Variants = []harness.Variant{{Name: "A b", Promise: promise}}
	twice := experiment(harness.Func("a", promise, nothing), harness.Func("a", promise, nothing))
	vague := experiment(harness.Func("a", results.Promise{Order: "some"}, nothing))
	for name, c := range map[string]struct {
		config harness.Config
		e      harness.Experiment
	}{
		"no goroutines":   {harness.Config{Goroutines: []int{0}}, good},
		"too many":        {harness.Config{Goroutines: []int{harness.MaxGoroutines + 1}}, good},
		"level twice":     {harness.Config{Goroutines: []int{4, 4}}, good},
		"too few ops":     {harness.Config{Ops: 3}, good},
		"negative trials": {harness.Config{Trials: -1}, good},
		"unknown factor":  {harness.Config{Levels: map[string][]string{"color": {"red"}}}, good},
		"factor twice":    {harness.Config{Levels: map[string][]string{"size": {"1", "1"}}}, good},
		"name of variant": {harness.Config{}, bad},
		"two of one name": {harness.Config{}, twice},
		"unknown promise": {harness.Config{}, vague},
		"nothing to run":  {harness.Config{}, experiment()},
		"negative time":   {harness.Config{Window: -1}, good},
		"missing dir":     {harness.Config{Dir: "/nonexistent/dir"}, good},
		"blocks apart":    {harness.Config{BlocksApart: true}, good},
	} {
		if run, err := harness.Run(t.Context(), c.config, c.e); err == nil || run != nil && len(run.Trials) > 0 {
			t.Errorf("%s: measured, error %v", name, err)
		}
	}
}
