package gotest

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// The second run has the arguments of the first, each benchmark once, and a number of
// operations that was asked for.
func TestOnce(t *testing.T) {
	for given, want := range map[string]string{
		"-bench . ./...":                    "-bench . ./... -run=^$ -count=1 -benchtime=300ms",
		"-bench . -benchtime 100x":          "-bench . -benchtime 100x -run=^$ -count=1",
		"-bench . -count 6 -args -mine":     "-bench . -count 6 -run=^$ -count=1 -benchtime=300ms -args -mine",
		"-bench . -benchtime=3s -cpu=1,2 p": "-bench . -benchtime=3s -cpu=1,2 p -run=^$ -count=1 -benchtime=300ms",
	} {
		if got := strings.Join(parseArguments(strings.Fields(given)).once(""), " "); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
	if got := parseArguments([]string{"-bench=."}).once("-benchtime=7x"); slices.Contains(got, "-benchtime=300ms") {
		t.Errorf("GOFLAGS ask for 7x: %v", got)
	}
}

func TestWrites(t *testing.T) {
	for given, want := range map[string]string{
		"-bench .": "", "-bench . -trace t.out": "-trace", "-memprofile=m -bench .": "-memprofile", "-bench . -args -trace": "",
	} {
		if got := Writes(strings.Fields(given)); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}

// Of a benchmark whose second run told nothing there is a reason, of a serial one no breakdown.
func TestBreakdownsWithoutATrace(t *testing.T) {
	parallel := Trial{Package: "p", Name: "BenchmarkA-2", Procs: 2, N: 10, WallNS: 100, Goroutines: 2, GoroutineNS: 200, Dealt: 10, Usage: results.MissingUsage()}
	serial := Trial{Package: "p", Name: "BenchmarkB-2", Procs: 2, N: 10, WallNS: 100, Usage: results.MissingUsage()}
	all := breakdowns(Outcome{Trials: []Trial{parallel, parallel, serial}, Count: 2}, Told{}, t.TempDir())
	if len(all) != 1 || all[0].Variant != "A" || all[0].Goroutines != 2 || !strings.Contains(all[0].Reason, "second run") {
		t.Errorf("%+v", all)
	}
	told := Told{Trials: []Trial{parallel}, traces: []trace{{repeated{"p", "BenchmarkA-2", 2}, false, "1-0"}}}
	all = breakdowns(Outcome{Trials: []Trial{parallel}, Count: 1}, told, t.TempDir())
	if len(all) != 1 || !strings.Contains(all[0].Reason, "no trace was written") || all[0].OpsPerS != 1e8 {
		t.Errorf("%+v", all)
	}
	told.traces[0].toggled = true
	if all = breakdowns(Outcome{Trials: []Trial{parallel}, Count: 1}, told, t.TempDir()); !strings.Contains(all[0].Reason, "timer was stopped") {
		t.Errorf("%+v", all)
	}
	parallel.Dealt = 20
	if all = breakdowns(Outcome{Trials: []Trial{parallel}, Count: 1}, told, t.TempDir()); !strings.Contains(all[0].Reason, "more than once") {
		t.Errorf("%+v", all)
	}
}
