package harness

import (
	"testing"

	"github.com/syncwrite/syncwrite/internal/cause/profiled"
	"github.com/syncwrite/syncwrite/internal/cause/stack"
	"github.com/syncwrite/syncwrite/results"
)

// Profiles speak where a traced window has another rate than its cell's trials, by more than a
// tenth.
func TestChanged(t *testing.T) {
	p := &planned{cellState: &cellState{Rates: []float64{900, 1000, 1100}}}
	for _, c := range []struct {
		rate   results.Number
		reason string
		want   bool
	}{{1000, "", false}, {905, "", false}, {890, "", true}, {1110, "", true}, {500, "oops", false}, {results.Missing(), "", false}} {
		if got := changed(results.Breakdown{OpsPerS: c.rate, Reason: c.reason}, p); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	p.Rates = []float64{900, 980, 1020, 1100}
	if changed(results.Breakdown{OpsPerS: 905}, p) {
		t.Error("the median of four is none of theirs")
	}
	if changed(results.Breakdown{OpsPerS: 1}, &planned{cellState: new(cellState)}) {
		t.Error("a cell without trials was changed")
	}
}

// What profiles and counters have is put together: time on processors as much as the system
// says, what is left as unexplained, and nothing where the sum passes the whole by far.
func TestProfiledParts(t *testing.T) {
	usage := func(user, sched results.Number) results.Usage {
		u := results.MissingUsage()
		u.UserNS, u.SystemNS, u.SchedWaitNS = user, 0, sched
		return u
	}
	at := stack.Place{File: "a.go", Line: 1}
	s := &profiled.Samples{
		Blocked:  profiled.Losses{{Kind: stack.Lock, Place: at, Time: 500}, {Kind: stack.Channel, Time: 100}},
		Unlocked: profiled.Losses{{Kind: stack.Lock, Place: stack.Place{File: "b.go", Line: 2}, Time: 90}, {Kind: stack.Lock, Time: 10}},
		Ran:      profiled.Losses{{Kind: stack.Running, Place: at, Time: 50}}, All: 100,
	}
	for _, c := range []struct {
		name    string
		usage   results.Usage
		besides int
		want    map[string]int64 // nil: refused
	}{
		{"all", usage(200, 240), 0, map[string]int64{results.TimeLock: 500, results.TimeChannel: 100, results.TimeRunning: 100, results.TimeRunnable: 240, results.TimeUnknown: 60}},
		{"another goroutine waited, too, for all that is known", usage(200, 340), 1, map[string]int64{results.TimeLock: 500, results.TimeChannel: 100, results.TimeRunning: 100, results.TimeRunnable: 90, results.TimeUnknown: 210}},
		{"nothing counted", usage(results.Missing(), results.Missing()), 0, map[string]int64{results.TimeLock: 500, results.TimeChannel: 100, results.TimeUnknown: 400}},
		{"no wait is longer than what is left", usage(200, 500), 0, map[string]int64{results.TimeLock: 500, results.TimeChannel: 100, results.TimeRunning: 100, results.TimeRunnable: 300}},
		{"too long a wait", usage(200, 610), 0, nil},
		{"a little much", usage(880, 0), 0, map[string]int64{results.TimeLock: 480, results.TimeChannel: 96, results.TimeRunning: 423, results.TimeUnknown: 1}}, // of fractions
		{"too much", usage(920, 0), 0, nil},
	} {
		got, err := profiledParts(results.Trial{Goroutines: 4, WallNS: 250, GoroutineNS: 1000, Usage: c.usage, Besides: c.besides}, s)
		if (err != nil) != (c.want == nil) {
			t.Fatalf("%s: %v", c.name, err)
		}
		sum := int64(0)
		for _, p := range got {
			sum += p.NS
			if want := c.want[p.Kind]; p.NS < want-1 || p.NS > want+1 {
				t.Errorf("%s: %s %d ns, want %d", c.name, p.Kind, p.NS, want)
			}
			if p.Kind == results.TimeLock && (p.Places[0].Where != "a.go:1" || p.Places[0].Woken != "b.go:2") {
				t.Errorf("%s: %+v", c.name, p.Places)
			}
		}
		if err == nil && (len(got) != len(c.want) || sum > 1000 || sum < 990) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	s.Unlocked[0].Time = 30 // most waits ended elsewhere
	if got := unlocking(s.Unlocked); got != "" {
		t.Errorf("all waits ended at %s", got)
	}
}

// A window that is looked into is long enough, but no goroutine does another number of
// operations than the variant says: they may meet in each.
func TestWhyWindow(t *testing.T) {
	for perGoroutine, want := range map[int]int{0: 2000, 21: 84} {
		p := &planned{
			cell:      cell{variant: Variant{PerGoroutine: perGoroutine}, goroutines: 4},
			cellState: &cellState{Ops: 84, Rate: 10_000}, series: &series{seriesState: new(seriesState)},
		}
		r := &runner{allSeries: []*series{p.series}, state: new(state)}
		r.state.Overhead = new(results.Overhead)
		if w := r.whyWindow(p); w.ops != want {
			t.Errorf("%d of each: %d operations, want %d", perGoroutine, w.ops, want)
		}
	}
}
