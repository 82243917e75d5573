package harness

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"runtime/trace"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// neighbours are processes that take all processors, until they are ended; what they took is told.
func neighbours(t *testing.T) (end func() (took time.Duration)) {
	t.Helper()
	var all []*exec.Cmd
	for range runtime.NumCPU() {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			t.Skip(err)
		}
		all = append(all, c)
	}
	return func() (took time.Duration) {
		for _, c := range all {
			c.Process.Kill()
			c.Wait()
			took += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		}
		return took
	}
}

// A trial in which others took the processors is measured once more, if the run has time for it,
// and is told of; a run without time keeps it.
func TestDisturbedTrialIsMeasuredAgain(t *testing.T) {
	for budget, again := range map[time.Duration]bool{time.Minute: true, time.Nanosecond: false} {
		untilDisturbed(t, func() (share float64, ok bool, what string) {
			first, took := firstDisturbed(t, budget)
			ok = (first.InsteadOf != nil) == again && first.Block == 1 && (!again || *first.InsteadOf > 0)
			return shareOf(took, first.WallNS), ok, fmt.Sprintf("budget %v: %+v", budget, first)
		})
	}
}

// untilDisturbed has runs judged, up to five, until one is right, or is wrong though neighbours
// had the processors in its window: a machine that stands still leaves them nothing to take.
func untilDisturbed(t *testing.T, judge func() (share float64, ok bool, what string)) {
	t.Helper()
	for left := 4; ; left-- {
		share, ok, what := judge()
		switch {
		case ok:
			return
		case left == 0 || share > 0.3:
			t.Errorf("%s; neighbours took %.2f of the processors", what, share)
			return
		}
	}
}

// shareOf is the share of all processors' time in a window.
func shareOf(took time.Duration, windowNS int64) float64 {
	return float64(took) / (float64(windowNS) * float64(runtime.NumCPU()))
}

// firstDisturbed is the first of twelve trials, whose window neighbours share, and what they took.
// It comes first, before any other that is disturbed could be the tenth that may be.
func firstDisturbed(t *testing.T, budget time.Duration) (first results.Trial, took time.Duration) {
	t.Helper()
	opened, calibrated := 0, 0
	v := Variant{Name: "v", Promise: promise, Open: func(Setup) (Instance, error) {
		i := Instance{Worker: func(int) Operation {
			return func() error { time.Sleep(5 * time.Millisecond); return nil }
		}}
		if opened++; calibrated > 0 && opened == calibrated+1 {
			end := neighbours(t)
			i.Close = func() error { took = end(); return nil }
		}
		return i, nil
	}}
	config := Config{Goroutines: []int{1}, Trials: 12, Ops: 20, Budget: budget, Dir: t.TempDir(), Progress: func(p Progress) {
		if !p.Calibrating && calibrated == 0 {
			calibrated = opened
		}
	}}
	run, err := Run(context.Background(), config, Experiment{Name: "e", Question: "?", Variants: []Variant{v}})
	if err != nil || len(run.Trials) != 12 {
		t.Fatalf("%d trials, %v", len(run.Trials), err)
	}
	return run.Trials[0], took
}

// No more than a tenth of the trials are measured again: where others go on, another window is no better.
func TestTenthOfTheTrialsAtMost(t *testing.T) {
	usage := results.MissingUsage()
	usage.OthersNS = results.Number(runtime.NumCPU()) * 1e9
	disturbed := results.Trial{WallNS: 1e9, Usage: usage}
	p := &planned{cell: cell{goroutines: 1}, cellState: new(cellState)}
	for _, c := range []struct {
		trials, already int
		want            bool
	}{{20, 0, true}, {20, 1, true}, {20, 2, false}, {19, 1, false}, {10, 0, true}, {9, 0, false}} {
		r := &runner{config: Config{Trials: c.trials}, allSeries: []*series{{cells: []*planned{p}}}, state: &state{Again: c.already}}
		if got := r.again(disturbed, p); got != c.want {
			t.Errorf("%d of %d already: %v", c.already, c.trials, got)
		}
		if r.again(results.Trial{WallNS: 1e9, Usage: results.MissingUsage()}, p) {
			t.Error("what nobody disturbed is measured again")
		}
	}
}

// A window that is traced while others take the processors is measured once more, and where they go
// on its breakdown says so.
func TestDisturbedWindowIsLookedIntoAgain(t *testing.T) {
	for _, disturbed := range []int{1, 5} {
		untilDisturbed(t, func() (share float64, ok bool, what string) {
			traced, took, b := windowDisturbed(t, disturbed)
			// What else the machine does can disturb the second one, too.
			ok = traced == 2 && (disturbed == 1 || len(b.Warnings) == 1) && b.UsedNS > 0
			return shareOf(took, b.WindowNS), ok, fmt.Sprintf("%d traced, %+v", traced, b)
		})
	}
}

// windowDisturbed looks into a window; neighbours share the first ones.
func windowDisturbed(t *testing.T, disturbed int) (traced int, took time.Duration, b results.Breakdown) {
	t.Helper()
	v := Variant{Name: "v", Promise: promise, Open: func(Setup) (Instance, error) {
		i := Instance{Worker: func(int) Operation {
			return func() error { time.Sleep(5 * time.Millisecond); return nil }
		}}
		if trace.IsEnabled() {
			if traced++; traced <= disturbed {
				end := neighbours(t)
				i.Close = func() error { took += end(); return nil }
			}
		}
		return i, nil
	}}
	config := Config{Goroutines: []int{1}, Trials: 1, Ops: 40, Dir: t.TempDir(), Why: true}
	run, err := Run(context.Background(), config, Experiment{Name: "e", Question: "?", Variants: []Variant{v}})
	if err != nil || len(run.Breakdowns) == 0 {
		t.Fatalf("%+v, %v", run, err)
	}
	return traced, took, run.Breakdowns[0]
}
