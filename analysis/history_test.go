package analysis_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// The change is that from the first run to the last, whatever lies between; a run
// that lacks a cell has no figure of it.
func TestHistoryGoesFromTheFirstToTheLast(t *testing.T) {
	first, between, last := runOf(spread(1e6)...), runOf(), runOf(spread(0.5e6)...)
	first.Envs[0].Start = time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	h := analysis.History(first, between, last)
	if len(h.Rates) != 1 || len(h.Rates[0]) != 3 || h.Rates[0][1].Median.Known() || h.Comparison.Changes[0].Call != results.Worse {
		t.Fatalf("%+v", h)
	}
	if h.Runs[0] != "11-01 10:00" || h.Runs[2] != "run 3" {
		t.Errorf("runs %q", h.Runs)
	}
	if h := analysis.History(first); len(h.Rates) > 0 {
		t.Errorf("one run has changed: %+v", h)
	}
	last.Envs[0].Start = time.Date(2027, 1, 1, 10, 0, 0, 0, time.UTC)
	if h := analysis.History(first, between, last); h.Runs[0] != "2026-11-01" || h.Runs[2] != "2027-01-01" {
		t.Errorf("runs of two years: %q", h.Runs)
	}
}

// What the comparison of two runs says is said of several as well.
func TestHistoryKeepsEveryDoubt(t *testing.T) {
	first, last := runOf(spread(1e6)...), runOf(spread(1e6)...)
	cut, gone := runOf(spread(1e6)...), runOf(spread(1e6)...)
	cut.Ends = nil
	gone.Trials[0].Variant = "other"
	for name, h := range map[string]*results.History{
		"cut off, between": analysis.History(first, cut, last),
		"cut off, last":    analysis.History(first, last, cut),
	} {
		if len(h.Comparison.Warnings) == 0 {
			t.Errorf("%s: no warning", name)
		}
	}
	if h := analysis.History(first, last, gone); len(h.Comparison.Only) == 0 {
		t.Error("a cell that only one run has is not told")
	}
}

// Two of several runs took turns: that is told, unless they are those that are compared.
func TestHistoryTellsOfTurns(t *testing.T) {
	turned := func(turns string) *results.Run {
		run := runOf(spread(1e6)...)
		run.Envs[0].Settings.Turns = turns
		return run
	}
	for name, c := range map[string]struct {
		turns []string
		said  string
	}{
		"the first two":          {[]string{"a", "a", ""}, "the runs of run 1 and run 2 took turns"},
		"the last two":           {[]string{"", "a", "a"}, "the runs of run 2 and run 3 took turns"},
		"the first and the last": {[]string{"a", "", "a"}, ""},
		"none with another":      {[]string{"a", "b", ""}, ""},
	} {
		var runs []*results.Run
		for _, turns := range c.turns {
			runs = append(runs, turned(turns))
		}
		said := ""
		for _, w := range analysis.History(runs...).Comparison.Warnings {
			if w.Code == results.WarnTurns {
				said += w.Text
			}
		}
		if !strings.HasPrefix(said, c.said) || (c.said == "") != (said == "") {
			t.Errorf("%s: %q, want %q", name, said, c.said)
		}
	}
}

// A cell that only a run between has is not passed over.
func TestHistoryNamesCellsOfTheRunsBetween(t *testing.T) {
	between := runOf(spread(1e6)...)
	between.Trials[0].Variant = "other"
	h := analysis.History(runOf(spread(1e6)...), between, runOf(spread(1e6)...))
	if len(h.Comparison.Only) != 1 || h.Comparison.Only[0] != "log/other@1 is in run 2 only" {
		t.Errorf("%q", h.Comparison.Only)
	}
}

// A cell that some runs lack is told with those that have it: of several none is the old
// run or the new one.
func TestHistoryNamesTheRunsThatHaveACell(t *testing.T) {
	with := func(variants ...string) *results.Run {
		run := runOf(spread(1e6)...)
		for i, variant := range variants {
			run.Trials[i].Variant = variant
		}
		return run
	}
	h := analysis.History(with("early", "first", "ends"), with("early", "late"), with("late", "last", "ends"))
	want := []string{"log/early@1 is in 2 of 3 runs only: run 1 and run 2", "log/first@1 is in run 1 only",
		"log/last@1 is in run 3 only", "log/late@1 is in 2 of 3 runs only: run 2 and run 3"}
	if !slices.Equal(h.Comparison.Only, want) {
		t.Errorf("%q, want %q", h.Comparison.Only, want)
	}
	if lost := h.Comparison.Lost; !slices.Equal(lost, []string{"log/early@1", "log/first@1"}) {
		t.Errorf("lost: %q", lost)
	}
}

