package harness

import (
	"slices"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// An operation that looks through all that is there takes longer in the second half;
// one that only counts does not, with few goroutines and many.
func TestHalvesOfATrial(t *testing.T) {
	there := func(grows bool) func(Setup) (Instance, error) {
		return func(s Setup) (Instance, error) {
			return Instance{Worker: func(int) Operation {
				list, sum := make([]int, 0, 1<<20), 0
				for range 80 {
					list = append(list, 1)
				}
				return func() error {
					for _, n := range list {
						sum += n
					}
					if grows {
						list = append(list, sum&1)
					}
					return nil
				}
			}}, nil
		}
	}
	promise := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	e := Experiment{Name: "list", Unit: "look", Variants: []Variant{{Name: "grows", Promise: promise, Open: there(true)}, {Name: "steady", Promise: promise, Open: there(false)}}}
	run, err := Run(t.Context(), Config{Goroutines: []int{1, 16}, Trials: 3, Ops: 8_000, Dir: t.TempDir()}, e)
	if err != nil || len(run.Trials) != 12 {
		t.Fatal(run.Outcomes, err)
	}
	slowing := map[string][]float64{}
	for _, trial := range run.Trials {
		if trial.HalfOps < trial.Ops/4 || trial.HalfOps > trial.Ops*3/4 || trial.HalfNS <= 0 || trial.HalfNS >= trial.WallNS {
			t.Errorf("%s at N = %d: %d of %d operations are half, at %d of %d ns", trial.Variant, trial.Goroutines, trial.HalfOps, trial.Ops, trial.HalfNS, trial.WallNS)
		}
		if trial.Goroutines == 1 {
			slowing[trial.Variant] = append(slowing[trial.Variant], float64(trial.Slowing()))
		}
	}
	for _, all := range slowing {
		slices.Sort(all)
	}
	if grows := slowing["grows"][1]; grows < 0.4 { // of what grows from next to nothing it is 1
		t.Errorf("slowing of what grows a hundredfold is %.2f", grows)
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
