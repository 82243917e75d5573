package harness

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Behind the window a trial waits for slow answers alone: that is no operation that slows.
func TestHalvesOfATrialElsewhere(t *testing.T) {
	for atWork, told := range map[int64]bool{0: true, 10e9: true, 5e9: false} {
		e := Experiment{Name: "there", Unit: "request", ByTime: true, Goroutines: []int{1}, Variants: []Variant{{
			Name: "a", Promise: results.Promise{Order: "none", Result: results.Unstated, Survives: "nothing"},
			Elsewhere: func(Setup) (results.Trial, error) {
				x := results.Trial{Ops: 1000, WallNS: 10e9, CyclesNS: atWork}
				if atWork > 0 {
					x.Cycles = x.Ops
				}
				for second := range int64(10) {
					x.Moments = append(x.Moments, results.Moment{AtNS: second * 1e9, Ops: 100, Users: 1})
				}
				return x, nil
			},
		}}}
		run, err := Run(t.Context(), Config{Trials: 1, Window: 5 * time.Second, Dir: t.TempDir()}, e)
		if err != nil {
			t.Fatal(err)
		}
		if got := run.Trials[0].HalfNS > 0; got != told {
			t.Errorf("users at work for %d ns of 10 s: halves told %v", atWork, got)
		}
	}
}
