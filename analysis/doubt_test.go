package analysis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// Each rule fires where it must and, on the trials as they are, does not.
func TestEveryDoubtFiresAndDoesNot(t *testing.T) {
	each := func(change func(x *results.Trial)) func(b *book) {
		return func(b *book) {
			for i := range b.run.Trials {
				change(&b.run.Trials[i])
			}
		}
	}
	disturb := func(blocks ...int) func(b *book) {
		return each(func(x *results.Trial) {
			if slices.Contains(blocks, x.Block) {
				x.Warnings = []results.Warning{{Code: results.WarnDisturbed, Text: "others took 20 %"}}
			}
		})
	}
	marked := func(code string, blocks ...int) func(b *book) {
		return each(func(x *results.Trial) {
			if slices.Contains(blocks, x.Block) {
				x.Warnings = []results.Warning{{Code: code, Text: fmt.Sprintf("%d ms", x.Block)}}
			}
		})
	}
	vary := each(func(x *results.Trial) { x.WallNS += int64(x.Block) * 20e6; x.GoroutineNS = x.WallNS * 4 })
	lasting := func(plan, wall, budget int64) func(b *book) {
		return func(b *book) {
			b.run.Envs[0].Settings.BudgetNS = budget
			b.run.Envs[0].Settings.WindowNS = plan * 1e6
			each(func(x *results.Trial) { x.WallNS = wall * 1e6; x.GoroutineNS = 4 * x.WallNS })(b)
		}
	}
	for _, c := range []struct {
		name, code string
		change     func(b *book)
		fires      bool
	}{
		{"good trials", "", func(*book) {}, false},
		{"five", results.WarnTrials, func(b *book) { b.run.Trials = b.run.Trials[:5] }, true},
		{"wide", results.WarnWide, vary, true},
		{"zero in the middle", results.WarnWide, each(func(x *results.Trial) {
			if x.Block != 6 {
				x.Ops = 0
			}
		}), true},
		{"zero throughout", results.WarnWide, each(func(x *results.Trial) { x.Ops = 0 }), false},
		{"wide with collector", results.WarnGC, func(b *book) {
			vary(b)
			each(func(x *results.Trial) { x.Usage.UserNS, x.Usage.SystemNS, x.Usage.GCCPUNS = 80, 20, 10 })(b)
		}, true},
		{"wide with an idle collector", results.WarnGC, func(b *book) {
			vary(b)
			each(func(x *results.Trial) { x.Usage.UserNS, x.Usage.SystemNS, x.Usage.GCCPUNS = 80, 20, 1 })(b)
		}, false},
		{"collector at work, but narrow", results.WarnGC, each(func(x *results.Trial) { x.Usage.UserNS, x.Usage.SystemNS, x.Usage.GCCPUNS = 80, 20, 10 }), false},
		{"0.89 N", results.WarnEffective, each(func(x *results.Trial) { x.GoroutineNS = x.WallNS * 356 / 100 }), true},
		{"0.91 N", results.WarnEffective, each(func(x *results.Trial) { x.GoroutineNS = x.WallNS * 364 / 100 }), false},
		{"goroutine time not measured", results.WarnEffective, each(func(x *results.Trial) { x.GoroutineNS = 0 }), false},
		{"3 processors", results.WarnProcessors, func(b *book) { b.run.Envs[0].Machine.GOMAXPROCS = 3 }, true},
		{"GOMAXPROCS beyond the cores", results.WarnCores, func(b *book) { m := &b.run.Envs[0].Machine; m.GOMAXPROCS, m.Cores = 64, 2 }, true},
		{"GOMAXPROCS beyond the cores, but no more goroutines", results.WarnCores, func(b *book) { m := &b.run.Envs[0].Machine; m.GOMAXPROCS, m.Cores = 64, 4 }, false},
		{"4 processors", results.WarnProcessors, func(b *book) { b.run.Envs[0].Machine.GOMAXPROCS = 4 }, false},
		{"unknown processors", results.WarnProcessors, func(b *book) { b.run.Envs[0].Machine.GOMAXPROCS = 0 }, false},
		{"fewer processors in the second run", results.WarnProcessors, func(b *book) {
			b.run.Envs = append(b.run.Envs, results.Env{Machine: results.Machine{GOMAXPROCS: 2}})
			b.run.Trials[5].Env = 1
		}, true},
		{"49 ms", results.WarnShort, each(func(x *results.Trial) { x.WallNS = 49e6; x.GoroutineNS = 4 * x.WallNS }), true},
		{"50 ms", results.WarnShort, each(func(x *results.Trial) { x.WallNS = 50e6; x.GoroutineNS = 4 * x.WallNS }), false},
		{"40 ms of 60", results.WarnBrief, lasting(60, 40, 0), true},
		{"40 ms of 60 are no doubt", results.WarnShort, lasting(60, 40, 0), false},
		{"29 ms of 60", results.WarnShort, lasting(60, 29, 0), true},
		{"29 ms of 60, cut by a budget", results.WarnBrief, lasting(60, 29, 9e9), true},
		{"14 ms of 60, cut by a budget", results.WarnShort, lasting(60, 14, 9e9), true},
		{"49 ms of 100", results.WarnShort, lasting(100, 49, 0), true},
		{"two of six disturbed", results.WarnDisturbed, disturb(1, 4), true},
		{"one of six disturbed", results.WarnDisturbed, disturb(3), false},
		{"two of six throttled", results.WarnThrottled, marked(results.WarnThrottled, 1, 4), true},
		{"one of six throttled", results.WarnThrottled, marked(results.WarnThrottled, 3), false},
		{"the first operation slow in every second", results.WarnSlowStart, marked(results.WarnSlowStart, 1, 3, 5), true},
		{"the first operation slow in every third", results.WarnSlowStart, marked(results.WarnSlowStart, 1, 4), false},
		{"unlike the plan in every third", results.WarnPlan, marked(results.WarnPlan, 1, 4), true},
		{"unlike the plan once", results.WarnPlan, marked(results.WarnPlan, 3), false},
		{"a doubt without a rule", results.WarnPlatform, func(b *book) {
			b.run.Trials[2].Warnings = []results.Warning{{Code: results.WarnPlatform, Text: "no system time here"}}
		}, true},
	} {
		b := one("a")
		b.cell("a", 4, six(1e5)...)
		c.change(b)
		s := summary(t, b.finding(t), "a", 4)
		if c.code == "" && len(s.Warnings) > 0 {
			t.Errorf("%s: warnings %v", c.name, s.Warnings)
		}
		if c.code != "" && warned(s, c.code) != c.fires {
			t.Errorf("%s: warnings %v, want %s: %v", c.name, s.Warnings, c.code, c.fires)
		}
	}
}

