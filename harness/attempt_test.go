package harness

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// blocked is where the operation of the tests below waits until they end.
func blocked(release <-chan struct{}) error { <-release; return nil }

// tried measures one window of 100 operations of two goroutines under a
// deadline.
func tried(t *testing.T, ctx context.Context, deadline time.Duration, v Variant) (results.Trial, *failure) {
	t.Helper()
	w := window{cell: cell{experiment: "test", variant: v, goroutines: 2}, ops: 100, seed: 7, root: t.TempDir(), deadline: deadline}
	trial, err := w.measure(ctx)
	if err == nil {
		t.Fatalf("no error")
	}
	return trial, asFailure(err)
}

// What does not return is left behind, with its stacks and those of no other.
func TestDeadlineLeavesATrialBehind(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	_, f := tried(t, t.Context(), time.Second, Func("blocks", promise, func() error { return blocked(release) }))
	if !f.stuck || f.Error() != "not done after 1s" {
		t.Errorf("stuck %v, %v", f.stuck, f)
	}
	if !strings.Contains(f.dump, "harness.blocked") || strings.Contains(f.dump, "testing.tRunner") {
		t.Errorf("the dump is not that of the trial's goroutines:\n%s", f.dump)
	}
}

// The stacks of a trial are not those of one that was left behind before it.
func TestStacksAreThoseOfOneTrial(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	tried(t, t.Context(), 500*time.Millisecond, Func("blocks", promise, func() error { return blocked(release) }))
	_, f := tried(t, t.Context(), 500*time.Millisecond, Func("waits", promise, func() error { <-release; return nil }))
	if f.dump == "" || strings.Contains(f.dump, "harness.blocked") {
		t.Errorf("the dump is not that of the second trial alone:\n%s", f.dump)
	}
}

func TestCancelledTrialIsLeftBehind(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	ctx, cancel := context.WithCancel(t.Context())
	_, f := tried(t, ctx, 0, Func("blocks", promise, func() error { cancel(); return blocked(release) }))
	if !errors.Is(f, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", f)
	}
}

// However an operation ends, its trial does, and says how.
func TestOperationsThatDoNotReturnAnError(t *testing.T) {
	for name, c := range map[string]struct {
		op    func(lock func()) error
		want  string
		stuck bool
	}{
		"panics":               {func(func()) error { panic("planted") }, "panic: planted", false},
		"leaves":               {func(func()) error { runtime.Goexit(); return nil }, errGoexit.Error(), false},
		"fails with its lock":  {func(lock func()) error { lock(); return errors.New("planted") }, "planted", true},
		"panics with its lock": {func(lock func()) error { lock(); panic("planted") }, "panic: planted", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // a stuck one is waited for
			var mu sync.Mutex
			var entered atomic.Int32
			lock := func() { // with the other goroutine about to do the same
				for entered.Add(1); entered.Load() < 2; {
					runtime.Gosched()
				}
				mu.Lock()
			}
			_, f := tried(t, t.Context(), time.Hour, Func("v", promise, func() error { return c.op(lock) }))
			if f.Error() != c.want || f.stuck != c.stuck {
				t.Errorf("%s: %q, stuck %v; want %q, %v", name, f, f.stuck, c.want, c.stuck)
			}
			if strings.Contains(c.want, "panic") && !strings.Contains(f.dump, "attempt_test.go") {
				t.Errorf("%s: no stack of the panic:\n%s", name, f.dump)
			}
			if c.stuck {
				mu.Unlock() // who waits for it may end
			}
		})
	}
}

// However much an error says, what is kept of it is short enough for a results file.
func TestTextOfAnErrorIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, op := range map[string]func() error{
		"fails":  func() error { return errors.New("planted " + long) },
		"panics": func() error { panic("planted " + long) },
	} {
		_, f := tried(t, t.Context(), time.Hour, Func("v", promise, op))
		if text := f.Error(); len(text) > mostText || !strings.Contains(text, "planted xxx") {
			t.Errorf("%s: %d bytes, %.20q", name, len(text), text)
		}
	}
}

// What panics or leaves outside of an operation ends the variant, too.
func TestTroubleOutsideOfOperations(t *testing.T) {
	well := func(int) Operation { return func() error { return nil } }
	for name, open := range map[string]func(Setup) (Instance, error){
		"opening":   func(Setup) (Instance, error) { panic("planted") },
		"preparing": func(Setup) (Instance, error) { return Instance{Worker: func(int) Operation { panic("planted") }}, nil },
		"finishing": func(Setup) (Instance, error) {
			return Instance{Worker: well, Finish: func() error { panic("planted") }}, nil
		},
		"checking": func(Setup) (Instance, error) {
			return Instance{Worker: well, Check: func(int) error { panic("planted") }}, nil
		},
		"closing": func(Setup) (Instance, error) {
			return Instance{Worker: well, Close: func() error { panic("planted") }}, nil
		},
	} {
		if _, f := tried(t, t.Context(), time.Hour, Variant{Name: "v", Promise: promise, Open: open}); f.Error() != "panic: planted" {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// In a process that goes on, what is stuck marks the trials beside it.
func TestTrialsBesideAStuckOneSaySo(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	config := Config{Goroutines: []int{1}, Trials: 2, Ops: 50, Timeout: time.Second, Dir: t.TempDir(), Seed: 1}
	run, err := Run(t.Context(), config, Experiment{Name: "test", Variants: []Variant{
		Func("blocks", promise, func() error { return blocked(release) }), Func("fine", promise, func() error { return nil }),
	}})
	if err != nil || len(run.Trials) != 2 || len(run.Outcomes) != 1 || run.Outcomes[0].Dump == nil {
		t.Fatalf("%d trials, outcomes %+v, error %v", len(run.Trials), run.Outcomes, err)
	}
	for _, trial := range run.Trials {
		if !warned(trial, results.WarnStuck) {
			t.Errorf("block %d: warnings %v", trial.Block, trial.Warnings)
		}
	}
}

func warned(t results.Trial, code string) bool {
	for _, w := range t.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}
