package harness

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// An operation that looks through all that is there takes longer in the second half;
// one that only counts does not, with few goroutines and many.
func TestHalvesOfATrial(t *testing.T) {
	there := func(grows bool) func(Setup) (Instance, error) {
		return func(s Setup) (Instance, error) {
			return Instance{Worker: func(int) Operation {
				list, sum := make([]int, 0, 1<<20), 0
				for range 2000 {
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
	run, err := Run(t.Context(), Config{Goroutines: []int{1, 16}, Trials: 3, Ops: 20_000, Dir: t.TempDir()}, e)
	if err != nil || len(run.Trials) != 12 {
		t.Fatal(run.Outcomes, err)
	}
	for _, trial := range run.Trials {
		if trial.HalfOps < trial.Ops*4/10 || trial.HalfOps > trial.Ops*6/10 {
			t.Errorf("%s at N = %d: %d of %d operations are half", trial.Variant, trial.Goroutines, trial.HalfOps, trial.Ops)
		}
		if g := trial.Slowing(); trial.Variant == "grows" && trial.Goroutines == 1 && !(g > 0.3) {
			t.Errorf("N = %d: %.2f slower, from 2,000 to 22,000 looks", trial.Goroutines, float64(g))
		}
		t.Logf("%s N=%d slowing %.3f", trial.Variant, trial.Goroutines, float64(trial.Slowing()))
	}
}
