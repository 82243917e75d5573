package results_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// goTestRun is one benchmark in as many goroutines at each GOMAXPROCS.
func goTestRun(procs ...int) *results.Run {
	env := results.Env{Machine: results.Machine{GOOS: "linux", GOMAXPROCS: 2, Cores: 2}, Settings: results.Settings{Loop: results.GoTest}}
	run := &results.Run{Experiments: []results.Experiment{{Name: "mod", Variants: []results.Variant{{Name: "Equal"}}}}}
	for _, n := range procs {
		run.Trials = append(run.Trials, results.Trial{
			Experiment: "mod", Variant: "Equal", Factors: map[string]string{"parallelism": string(rune('0' + 8/n))}, Goroutines: 8,
			GOMAXPROCS: n, Block: 1, Ops: 10, WallNS: 1000, GoroutineNS: 8000, Usage: results.MissingUsage(),
		})
	}
	env.TakeProcs(run.Trials)
	run.Envs = []results.Env{env}
	return run
}

// What go test set GOMAXPROCS to is what is told, whatever this process had.
func TestProcs(t *testing.T) {
	for want, procs := range map[string][]int{"1": {1, 1}, "4": {4}, "1, 4": {4, 1, 4}} {
		if got := goTestRun(procs...).Envs[0].Procs(); got != want {
			t.Errorf("%d: GOMAXPROCS %q, want %q", procs, got, want)
		}
	}
	if got := (results.Env{Machine: results.Machine{GOMAXPROCS: 3}}).Procs(); got != "3" {
		t.Errorf("GOMAXPROCS %q of a machine that has 3", got)
	}
	if got := (results.Env{}).Procs(); got != "" {
		t.Errorf("GOMAXPROCS %q where nobody knows", got)
	}
}

// More threads than processors do not make more processors.
func TestProcessors(t *testing.T) {
	run := goTestRun(1, 2, 4)
	for i, want := range []int{1, 2, 2} {
		if got := run.Processors(run.Trials[i]); got != want {
			t.Errorf("%d processors at GOMAXPROCS %d of 2 cores, want %d", got, run.Trials[i].GOMAXPROCS, want)
		}
	}
	if got := run.ProcsOf(results.Trial{}); got != 0 {
		t.Errorf("GOMAXPROCS %d of a trial that does not say", got)
	}
}

// The benchmark format keeps them apart, and one machine one machine.
func TestBenchFormatKeepsProcs(t *testing.T) {
	run := goTestRun(1, 2)
	var text bytes.Buffer
	if err := results.WriteBench(&text, run); err != nil {
		t.Fatal(err)
	}
	back, err := results.ReadBench(&text, "file")
	if err != nil || len(back.Problems) > 0 {
		t.Fatal(err, back.Problems)
	}
	var procs []int
	for _, trial := range back.Trials {
		procs = append(procs, trial.GOMAXPROCS)
	}
	if len(back.Envs) != 1 || back.Envs[0].Procs() != "1, 2" || back.Envs[0].Settings.Trials != 1 {
		t.Errorf("%d envs: %+v", len(back.Envs), back.Envs)
	}
	if !slices.Equal(procs, []int{2, 1}) && !slices.Equal(procs, []int{1, 2}) {
		t.Errorf("GOMAXPROCS %d", procs)
	}
}

// Goroutines of a process that is held to one processor run one at a time.
func TestProcessorsOfAHeldProcess(t *testing.T) {
	run := &results.Run{Envs: []results.Env{{Machine: results.Machine{Cores: 4, GOMAXPROCS: 4}}}}
	trial := results.Trial{Goroutines: 8}
	trial.Usage.UserNS = 1
	for _, c := range []struct {
		processes []results.Process
		want      int
	}{
		{nil, 4},
		{[]results.Process{{Name: results.Server, Processors: []int{3}}, {Name: results.Generator, Processors: []int{0}}}, 1},
		{[]results.Process{{Name: results.Server, Processors: []int{3}}, {Name: results.Generator}}, 4},
	} {
		if trial.Processes = c.processes; run.Processors(trial) != c.want {
			t.Errorf("%+v: %d processors, want %d", c.processes, run.Processors(trial), c.want)
		}
	}
}
