package harness

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// simulatedOpen is a trial of the open loop by a clock that is only counted: ends says when
// an operation that begins at a moment has ended.
func simulatedOpen(t *testing.T, rate string, users int, span time.Duration, ends func(at int64) int64) results.Trial {
	w := window{span: span, byTime: true}
	p := &pacer{opening: &opening{moments(t, rate, span), int64(span), span + max(span, leastPatience)}}
	workers, free := make([]*worker, users), make([]int64, users)
	for g := range workers {
		workers[g] = &worker{opened: new(opened), hist: new(hist.Histogram)}
	}
	trial := results.Trial{WallNS: int64(span)}
	for _, due := range p.due {
		g := 0
		for other := range free {
			if free[other] < free[g] {
				g = other
			}
		}
		began := max(due, free[g])
		if began > int64(p.deadline) {
			continue
		}
		free[g] = ends(began)
		o := workers[g].opened
		o.begun = began
		o.end(due, free[g]-began, free[g], p.span)
		o.answered(due, began, free[g], free[g] <= p.span)
		trial.Ops, trial.WallNS = trial.Ops+1, max(trial.WallNS, free[g])
	}
	return w.collectOpen(trial, workers, p)
}

// Whether a service keeps up with what is due is known beforehand: one that takes 300 ms
// for any number at once does, a lock of 5 ms up to 200 a second. The rate done is what was
// due, or what the lock allows, at whatever overload.
func TestKeepsUpAsFarAsKnown(t *testing.T) {
	takes := func(d time.Duration) func() func(int64) int64 {
		return func() func(int64) int64 { return func(at int64) int64 { return at + int64(d) } }
	}
	lock := func(d time.Duration) func() func(int64) int64 {
		return func() func(int64) int64 {
			ask := queue(d)
			return func(at int64) int64 { return ask(0, at) }
		}
	}
	ms := time.Millisecond
	for _, c := range []struct {
		rate         string
		users        int
		service      func() func(int64) int64
		kept, judged bool
		done         float64
	}{
		{"600/s", 400, takes(300 * ms), true, true, 600},
		{"poisson:600/s", 400, takes(300 * ms), true, true, 0},
		{"10-600/s", 400, takes(300 * ms), true, true, 305},
		{"600-10/s", 400, takes(300 * ms), true, true, 305},
		{"100+600/s", 400, takes(300 * ms), true, true, 350},
		{"600+100/s", 400, takes(300 * ms), true, true, 350},
		{"150/s", 400, lock(5 * ms), true, true, 150},
		{"poisson:150/s", 400, lock(5 * ms), true, true, 0},
		{"10-180/s", 400, lock(5 * ms), true, true, 95},
		{"100+180/s", 400, lock(5 * ms), true, true, 140},
		{"300/s", 400, lock(5 * ms), false, true, 200},
		{"poisson:300/s", 400, lock(5 * ms), false, true, 200},
		{"10-300/s", 400, lock(5 * ms), false, true, 0},
		{"100-600/s", 400, lock(5 * ms), false, true, 200},
		{"100+400/s", 400, lock(5 * ms), false, true, 0},
		{"100+400/s", 4, lock(5 * ms), false, true, 0},
		{"2k/s", 4000, lock(2 * ms), false, true, 500},
		{"4k/s", 8000, lock(2 * ms), true, false, 500}, // all are begun, and one takes longer than the window
		{"500/s", 4, takes(10 * ms), false, true, 400},
		{"500/s", 40, takes(300 * ms), false, true, 0},
	} {
		trial := simulatedOpen(t, c.rate, c.users, 2*time.Second, c.service())
		kept, judged := trial.Open.KeptUp()
		if kept != c.kept || judged != c.judged {
			t.Errorf("%s by %d: kept up %v, judged %v: %d due, %d unsent, %d ended, %d usual", c.rate, c.users, kept, judged,
				trial.Open.Due, trial.Open.Unsent, trial.Open.Ended, *trial.Open.Usual)
		}
		if done := trial.OpsPerS(); c.done > 0 && (done > 1.02*c.done || done < 0.97*c.done) {
			t.Errorf("%s by %d: %.4g/s done, want %g", c.rate, c.users, done, c.done)
		}
		if done := float64(trial.Open.DonePerS(trial.Ops)); done != trial.OpsPerS() {
			t.Errorf("%s by %d: %g/s done, and a rate of %g/s", c.rate, c.users, done, trial.OpsPerS())
		}
	}
}
