package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// losing makes trials lose so many of their million operations, one after another.
func losing(run *results.Run, lost ...int) *results.Run {
	for i := range run.Trials {
		n := lost[i%len(lost)]
		run.Trials[i].Lost = &n
	}
	return run
}

// A run that loses more than before is not as good at the same rate, and one that
// loses less is not worse at a lower one.
func TestLossesAreCompared(t *testing.T) {
	fast, slow := spread(2e6), spread(1e6)
	for name, c := range map[string]struct {
		older, newer *results.Run
		call, gate   string
		text         string
	}{
		"nothing is lost":           {losing(runOf(slow...), 0), losing(runOf(slow...), 0), results.Same, results.GatePassed, ""},
		"nothing is counted":        {runOf(slow...), runOf(slow...), results.Same, results.GatePassed, ""},
		"faster, for it loses most": {losing(runOf(slow...), 0), losing(runOf(fast...), 850_000), results.CannotTell, results.GateUnseen, "lost operations: 0 % in the older run, 85.0 % in the newer"},
		"slower, for it loses none": {losing(runOf(fast...), 850_000), losing(runOf(slow...), 0), results.CannotTell, results.GateUnseen, "85.0 % in the older run, 0 % in the newer"},
		"one trial lost one":        {losing(runOf(slow...), 0), losing(runOf(slow...), 0, 0, 0, 0, 0, 1), results.CannotTell, results.GateUnseen, "0 % to <0.001 % in the newer"},
		"none counted before":       {runOf(slow...), losing(runOf(slow...), 10_000), results.CannotTell, results.GateUnseen, "none counted in the older run"},
		"more than before":          {losing(runOf(slow...), 10_000, 11_000, 12_000), losing(runOf(slow...), 20_000, 21_000, 22_000), results.CannotTell, results.GateUnseen, "1.00 % to 1.20 %"},
		"as much as before":         {losing(runOf(slow...), 10_000, 12_000, 14_000), losing(runOf(slow...), 11_000, 12_000, 13_000), results.Same, results.GatePassed, ""},
	} {
		comparison := analysis.Compare(c.older, c.newer)
		change := comparison.Changes[0]
		if change.Call != c.call || !strings.Contains(change.Doubt, c.text) || c.text == "" && change.Doubt != "" {
			t.Errorf("%s: called %q, want %q; doubt %q", name, change.Call, c.call, change.Doubt)
		}
		if gates := analysis.GateChanges(comparison, 0.05); gates[0].Status != c.gate {
			t.Errorf("%s: %+v, want %s", name, gates[0], c.gate)
		}
		if counted := c.newer.Trials[0].Lost != nil; (change.NewLost != nil) != counted {
			t.Errorf("%s: lost %v", name, change.NewLost)
		}
	}
}

// Nor is a gain that throws operations away a reason to use many goroutines.
func TestNoAdviceToLoseOperations(t *testing.T) {
	for lost, want := range map[int]string{0: "Use many goroutines with a, which gains up to 4, the most measured.", 5000: ""} {
		b := one("a")
		b.cell("a", 1, six(1e5)...)
		losing(&b.run, 0)
		b.cell("a", 4, six(3e5)...)
		for i := range b.run.Trials[6:] {
			b.run.Trials[6+i].Lost = &lost
		}
		if got := b.finding(t).Verdict.Advice; got != want {
			t.Errorf("%d lost: %q, want %q", lost, got, want)
		}
	}
}

// A speed-up that throws operations away is none that anybody asked for.
func TestASpeedupThatLosesIsNotSeen(t *testing.T) {
	for lost, want := range map[int]string{0: results.GatePassed, 500_000: results.GateUnseen} {
		run := losing(runOf(spread(1e6)...), 0)
		many := losing(runOf(spread(3e6)...), lost)
		for _, trial := range many.Trials {
			trial.Goroutines = 4
			run.Trials = append(run.Trials, trial)
		}
		gates, err := analysis.GateSpeedup(analysis.Analyze(run), analysis.Speedup{Cell: "log/file@4", Times: 2})
		if err != nil || len(gates) != 1 || gates[0].Status != want {
			t.Errorf("%d lost: %+v, %v, want %s", lost, gates, err, want)
		}
	}
}