// Doubts of the runs between are told with the run, and so are errors.
func TestHistoryTellsDoubtsOfTheRunsBetween(t *testing.T) {
	between := runOf(spread(0.5e6)...)
	for i := range between.Trials {
		between.Trials[i].Warnings = []results.Warning{{Code: results.WarnDisturbed}}
	}
	between.Outcomes = []results.Outcome{{Experiment: "log", Variant: "b", Goroutines: 1, Kind: results.OutcomeError, Text: "boom"}}
	h := analysis.History(runOf(spread(1e6)...), between, runOf(spread(1e6)...))
	for _, want := range []string{"in run 2 others took processor time in a third of the trials or more: log/file@1", "in run 2: log/b@1 ended by an error: boom"} {
		if !slices.ContainsFunc(h.Comparison.Warnings, func(w results.Warning) bool { return w.Text == want }) {
			t.Errorf("%q is not among %v", want, h.Comparison.Warnings)
		}
	}
}

// That the new run failed, and at what, is said beside the cells that both have.
func TestCompareTellsErrors(t *testing.T) {
	failed := runOf(spread(1e6)...)
	failed.Ends[0].Status = results.Failed
	failed.Outcomes = []results.Outcome{{Experiment: "log", Variant: "b", Goroutines: 1, Kind: results.OutcomeError, Text: "boom"}}
	c := analysis.Compare(runOf(spread(1e6)...), failed)
	if !slices.ContainsFunc(c.Warnings, func(w results.Warning) bool { return w.Text == "in the newer run: log/b@1 ended by an error: boom" }) {
		t.Errorf("%v", c.Warnings)
	}
}

// Runs that began in the same minute can be told apart, and so can their doubts.
func TestRunsOfOneMinuteHaveNamesOfTheirOwn(t *testing.T) {
	for want, after := range map[string]time.Duration{
		"11-01 10:00 11-01 10:01":       time.Minute,
		"11-01 10:00:00 11-01 10:00:09": 9 * time.Second,
		"run 1 run 2":                   time.Millisecond,
	} {
		first, last := runOf(spread(1e6)...), runOf(spread(1e6)...)
		first.Envs[0].Start = time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
		last.Envs[0].Start = first.Envs[0].Start.Add(after)
		for _, run := range []*results.Run{first, last} {
			run.Envs[0].Warnings = []results.Warning{{Text: "load"}}
		}
		h := analysis.History(first, last)
		if got := strings.Join(h.Runs, " "); got != want {
			t.Errorf("%v apart: %q, want %q", after, got, want)
		}
		var told []string
		for _, w := range h.Comparison.Warnings {
			told = append(told, strings.TrimPrefix(strings.TrimSuffix(w.Text, ": load"), "in "))
		}
		if got := strings.ReplaceAll(strings.Join(told, " "), "the run of ", ""); got != want {
			t.Errorf("%v apart: doubts of %q, want %q", after, got, want)
		}
	}
}

// The doubt of a run is told with the run.
func TestDoubtOfARunNamesIt(t *testing.T) {
	older, newer := runOf(spread(1e6)...), runOf(spread(1e6)...)
	older.Envs[0].Warnings = []results.Warning{{Text: "load 5"}}
	newer.Envs[0].Warnings = []results.Warning{{Text: "load 6"}}
	if got := analysis.Compare(older, newer).Warnings; len(got) != 2 || got[0].Text != "in the older run: load 5" || got[1].Text != "in the newer run: load 6" {
		t.Errorf("%v", got)
	}
}

// A doubt of the first and the last of several runs names them: "both" is said of two.
func TestHistoryNamesTheRunsOfADoubt(t *testing.T) {
	disturbed := func() *results.Run {
		r := runOf(spread(1e6)...)
		for i := range r.Trials {
			r.Trials[i].Warnings = []results.Warning{{Code: results.WarnDisturbed}}
		}
		return r
	}
	h := analysis.History(disturbed(), runOf(spread(1e6)...), disturbed())
	if doubt := h.Comparison.Changes[0].Doubt; !strings.HasPrefix(doubt, "in run 1 and in run 3 others took") {
		t.Errorf("%q", doubt)
	}
	if doubt := analysis.Compare(disturbed(), disturbed()).Changes[0].Doubt; !strings.HasPrefix(doubt, "in both runs others took") {
		t.Errorf("%q", doubt)
	}
}
