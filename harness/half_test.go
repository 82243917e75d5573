package harness

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Half of a trial ends between two operations: the first half is no shorter than what the
// operations before took by their own clock, and the second than those behind.
func TestHalvesOfATrial(t *testing.T) {
	begun := map[int][]int64{} // by how many operations the trial's goroutine had begun
	open := func(Setup) (Instance, error) {
		trial := len(begun)
		return Instance{Worker: func(int) Operation {
			all := make([]int64, 0, 1<<14)
			return func() error {
				all = append(all, nanotime())
				begun[trial] = all
				return nil
			}
		}}, nil
	}
	promise := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	e := Experiment{Name: "clock", Unit: "look", Variants: []Variant{{Name: "reads", Promise: promise, Open: open}}}
	run, err := Run(t.Context(), Config{Goroutines: []int{1}, Trials: 6, Ops: 8_000, Dir: t.TempDir()}, e)
	if err != nil || len(run.Trials) != 6 {
		t.Fatal(run.Outcomes, err)
	}
	for i, trial := range run.Trials {
		all := begun[len(begun)-len(run.Trials)+i]
		all = all[len(all)-trial.Ops:]
		if trial.HalfOps < trial.Ops/2 || trial.HalfOps > trial.Ops*3/4 {
			t.Fatalf("%d of %d operations are half", trial.HalfOps, trial.Ops)
		}
		first, second := all[trial.HalfOps-1]-all[0], all[trial.Ops-1]-all[trial.HalfOps]
		if trial.HalfNS < first || trial.WallNS-trial.HalfNS < second {
			t.Errorf("halves of %d and %d ns, of which operations took %d and %d", trial.HalfNS, trial.WallNS-trial.HalfNS, first, second)
		}
	}
}

// Of many goroutines half of all operations are half.
func TestHalvesOfManyGoroutines(t *testing.T) {
	promise := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	v := Func("many", promise, func() error { return nil })
	run, err := Run(t.Context(), Config{Goroutines: []int{16}, Trials: 3, Ops: 8_000, Dir: t.TempDir()}, Experiment{Name: "e", Unit: "call", Variants: []Variant{v}})
	if err != nil || len(run.Trials) != 3 {
		t.Fatal(run.Outcomes, err)
	}
	for _, trial := range run.Trials {
		if trial.HalfOps < trial.Ops/4 || trial.HalfOps > trial.Ops*3/4 || trial.HalfNS <= 0 || trial.HalfNS >= trial.WallNS {
			t.Errorf("%d of %d operations are half, at %d of %d ns", trial.HalfOps, trial.Ops, trial.HalfNS, trial.WallNS)
		}
	}
}

// Goroutines that each do a number of their own are halved as well.
func TestHalvesOfOwnOperations(t *testing.T) {
	promise := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	v := Func("own", promise, func() error { time.Sleep(100 * time.Microsecond); return nil })
	v.PerGoroutine = 100
	run, err := Run(t.Context(), Config{Goroutines: []int{1, 4}, Trials: 1, Dir: t.TempDir()}, Experiment{Name: "e", Unit: "call", Variants: []Variant{v}})
	if err != nil || len(run.Trials) != 2 {
		t.Fatal(run.Outcomes, err)
	}
	for _, trial := range run.Trials {
		if trial.HalfOps < trial.Ops/4 || trial.HalfOps > trial.Ops*3/4 {
			t.Errorf("N = %d: %d of %d operations are half", trial.Goroutines, trial.HalfOps, trial.Ops)
		}
	}
}

// Of a window by time halves are told where each user asked often: one whose requests take
// a second each has no answer in the first second, and one behind the last.
func TestHalvesOfAWindowByTime(t *testing.T) {
	moments := []results.Moment{{Ops: 10}, {AtNS: 1e9, Ops: 10}, {AtNS: 2e9, Ops: 12}, {AtNS: 3e9, Ops: 12}, {AtNS: 4e9, Ops: 1}}
	for _, c := range []struct {
		begun int
		ns    int64
		ops   int
	}{{leastRounds, 2e9, 20}, {leastRounds - 1, 0, 0}, {5, 0, 0}} {
		if ns, ops := half(moments, 1e9, fewest([]Cycles{{Begun: 100}, {Begun: c.begun}, {Begun: 90}})); ns != c.ns || ops != c.ops {
			t.Errorf("%d requests: %d in %d ns", c.begun, ops, ns)
		}
	}
}
