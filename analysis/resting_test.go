package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// Of few trials the test of ranks does not see what befell some of them: no cell passes of
// which all trials together failed more, or lost more.
func TestSomeTrialsFailed(t *testing.T) {
	with := func(shares ...float64) *results.Run {
		run := runOf(spread(1e6)...)
		for i := range run.Trials {
			one := &run.Trials[i]
			one.Failed = int(shares[i] * float64(one.Ops) / (1 - shares[i]))
		}
		return run
	}
	few := []float64{0.015, 0.015, 0.015, 0.015, 0.015, 0.015}
	for _, c := range []struct {
		shares []float64
		want   string
	}{
		{few, results.GatePassed}, {[]float64{0.012, 0.014, 0.015, 0.016, 0.017, 0.018}, results.GatePassed},
		{[]float64{0, 0, 0, 0.5, 0.5, 0.5}, results.GateUnseen}, {[]float64{0.01, 0.012, 0.013, 0.017, 0.5, 0.9}, results.GateUnseen},
	} {
		gates := analysis.GateChanges(analysis.Compare(with(few...), with(c.shares...)), 0.05)
		if gates[0].Status != c.want {
			t.Errorf("%v failed: %s: %s", c.shares, gates[0].Status, gates[0].Text)
		}
	}
}

// Where users rest most of the time a slower answer shows in no rate: nothing is told of that.
func TestRateOfRestingUsers(t *testing.T) {
	with := func(answerMS float64) *results.Run {
		run := runOf(spread(1)...)
		for i := range run.Trials {
			one := &run.Trials[i]
			cycle := (500 + answerMS) * 1e6
			one.Goroutines, one.WallNS = 40, 12e9
			one.Ops = int(40 * 12e9 / cycle)
			one.PausedNS = int64(one.Ops) * 500e6
			one.Latency.MeanNS = results.Number(answerMS * 1e6)
		}
		return run
	}
	for _, c := range []struct {
		older, newer float64
		told         bool
	}{{3, 22, false}, {3, 3, false}, {3, 1500, false}, {1500, 1500, true}, {1500, 3000, true}} {
		change := analysis.Compare(with(c.older), with(c.newer)).Changes[0]
		if told := !strings.Contains(change.Doubt, "rested"); told != c.told {
			t.Errorf("answers of %v ms, then %v ms: %s, %q", c.older, c.newer, change.Call, change.Doubt)
		}
	}
}
