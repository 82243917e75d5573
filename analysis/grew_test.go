package analysis

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// Of a cell that became slower, or faster, the part that changed most is named with its line,
// where both runs tell shares.
func TestWhatGrew(t *testing.T) {
	run := func(ops int, source string, perturbed bool, lock, system int64) side {
		r := &results.Run{Experiments: []results.Experiment{{Name: "e"}}}
		for range 3 {
			r.Trials = append(r.Trials, results.Trial{Experiment: "e", Variant: "v", Goroutines: 4, Ops: ops, WallNS: 1e9, GoroutineNS: 4e9, Usage: results.MissingUsage()})
		}
		rate := results.Number(ops)
		if perturbed {
			rate /= 2
		}
		r.Breakdowns = []results.Breakdown{
			{Experiment: "e", Variant: "other", Goroutines: 4, TimeNS: 10, OpsPerS: rate, Parts: []results.BreakdownPart{{Kind: results.TimeSleep, NS: 10}}},
			{Experiment: "e", Variant: "v", Goroutines: 4, Source: source, TimeNS: lock + system, OpsPerS: rate, Parts: []results.BreakdownPart{
				{Kind: results.TimeLock, NS: lock, Places: []results.BreakdownPlace{{Where: "a.go:1", NS: lock}}}, {Kind: results.TimeSystem, NS: system}}},
		}
		return side{run: r, trials: r.Trials}
	}
	old := run(1000, results.SourceTrace, false, 750, 250) // 3 ms and 1 ms of an operation
	for name, c := range map[string]struct {
		newer      side
		call, want string
	}{
		"lock":      {run(500, results.SourceTrace, false, 875, 125), results.Worse, "grew most: waiting for a lock, at a.go:1, 3ms → 7ms of an operation"},
		"system":    {run(500, results.SourceTrace, false, 375, 625), results.Worse, "grew most: in a system call, 1ms → 5ms of an operation"},
		"faster":    {run(2000, results.SourceTrace, false, 500, 500), results.Better, "shrank most: waiting for a lock, at a.go:1, 3ms → 1ms of an operation"},
		"same":      {run(1000, results.SourceTrace, false, 100, 900), results.Same, ""},
		"perturbed": {run(500, results.SourceTrace, true, 875, 125), results.Worse, ""},
	} {
		if got := whatGrew(old, c.newer, c.call); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := whatGrew(side{run: &results.Run{}, trials: old.trials}, old, results.Worse); got != "" {
		t.Errorf("without a window: %q", got)
	}

	// Where the goroutines of the trials ended one after another, an operation took less than N ÷ X.
	early := run(500, results.SourceTrace, false, 875, 125)
	for i := range early.trials {
		early.trials[i].GoroutineNS = 3e9
	}
	if got := whatGrew(old, early, results.Worse); got != "grew most: waiting for a lock, at a.go:1, 3ms → 5.25ms of an operation" {
		t.Error(got)
	}

	// The line is that at which it grew, not the one that had most of it before, too.
	two := func(ops int, first, second int64) side {
		s := run(ops, results.SourceTrace, false, 1, 0)
		b := &s.run.Breakdowns[1]
		b.TimeNS = first + second
		b.Parts = []results.BreakdownPart{{Kind: results.TimeSleep, NS: b.TimeNS, Places: []results.BreakdownPlace{{Where: "a.go:1", NS: first}, {Where: "b.go:2", NS: second}}}}
		return s
	}
	if got := whatGrew(two(1000, 90, 10), two(500, 47, 53), results.Worse); got != "grew most: asleep, at b.go:2, 4ms → 8ms of an operation" {
		t.Error(got)
	}

	// Lines move with every edit above them: what waits there does not.
	edited := func(ops, moved int, first, second int64) side {
		s := two(ops, first, second)
		s.run.Breakdowns[1].Parts[0].Places = []results.BreakdownPlace{
			{Where: fmt.Sprintf("a.go:%d", 61+moved), Func: "main.step1", Call: "time.Sleep", NS: first}, {Where: fmt.Sprintf("a.go:%d", 65+moved), Func: "main.step2", Call: "time.Sleep", NS: second}}
		return s
	}
	if got := whatGrew(edited(1000, 0, 25, 75), edited(600, 4, 45, 55), results.Worse); !strings.Contains(got, "asleep, at a.go:65, 4ms") { // step1 is there now
		t.Error(got)
	}
	// Of several lines of one function nobody knows which is which, nor of what is only in one run.
	for _, place := range []results.BreakdownPlace{{Where: "a.go:66", Func: "main.step1", Call: "time.Sleep", NS: 30}, {Where: "a.go:99", Func: "main.step9", NS: 90}} {
		s := edited(600, 4, 45, 55)
		s.run.Breakdowns[1].Parts[0].Places = append(s.run.Breakdowns[1].Parts[0].Places, place)
		if got := whatGrew(edited(1000, 0, 25, 75), s, results.Worse); strings.Contains(got, ", at ") {
			t.Error(got)
		}
	}
	// Of a part whose other places are in no file nobody knows what they grew by, nor is a line told that
	// makes up less than half of it.
	hidden := func(ops int, all int64, told ...int64) side {
		s := two(ops, 0, 0)
		b := &s.run.Breakdowns[1]
		b.TimeNS, b.Parts = all, []results.BreakdownPart{{Kind: results.TimeSleep, NS: all}}
		for i, ns := range told {
			b.Parts[0].Places = append(b.Parts[0].Places, results.BreakdownPlace{Where: fmt.Sprintf("a.go:%d", 21+i), Func: "main.work", Call: "time.Sleep", NS: ns})
		}
		return s
	}
	for want, sides := range map[string][2]side{
		"grew most: asleep, 4ms → 8ms of an operation":             {hidden(1000, 1000, 250, 250, 250), hidden(500, 1000, 185, 150, 150)},
		"grew most: asleep, at a.go:21, 4ms → 8ms of an operation": {hidden(1000, 1000, 500, 250, 250), hidden(500, 1000, 750, 125, 125)},
		"grew most: asleep, 4.4ms → 8ms of an operation":           {hidden(909, 1000, 500, 250, 250), hidden(500, 1000, 400, 300, 300)},
	} {
		if got := whatGrew(sides[0], sides[1], results.Worse); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := fromTo(timeOf(results.Explanation{Breakdown: results.Breakdown{Source: results.SourceProfiles}}, 0), "8ms"); got != "of which nothing was told, to 8ms of an operation" {
		t.Error(got)
	}
	// What a profile has no source for has not grown from nothing.
	blind := run(1000, results.SourceProfiles, false, 200, 0)
	blind.run.Breakdowns[1].TimeNS = 1000
	if got := whatGrew(blind, run(600, results.SourceTrace, false, 200, 800), results.Worse); got != "what grew most is not accounted for" {
		t.Error(got)
	}
}
