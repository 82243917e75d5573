package main

import (
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/stats"
)

// Every cell can be measured: its log and its rivals do what it asks, each in a directory of
// its own. What a process is killed for, or a cache dropped, is left out.
func TestTrialsRun(t *testing.T) {
	for _, c := range cells() {
		switch c.trial.What {
		case gettingCold, readingCold, opening, pacing, pacingMost:
			continue
		}
		for _, log := range append([]string{c.ours}, c.rivals...) {
			trial := c.trial
			trial.Log, trial.Dir, trial.Window = log, t.TempDir(), time.Millisecond
			trial.Entries = min(trial.Entries, 64*5)
			if got, err := trial.run(); err != nil || got <= 0 {
				t.Errorf("%s, %s: %v, %v", c.Name, log, got, err)
			}
		}
	}
}

// A must holds where the whole interval is on its side, and fails where none of it is.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		kind      kind
		low, high float64
		want      string
	}{
		{ratio, 2, 3, holds}, {ratio, 4, 5, reaches}, {ratio, 1, 3, doubt}, {ratio, 1, 1.5, fails},
		{quotient, 1.6, 1.9, holds}, {quotient, 0.5, 0.9, reaches}, {quotient, 1.5, 3, doubt}, {figure, 2.5, 3, fails},
	} {
		must, goal := 2.0, 4.0
		if c.kind != ratio {
			goal = 1
		}
		r := row{cell: cell{kind: c.kind, must: must, goal: goal}, value: stats.Interval{Low: c.low, Median: c.low, High: c.high}}
		if got := r.verdict(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// The rival that leaves our ratio worst counts, and the table names it, and the machine.
func TestBestRivalCounts(t *testing.T) {
	r := row{cell: cell{Name: "a cell", rivals: []string{"slow", "fast"}, must: 1, goal: 3}, ours: []float64{6, 6, 6, 6, 6, 6},
		theirs: map[string][]float64{"slow": {1, 1, 1, 1, 1, 1}, "fast": {3, 3, 3, 3, 3, 3}}}
	r.judge()
	if r.best != "fast" || r.value.Median != 2 || r.verdict() != holds {
		t.Errorf("%s: %+v, %s", r.best, r.value, r.verdict())
	}
	if text := table([]row{r}, options{blocks: 6, window: time.Second}); !strings.Contains(text, "fast") || !strings.Contains(text, "MemFree") || !strings.Contains(text, harness.Here().CPU) {
		t.Error(text)
	}
}
