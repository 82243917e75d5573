package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// go test sets GOMAXPROCS: that does not make one machine two. For other runs it
// does.
func TestProcsOfGoTestAreNoOtherMachine(t *testing.T) {
	for loop, want := range map[string]bool{results.GoTest: false, "closed": true} {
		env := func(procs int) results.Env {
			return results.Env{Machine: results.Machine{CPU: "one", GOMAXPROCS: procs}, Settings: results.Settings{Loop: loop}}
		}
		r := analysis.Analyze(&results.Run{Envs: []results.Env{env(1), env(2)}})
		got := slices.ContainsFunc(r.Warnings, func(w results.Warning) bool { return w.Code == results.WarnMachines })
		if got != want {
			t.Errorf("%s: two machines: %v", loop, got)
		}
	}
}

// Trials of one machine that were set up otherwise are told of in one report, each
// difference by its name. What go test measured says too little of its machine for that.
func TestMixOfSetUps(t *testing.T) {
	for what, change := range map[string]func(*results.Env){
		"clock source":  func(e *results.Env) { e.Machine.Clock = "hpet" },
		"GOGC":          func(e *results.Env) { e.Machine.GOGC = "off" },
		"device":        func(e *results.Env) { e.Disk.Device = "/dev/sdb" },
		"mount options": func(e *results.Env) { e.Disk.Options = "ro" },
		"file system":   func(e *results.Env) { e.Disk.FileSystem = "tmpfs" },
	} {
		for loop, want := range map[string]int{"closed": 1, results.GoTest: 0} {
			one := results.Env{Machine: results.Machine{CPU: "one"}, Settings: results.Settings{Loop: loop}}
			other := one
			change(&other)
			var got []string
			for _, w := range analysis.Analyze(&results.Run{Envs: []results.Env{one, one, other}, Ends: make([]results.End, 3)}).Warnings {
				if w.Code == results.WarnMachines && strings.Contains(w.Text, what) {
					got = append(got, w.Text)
				}
			}
			if len(got) != want {
				t.Errorf("another %s, %s: warnings %q, want %d", what, loop, got, want)
			}
		}
	}
}

// More goroutines than a trial's own GOMAXPROCS wait for a processor, whatever
// the machine has; and no more than it has run at once.
func TestProcessorsAreTheTrials(t *testing.T) {
	for _, c := range []struct {
		procs, goroutines int
		want              bool
	}{{1, 2, true}, {2, 2, false}, {2, 3, true}, {8, 3, true}, {0, 2, false}} {
		trial := results.Trial{Experiment: "mod", Variant: "A", Goroutines: c.goroutines, GOMAXPROCS: c.procs, Ops: 1, WallNS: 1e9, GoroutineNS: 1e9, Usage: results.MissingUsage()}
		r := analysis.Analyze(&results.Run{Envs: []results.Env{{Machine: results.Machine{GOMAXPROCS: 2, Cores: 2}}}, Trials: []results.Trial{trial}})
		got := slices.ContainsFunc(r.Findings[0].Summaries[0].Warnings, func(w results.Warning) bool { return w.Code == results.WarnProcessors })
		if got != c.want {
			t.Errorf("%d goroutines at GOMAXPROCS %d of 2 cores: warned %v", c.goroutines, c.procs, got)
		}
	}
}

// A part that failed without an error of its variants is told, however many errors
// another part has; one of go test may have failed for more than its errors say.
func TestFailedPartIsTold(t *testing.T) {
	for _, c := range []struct {
		loop string
		of   []int // the parts of the errors
		want bool
	}{{"closed", []int{0, 1}, false}, {"closed", []int{0, 0}, true}, {results.GoTest, []int{0, 1}, true}} {
		run := &results.Run{Ends: []results.End{{Env: 0, Status: results.Failed}, {Env: 1, Status: results.Failed}}}
		for range 2 {
			run.Envs = append(run.Envs, results.Env{Settings: results.Settings{Loop: c.loop}})
		}
		for _, env := range c.of {
			run.Outcomes = append(run.Outcomes, results.Outcome{Experiment: "e", Variant: "a", Goroutines: 1, Kind: results.OutcomeError, Env: env})
		}
		got := slices.ContainsFunc(analysis.Analyze(run).Warnings, func(w results.Warning) bool { return w.Code == results.WarnUnfinished })
		if got != c.want {
			t.Errorf("%s, errors of parts %v: told %v", c.loop, c.of, got)
		}
	}
}

