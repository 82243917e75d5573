package analysis

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// Operations that were timed are held to N ÷ X where only some were, and where all trials say so:
// what reading the clock takes, a few trials, or one of many, call nothing.
func TestTimedOperationsAndLittlesLaw(t *testing.T) {
	trial := func(mode string, timed, mean int64, floor results.Number) results.Trial {
		h := new(hist.Histogram)
		for range 100 {
			h.Record(timed)
		}
		l := results.NewLatency(h, mode)
		l.FloorNS = floor
		return results.Trial{Goroutines: 4, Ops: 1000, GoroutineNS: 1000 * mean, Latency: l}
	}
	late := trial(results.Sampled, 300, 300, 60) // and waited for nine times as long before the first
	late.StartWaitNS, late.GoroutineNS = 9*late.GoroutineNS, 10*late.GoroutineNS
	six := func(t results.Trial) []results.Trial { return []results.Trial{t, t, t, t, t, t} }
	const sampled = results.Sampled
	for name, c := range map[string]struct {
		trials []results.Trial
		want   string
	}{
		"three times as long":           {six(trial(sampled, 3060, 1000, 60)), "over twice as long"},
		"a third":                       {six(trial(sampled, 333, 1000, 60)), "less than half as long as all did on average (N ÷ X, Little's law): what takes most"},
		"before the first operation":    {six(late), ""},
		"nearly twice":                  {six(trial(sampled, 1900, 1000, 60)), ""},
		"the clock's own time":          {six(trial(sampled, 70, 20, 60)), ""},
		"a file of before":              {six(trial(sampled, 3060, 1000, results.Missing())), ""},
		"each was timed":                {six(trial(results.Each, 3060, 1000, 60)), ""},
		"five":                          {six(trial(sampled, 3060, 1000, 60))[:5], ""},
		"one of six is as it should be": {append(six(trial(sampled, 3060, 1000, 60))[:5], trial(sampled, 1000, 1000, 60)), ""},
		"without a histogram":           {append(six(trial(sampled, 3060, 1000, 60)), results.Trial{Ops: 1, GoroutineNS: 1, Latency: results.Latency{Mode: sampled}}), ""},
	} {
		if got := beyondLaw(c.trials); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
