package harness

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/pprof"
	"strings"
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
	label := labelled(func() {
		o := outcome{err: errGoexit}
		defer func() {
			if r := recover(); r != nil {
				o.err = panicked(r)
			}
			done <- o
		}()
		o.value, o.err = work()
	})
	var none T
	var failed error
	cancelled, late := ctx.Done(), after(deadline)
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

func after(d time.Duration) <-chan time.Time {
	if d <= 0 {
		return nil
	}
	return time.After(d)
}

// panicked makes an error of what was recovered, with the stack at hand.
func panicked(r any) error {
	return &failure{err: fmt.Errorf("panic: %v", r), dump: string(debug.Stack())}
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