// Figures of a benchmark that did not pass every repetition are of those it passed, and
// no threshold passes over them.
func TestFailedRepetitionsAreDoubted(t *testing.T) {
	run := runOf(spread(1e6)...)
	run.Outcomes = []results.Outcome{{Experiment: "log", Variant: "file", Goroutines: 1, Block: 3, Kind: results.OutcomeFailed, Text: "1 of 7 repetitions failed"}}
	r := analysis.Analyze(run)
	f := r.Findings[0]
	if !slices.ContainsFunc(f.Summaries[0].Warnings, func(w results.Warning) bool {
		return w.Code == results.WarnEnded && strings.Contains(w.Text, "these it passed")
	}) {
		t.Errorf("warnings %q", f.Summaries[0].Warnings)
	}
	if want := "file did not pass every repetition at 1 goroutine, first in block 3: 1 of 7 repetitions failed"; !slices.Contains(f.Verdict.Details, want) {
		t.Errorf("details %q", f.Verdict.Details)
	}
	for _, gate := range analysis.GateChanges(analysis.Compare(runOf(spread(1e6)...), run), 0.5) {
		if gate.Status != results.GateUnseen {
			t.Errorf("%+v", gate)
		}
	}
}

// Trials of one cell that were planned differently are told to be mixed; those of
// different experiments may be.
func TestRunsThatWerePlannedDifferently(t *testing.T) {
	run := &results.Run{Envs: []results.Env{{Settings: results.Settings{WindowNS: 220e6}}, {Settings: results.Settings{WindowNS: 60e6}}},
		Ends: []results.End{{Status: results.Complete}, {Env: 1, Status: results.Complete}}}
	for _, c := range []struct {
		variants [2]string
		want     []results.Warning
	}{
		{[2]string{"file", "memory"}, nil},
		{[2]string{"file", "file"}, []results.Warning{{Code: results.WarnMachines,
			Text: "trials of runs that were planned differently are mixed: window: 220ms, then 60ms"}}},
	} {
		run.Trials = nil
		for env, variant := range c.variants {
			run.Trials = append(run.Trials, results.Trial{Env: env, Experiment: "log", Variant: variant, Goroutines: 1, Ops: 1, WallNS: 1})
		}
		if got := analysis.Analyze(run).Warnings; !slices.Equal(got, c.want) {
			t.Errorf("%v: %v", c.variants, got)
		}
	}
}

// Trials of two programs are told of in one report: it has one rate of both.
func TestMixOfCommits(t *testing.T) {
	env := func(commit string) results.Env {
		return results.Env{Machine: results.Machine{CPU: "one", Commit: commit}}
	}
	for _, c := range []struct {
		commits []string
		want    bool
	}{{[]string{"aaaa", "bbbb"}, true}, {[]string{"aaaa", "aaaa"}, false}, {[]string{"aaaa", ""}, false}, {[]string{"", "", ""}, false}} {
		run := &results.Run{}
		for _, commit := range c.commits {
			run.Envs = append(run.Envs, env(commit))
		}
		got := slices.ContainsFunc(analysis.Analyze(run).Warnings, func(w results.Warning) bool { return strings.Contains(w.Text, "different commits") })
		if got != c.want {
			t.Errorf("%q: told of %t", c.commits, got)
		}
	}
}

// Two runs whose operations are others are not compared.
func TestOtherOperationsAreUnlike(t *testing.T) {
	for what, change := range map[string]func(*results.Experiment){
		"":                    func(*results.Experiment) {},
		"operation of log:":   func(e *results.Experiment) { e.Unit = "batch" },
		"operation of log by": func(e *results.Experiment) { e.Factors[0].Unit = "other" },
		"default of reads":    func(e *results.Experiment) { e.Factors[0].Default = "2" },
	} {
		with := func(rate float64, change func(*results.Experiment)) *results.Run {
			run := runOf(spread(rate)...)
			e := &run.Experiments[0]
			e.Unit, e.Factors = "append", []results.Factor{{Name: "reads", Default: "0", Unit: "operation"}}
			change(e)
			return run
		}
		unlike := analysis.Unlike(with(1e6, func(*results.Experiment) {}), with(2e6, change))
		if got := strings.Join(unlike, "; "); (got == "") != (what == "") || !strings.Contains(got, what) {
			t.Errorf("%q: not alike in %q", what, got)
		}
	}
}

// Two programs that took turns are not one: a report of both files together says so.
func TestMixOfTwoPrograms(t *testing.T) {
	for turns, want := range map[string]bool{"a": true, "b": false, "": false} {
		one := results.Env{Machine: results.Machine{CPU: "one"}, Settings: results.Settings{Turns: turns}}
		other := one
		if turns == "b" {
			other.Settings.Turns = "c"
		}
		r := analysis.Analyze(&results.Run{Envs: []results.Env{one, other}, Ends: make([]results.End, 2)})
		got := slices.ContainsFunc(r.Warnings, func(w results.Warning) bool { return strings.HasPrefix(w.Text, "trials of two programs") })
		if got != want {
			t.Errorf("turns %q: %v", turns, r.Warnings)
		}
	}
}
