package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

const (
	// grace is how long a trial may take to end once the run was cancelled.
	grace = 300 * time.Millisecond
	// wake is how long a trial may take to end once an operation has failed:
	// the others may wait for the one that did.
	wake = 2 * time.Second
)

// A failure ends a variant. What is stuck runs on: nobody can stop a goroutine.
type failure struct {
	err   error
	dump  string // the trial's goroutines, or the stack of a panic
	stuck bool
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// asFailure finds the failure behind an error, or makes one of it.
func asFailure(err error) *failure {
	var f *failure
	if errors.As(err, &f) {
		return f
	}
	return &failure{err: err}
}

// attempt runs work, which takes a trial's turn, in a goroutine of its own, and
// waits no longer than the deadline, than grace once ctx is cancelled, or than
// wake once failing says that an operation failed. What it leaves behind then
// is stuck.
func attempt[T any](ctx context.Context, deadline time.Duration, failing <-chan error, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	late, stop := patient(deadline) // its goroutine is there before the trial counts those that are
	defer func() { stop() }()
	label := labelled(func() {
		o := outcome{err: errGoexit}
		defer func() {
			if r := recover(); r != nil {
				o.err = panicked(r)
			}
			done <- o
		}()
		value, err := work()
		o.value, o.err = value, tell(err)
	})
	var none T
	var failed error
	cancelled := ctx.Done()
	for {
		select {
		case o := <-done:
			return o.value, o.err
		case <-cancelled:
			cancelled, late = nil, time.After(grace)
		case failed = <-failing:
			if failing = nil; cancelled != nil {
				late = time.After(wake)
			}
		case <-late:
			return none, leftBehind(ctx, failed, deadline, label)
		}
	}
}

// leftBehind is why a trial is no longer waited for: the run was cancelled, an
// operation failed and others wait for it, or time is up.
func leftBehind(ctx context.Context, failed error, deadline time.Duration, label string) *failure {
	if err := ctx.Err(); err != nil {
		return &failure{err: err, stuck: true}
	}
	if failed == nil {
		failed = fmt.Errorf("not done after %v", deadline)
	}
	f := *asFailure(failed)
	if f.stuck = true; f.dump == "" {
		f.dump = dump(label)
	}
	return &f
}

// patient is a timer that stands still while the process does: one that was stopped
// by Ctrl-Z has not been waiting. With nothing to wait for it never fires.
func patient(d time.Duration) (late <-chan time.Time, stop func()) {
	if d <= 0 {
		return nil, func() {}
	}
	const steps = 20
	ticks, fire, done := time.NewTicker(max(d/steps, 1)), make(chan time.Time, 1), make(chan struct{})
	go func() {
		defer ticks.Stop()
		for range steps {
			select {
			case <-ticks.C:
			case <-done:
				return
			}
		}
		fire <- time.Now()
	}()
	return fire, sync.OnceFunc(func() { close(done) })
}

// mostText is how long an error may be, in bytes, that is kept.
const mostText = 4 << 10

// A told error is one whose text was asked for already: where that may panic, or
// never end.
type told struct {
	text string
	err  error
}

func (t *told) Error() string { return t.text }
func (t *told) Unwrap() error { return t.err }

// tell asks an error for its text.
func tell(err error) error {
	var f *failure
	if err == nil || errors.As(err, &f) {
		return err
	}
	text := err.Error()
	return &told{text[:min(len(text), mostText)], err}
}

// panicked makes an error of what was recovered, with the stack at hand.
func panicked(r any) error {
	text := fmt.Sprintf("panic: %v", r)
	return &failure{err: errors.New(text[:min(len(text), mostText)]), dump: string(debug.Stack())}
}

// trialLabel marks the goroutines of a trial for dump. They hand it on to those
// that they start.
const trialLabel = "syncwrite-trial"

// labelled starts f in a goroutine that carries a label of its own, which it
// returns.
func labelled(f func()) (label string) {
	label = fmt.Sprint(nanotime())
	go pprof.Do(context.Background(), pprof.Labels(trialLabel, label), func(context.Context) { f() })
	return label
}

// dump lists the goroutines that carry the label, those with the same stack
// together.
func dump(label string) string {
	var text bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&text, 1)
	var mine []string
	for _, stack := range strings.Split(text.String(), "\n\n") {
		if strings.Contains(stack, trialLabel) && strings.Contains(stack, label) {
			mine = append(mine, strings.TrimSpace(stack))
		}
	}
	const most = 64 << 10
	all := strings.Join(mine, "\n\n")
	return all[:min(len(all), most)]
}

// stuckWarning marks a trial that ran beside what an earlier one left behind.
func stuckWarning() results.Warning {
	return results.Warning{Code: results.WarnStuck, Text: "goroutines of a trial that never ended were still running"}
}