// Trials that a quota held back are unlike their plan, and say nothing of the operation.
func TestOnlyFreeTrialsCallAnOperationUnsteady(t *testing.T) {
	for name, c := range map[string]struct {
		throttled []int
		want      bool
	}{
		"none throttled":         {nil, true},
		"all of them throttled":  {[]int{0, 2, 4}, false},
		"two of three throttled": {[]int{0, 2}, false},
		"one of three throttled": {[]int{0}, true},
		"another one throttled":  {[]int{1}, true},
	} {
		b := one("a")
		b.cell("a", 4, six(1e5)...)
		for _, i := range []int{0, 2, 4} {
			b.run.Trials[i].Warnings = append(b.run.Trials[i].Warnings, results.Warning{Code: results.WarnPlan})
		}
		for _, i := range c.throttled {
			b.run.Trials[i].Warnings = append(b.run.Trials[i].Warnings, results.Warning{Code: results.WarnThrottled})
		}
		for _, w := range summary(t, b.finding(t), "a", 4).Warnings {
			if w.Code == results.WarnPlan && strings.Contains(w.Text, "not steady") != c.want {
				t.Errorf("%s: %s", name, w.Text)
			}
		}
	}
}

func TestDoubtsAboutTheWholeRun(t *testing.T) {
	end := func(status string) []results.End { return []results.End{{Status: status}} }
	env := func(m results.Machine) results.Env { return results.Env{Machine: m} }
	m := results.Machine{CPU: "one", Cores: 2, GOMAXPROCS: 2, Go: "go1.26"}
	other := m
	other.GOMAXPROCS = 1
	tmpfs := results.Warning{Code: results.WarnTmpfs, Text: "no disk"}
	for _, c := range []struct {
		name string
		run  results.Run
		want []string
	}{
		{"none", results.Run{Envs: []results.Env{env(m)}, Ends: end(results.Complete)}, nil},
		{"failed with an outcome", results.Run{Envs: []results.Env{env(m)}, Ends: end(results.Failed), Outcomes: make([]results.Outcome, 1)}, nil},
		{"failed", results.Run{Envs: []results.Env{env(m)}, Ends: end(results.Failed)}, []string{results.WarnUnfinished}},
		{"interrupted", results.Run{Envs: []results.Env{env(m)}, Ends: end(results.Interrupted)}, []string{results.WarnUnfinished}},
		{"cut off", results.Run{Envs: []results.Env{env(m)}}, []string{results.WarnUnfinished}},
		{"same machine twice", results.Run{Envs: []results.Env{env(m), env(m)}, Ends: []results.End{{Status: results.Complete}, {Env: 1, Status: results.Complete}}}, nil},
		{"another GOMAXPROCS", results.Run{Envs: []results.Env{env(m), env(other)}, Ends: []results.End{{Status: results.Complete}, {Env: 1, Status: results.Complete}}}, []string{results.WarnMachines}},
		{"one doubt of two envs", results.Run{
			Envs: []results.Env{{Machine: m, Warnings: []results.Warning{tmpfs}}, {Machine: m, Warnings: []results.Warning{tmpfs}}},
			Ends: []results.End{{Status: results.Complete}, {Env: 1, Status: results.Complete}},
		}, []string{results.WarnTmpfs}},
	} {
		var got []string
		for _, w := range analysis.Analyze(&c.run).Warnings {
			got = append(got, w.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: warnings %v, want %v", c.name, got, c.want)
		}
	}
}

// Figures of a variant that an error ended are those of the trials before it only where
// no others were put to them: it may have been run again.
func TestWhichTrialsAnErrorLeft(t *testing.T) {
	const before, among, elsewhere, plain = "these are the trials before it", "are among these", "in another run", "the variant ended by an error"
	for name, c := range map[string]struct {
		run   int // of the error
		block int
		runs  []int // of the trials, one a block
		want  string
	}{
		"ended, and not run again":       {0, 3, []int{0, 0, 0}, before},
		"ended, and run again":           {0, 2, []int{0, 0, 1, 1, 1}, among},
		"ended at once, and run again":   {0, 0, []int{1, 1, 1}, elsewhere},
		"of a run that nobody knows":     {-1, 1, []int{0, 0}, plain},
		"trials that stand behind it":    {0, 1, []int{0, 0}, plain},
		"trials of a run without record": {0, 3, []int{-1, -1, -1}, plain},
	} {
		b := one("a")
		b.run.Envs = append(b.run.Envs, b.run.Envs[0])
		b.cell("a", 1, six(1000)[:len(c.runs)]...)
		for i, run := range c.runs {
			b.run.Trials[i].Env = run
		}
		b.run.Outcomes = []results.Outcome{{Experiment: "log", Variant: "a", Goroutines: 4, Block: c.block, Kind: results.OutcomeError, Env: c.run}}
		var got []string
		for _, w := range analysis.Analyze(&b.run).Findings[0].Summaries[0].Warnings {
			if w.Code == results.WarnEnded {
				got = append(got, w.Text)
			}
		}
		if len(got) != 1 || !strings.Contains(got[0], c.want) || c.want == plain && got[0] != plain {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
