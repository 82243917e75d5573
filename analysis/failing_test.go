package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// refusing makes a share of what a run was asked fail.
func refusing(run *results.Run, share float64) *results.Run {
	for i := range run.Trials {
		t := &run.Trials[i]
		t.Failed = int(float64(t.Ops) * share / (1 - share))
	}
	return run
}

// A run in which more fails than before is not as good at the same rate, nor is one in
// which less fails better for that; a few failures change nothing.
func TestFailuresOfRuns(t *testing.T) {
	fast := []float64{2e5, 2.001e5, 2.002e5, 2.003e5, 2.004e5, 2.005e5}
	for _, c := range []struct {
		older, newer float64
		call, gate   string
	}{
		{0, 0.75, results.CannotTell, results.GateUnseen},
		{0.75, 0, results.CannotTell, results.GateUnseen},
		{0, 0.005, results.Same, results.GatePassed},
		{0.5, 0.5, results.Same, results.GatePassed},
	} {
		comparison := analysis.Compare(refusing(runOf(fast...), c.older), refusing(runOf(fast...), c.newer))
		change := comparison.Changes[0]
		gates := analysis.GateChanges(comparison, 0.1)
		if change.Call != c.call || len(gates) != 1 || gates[0].Status != c.gate {
			t.Errorf("%v to %v: %s, %+v, %s", c.older, c.newer, change.Call, gates, change.Doubt)
		}
		if told := strings.Contains(change.Doubt, "failed operations: "); told != (c.call == results.CannotTell) {
			t.Errorf("%v to %v: doubt %q", c.older, c.newer, change.Doubt)
		}
	}
}

// What fails at once leaves time for more answers: that is no lead.
func TestWhatFailsIsNotRanked(t *testing.T) {
	book := func(shares ...float64) results.Finding {
		b := one("a", "b")
		b.cell("a", 4, six(2e5)...)
		b.cell("b", 4, six(1e5)...)
		for i := range b.run.Trials {
			x := &b.run.Trials[i]
			share := shares[strings.Index("ab", x.Variant)]
			x.Failed = int(float64(x.Ops) * share / (1 - share))
		}
		return b.finding(t)
	}
	for want, shares := range map[string][]float64{
		"a, 200k appends/s, 2.00× b":                               {0, 0},
		"b, 100k appends/s, while a failed 90.0 % of the appends":  {0.9, 0},
		"nobody is ranked: a failed 90.0 % and b failed 50.0 % of": {0.9, 0.5},
	} {
		f := book(shares...)
		if !strings.Contains(f.Verdict.Sentence, want) {
			t.Errorf("%v: %s, want %s", shares, f.Verdict.Sentence, want)
		}
		if warned(f.Summaries[0], results.WarnFailed) != (shares[0] > 0) {
			t.Errorf("%v: %v", shares, f.Summaries[0].Warnings)
		}
	}
	b := one("a")
	b.cell("a", 4, six(2e5)...)
	for i := range b.run.Trials {
		b.run.Trials[i].Failed = b.run.Trials[i].Ops
	}
	if text := fmt.Sprint(b.finding(t).Verdict.Sentence); !strings.Contains(text, "a, 200k appends/s, while 50.0 % of all failed") {
		t.Error(text)
	}
}

// What failed is a share of all that was asked: two of 540 are few, though one is over a
// hundredth of the ninety of its trial; and all of one trial of six are many.
func TestFailuresAreAShareOfAllTrials(t *testing.T) {
	for want, failed := range map[bool][]int{false: {1, 1, 0, 0, 0, 0}, true: {0, 0, 90, 0, 0, 0}} {
		b := one("a")
		b.cell("a", 4, six(90)...)
		for i := range b.run.Trials {
			b.run.Trials[i].Ops, b.run.Trials[i].Failed = 90-failed[i], failed[i]
		}
		if got := warned(b.finding(t).Summaries[0], results.WarnFailed); got != want {
			t.Errorf("%v failed: %v", failed, got)
		}
	}
}
