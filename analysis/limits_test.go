package analysis_test

import (
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// A limit is what one goroutine reaches, in this run; one that was not
// measured is left out.
func TestLimitsAreThoseOfOneGoroutine(t *testing.T) {
	run := runOf(spread(1e6)...)
	run.Experiments[0].Limits = []results.Limit{
		{Experiment: "limits", Variant: "write", About: "one write(2)"},
		{Experiment: "limits", Variant: "absent", About: "not measured"},
	}
	for n, rate := range map[int]float64{1: 2e6, 2: 8e6} {
		for block := range 6 {
			run.Trials = append(run.Trials, results.Trial{
				Experiment: "limits", Variant: "write", Goroutines: n, Block: block + 1,
				Ops: 1e6, WallNS: int64(1e15 / rate), Usage: results.MissingUsage(),
			})
		}
	}
	limits := analysis.Analyze(run).Findings[0].Limits
	if len(limits) != 1 || limits[0].Variant != "write" || limits[0].OpsPerS.Median != 2e6 {
		t.Errorf("limits %+v, want write alone, at 2M/s", limits)
	}
}
