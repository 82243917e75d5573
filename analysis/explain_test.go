package analysis

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// What a traced window tells of its cell: shares where tracing left the rate alone and all
// time is accounted for, and what is known otherwise.
func TestExplain(t *testing.T) {
	locked := []results.BreakdownPart{
		{Kind: "waiting for a lock", NS: 700, Places: []results.BreakdownPlace{
			{Where: "file.go:88", Call: "sync.(*Mutex).Lock", NS: 700, Woken: "file.go:90", Doing: "in a system call, in os.(*File).Write at file.go:89"}}},
		{Kind: "in a system call", NS: 280, Places: []results.BreakdownPlace{{Where: "file.go:89", Call: "os.(*File).Write", NS: 200}}},
		{Kind: "on a processor", NS: 20},
	}
	twoLocks := []results.BreakdownPart{
		{Kind: "waiting for a lock", NS: 800, Places: []results.BreakdownPlace{{Where: "a.go:1", Call: "sync.(*Mutex).Lock", NS: 450}, {Where: "a.go:2", Call: "sync.(*Mutex).Lock", NS: 350}}},
		{Kind: "asleep", NS: 200},
	}
	hole := append([]results.BreakdownPart{{Kind: "unexplained", NS: 30}}, locked[1:]...)
	for _, c := range []struct {
		name   string
		rate   float64
		parts  []results.BreakdownPart
		reason string
		want   string
		never  string
	}{
		{"sound", 1000, locked, "", "70 % waiting for a lock, in sync.(*Mutex).Lock at file.go:88, which ended at file.go:90; who ended it was mostly in a system call, in os.(*File).Write at file.go:89; " +
			"28 % in a system call, in os.(*File).Write at file.go:89 (71 % of that). Most of the time is lost at that line; whether one lock is taken there or several, a trace does not tell.", "perturbed"},
		{"two locks", 1000, twoLocks, "", "no single line of which", "at that line"},
		{"crowded", 1000, []results.BreakdownPart{{Kind: "waiting for a processor", NS: 760}, {Kind: "on a processor", NS: 240}}, "", "whether those on one do work, or spin", "limited"},
		{"slowed", 899, locked, "", "perturbed: tracing changed it, to 0.90× the rate of its trials", "70 %"},
		{"sped up", 1101, locked, "", "perturbed", "70 %"},
		{"within", 901, locked, "", "70 %", "perturbed"},
		{"a hole", 1000, hole, "", "not accounted for: of 3 %", "system call"},
		{"none", 1000, nil, "panic: oops", "not traced: panic: oops.", "%"},
		{"empty", 1000, nil, "", "not traced", "%"},
	} {
		run := &results.Run{Experiments: []results.Experiment{{Name: "e"}}}
		for range 3 {
			run.Trials = append(run.Trials, results.Trial{Experiment: "e", Variant: "v", Goroutines: 4, Ops: 1000, WallNS: 1e9})
		}
		run.Breakdowns = []results.Breakdown{{Experiment: "e", Variant: "v", Goroutines: 4, TimeNS: 1000, WindowNS: 250, OpsPerS: results.Number(c.rate), Parts: c.parts, Reason: c.reason}}
		all := explained(run, results.Finding{Experiment: run.Experiments[0], Trials: run.Trials})
		if len(all) != 1 || !strings.Contains(all[0].Text, c.want) || strings.Contains(all[0].Text, c.never) {
			t.Errorf("%s: %+v\nwant %s", c.name, all, c.want)
		}
	}
}

// A window without trials has nothing to be held to.
func TestExplainWithoutTrials(t *testing.T) {
	run := &results.Run{Breakdowns: []results.Breakdown{{Experiment: "e", Variant: "v", Goroutines: 1, TimeNS: 9, OpsPerS: 5, Parts: []results.BreakdownPart{{Kind: "asleep", NS: 9}}}}}
	all := explained(run, results.Finding{Experiment: results.Experiment{Name: "e"}})
	if len(all) != 1 || !strings.Contains(all[0].Text, "nobody knows how much") || strings.Contains(all[0].Text, "%") {
		t.Errorf("%+v", all)
	}
}
