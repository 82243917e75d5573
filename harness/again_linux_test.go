package harness

import (
	"context"
	"os/exec"
	"runtime"
	"runtime/trace"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// neighbours are processes that take all processors, until they are ended.
func neighbours(t *testing.T) (end func()) {
	t.Helper()
	var all []*exec.Cmd
	for range runtime.NumCPU() {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			t.Skip(err)
		}
		all = append(all, c)
	}
	return func() {
		for _, c := range all {
			c.Process.Kill()
			c.Wait()
		}
	}
}

// A trial in which others took the processors is measured once more, if the run has time for it,
// and is told of; a run without time keeps it.
func TestDisturbedTrialIsMeasuredAgain(t *testing.T) {
	for budget, again := range map[time.Duration]bool{time.Minute: true, time.Nanosecond: false} {
		const inBlock = 1 // before any other that is disturbed could be the tenth that may be
		opened, calibrated := 0, 0
		v := Variant{Name: "v", Promise: results.Promise{Order: "none", Result: "independent", Survives: "nothing"}, Open: func(s Setup) (Instance, error) {
			i := Instance{Worker: func(int) Operation {
				return func() error { time.Sleep(5 * time.Millisecond); return nil }
			}}
			if opened++; calibrated > 0 && opened == calibrated+inBlock {
				end := neighbours(t)
				i.Close = func() error { end(); return nil }
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
		second := run.Trials[inBlock-1]
		if (second.InsteadOf != nil) != again || second.Block != inBlock || again && !(*second.InsteadOf > 0) {
			t.Errorf("budget %v: %+v", budget, second.InsteadOf)
		}
	}
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
		traced := 0
		v := Variant{Name: "v", Promise: promise, Open: func(Setup) (Instance, error) {
			i := Instance{Worker: func(int) Operation {
				return func() error { time.Sleep(5 * time.Millisecond); return nil }
			}}
			if trace.IsEnabled() {
				if traced++; traced <= disturbed {
					end := neighbours(t)
					i.Close = func() error { end(); return nil }
				}
			}
			return i, nil
		}}
		config := Config{Goroutines: []int{1}, Trials: 1, Ops: 40, Dir: t.TempDir(), Why: true}
		run, err := Run(context.Background(), config, Experiment{Name: "e", Question: "?", Variants: []Variant{v}})
		if err != nil || len(run.Breakdowns) == 0 {
			t.Fatalf("%+v, %v", run, err)
		}
		// What else the machine does can disturb the second one, too.
		if b := run.Breakdowns[0]; traced != 2 || disturbed > 1 && len(b.Warnings) != 1 || !(b.UsedNS > 0) {
			t.Errorf("%d traced, %+v", traced, b)
		}
	}
}
