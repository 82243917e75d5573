package harness

import (
	"runtime/trace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// underALock is a variant whose goroutines sleep under one lock.
func underALock() Experiment {
	return Experiment{Name: "e", Unit: "call", Variants: []Variant{{Name: "v", Promise: promise, Open: func(Setup) (Instance, error) {
		var mu sync.Mutex
		return Instance{Worker: func(int) Operation {
			return func() error {
				mu.Lock()
				defer mu.Unlock()
				time.Sleep(time.Millisecond)
				return nil
			}
		}}, nil
	}}}}
}

// Each cell gets a breakdown behind its trials, and not one trial more. Where the machine is
// busy profiles may be asked as well.
func TestWhy(t *testing.T) {
	config := Config{Goroutines: []int{1, 4}, Trials: 2, Window: 40 * time.Millisecond, Dir: t.TempDir(), Why: true}
	run, err := Run(t.Context(), config, underALock())
	if err != nil {
		t.Fatal(err)
	}
	run.Breakdowns = slices.DeleteFunc(run.Breakdowns, func(b results.Breakdown) bool { return b.Source == results.SourceProfiles })
	if len(run.Trials) != 4 || len(run.Breakdowns) != 2 {
		t.Fatalf("%d trials, %d breakdowns", len(run.Trials), len(run.Breakdowns))
	}
	for _, b := range run.Breakdowns {
		want := map[int]string{1: "asleep", 4: "waiting for a lock"}[b.Goroutines]
		if b.Reason != "" || len(b.Parts) == 0 || b.Parts[0].Kind != want || !strings.HasPrefix(b.Parts[0].Places[0].Where, "why_test.go:") {
			t.Errorf("N = %d: %+v, want most of the time %s here", b.Goroutines, b, want)
		}
		fastest := 0.0 // of the trials, by which the window is planned: where others slowed them it is shorter
		for _, trial := range run.Trials {
			if trial.Goroutines == b.Goroutines {
				fastest = max(fastest, trial.OpsPerS())
			}
		}
		least := float64(tracedLeast) / 2 * min(1, fastest/float64(b.OpsPerS))
		if !b.OpsPerS.Known() || float64(b.WindowNS) < least {
			t.Errorf("N = %d: a window of %v, %v", b.Goroutines, time.Duration(b.WindowNS), b.OpsPerS)
		}
	}
}

// Without it nothing is traced.
func TestNoWhy(t *testing.T) {
	run, err := Run(t.Context(), Config{Goroutines: []int{1}, Trials: 1, Window: time.Millisecond, Dir: t.TempDir()}, underALock())
	if err != nil || len(run.Breakdowns) > 0 {
		t.Errorf("%+v, %v", run.Breakdowns, err)
	}
}

// A process that is being traced keeps its trials, is told, and is profiled instead.
func TestWhyWhileTraced(t *testing.T) {
	if err := trace.Start(discard{}); err != nil {
		t.Skip(err)
	}
	defer trace.Stop()
	config := Config{Goroutines: []int{1}, Trials: 1, Window: 5 * time.Millisecond, Dir: t.TempDir(), Why: true}
	run, err := Run(t.Context(), config, underALock())
	if err != nil || len(run.Trials) != 1 || len(run.Breakdowns) != 2 || run.Breakdowns[0].Reason != "the process is being traced already" ||
		run.Breakdowns[1].Source != results.SourceProfiles || run.Breakdowns[1].Reason != "" {
		t.Errorf("%+v, %v", run, err)
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// An operation that panics while it is traced costs the breakdown alone.
func TestPanicWhileTraced(t *testing.T) {
	e, opened := underALock(), 0
	open := e.Variants[0].Open
	e.Variants[0].Open = func(s Setup) (Instance, error) {
		if opened++; s.Goroutines == 1 && opened > 3 {
			return Instance{Worker: func(int) Operation { return func() error { panic("oops") } }}, nil
		}
		return open(s)
	}
	config := Config{Goroutines: []int{1}, Trials: 1, Ops: 5, Dir: t.TempDir(), Why: true}
	run, err := Run(t.Context(), config, e)
	if err != nil || len(run.Trials) != 1 || len(run.Outcomes) > 0 || len(run.Breakdowns) != 1 {
		t.Fatalf("%d trials, %d breakdowns, %+v, %v", len(run.Trials), len(run.Breakdowns), run.Outcomes, err)
	}
	if b := run.Breakdowns[0]; b.Parts != nil || b.Reason != "panic: oops" {
		t.Errorf("%+v", b)
	}
}

// Operations that are due by the clock are not traced.
func TestOpenLoopIsNotTraced(t *testing.T) {
	config := Config{Goroutines: []int{1}, Trials: 1, Window: 50 * time.Millisecond, Rates: []string{"100/s"}, Dir: t.TempDir(), Why: true}
	run, err := Run(t.Context(), config, underALock())
	if err != nil || len(run.Breakdowns) != 1 || run.Breakdowns[0].Parts != nil || !strings.Contains(run.Breakdowns[0].Reason, "due by the clock") {
		t.Errorf("%+v, %v", run, err)
	}
}
