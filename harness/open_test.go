package harness

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// A stall is an operation that takes nothing, but while it is stalled: half a second every
// two. It keeps its own account, by its own clock.
type stall struct {
	began time.Time
	mu    sync.Mutex
	spans []span
}

// A span is one operation, from the first one's beginning.
type span struct{ from, to time.Duration }

func (s *stall) variant() Variant {
	return Variant{Name: "stalling", Promise: results.Promise{Order: "none", Result: "independent", Survives: "nothing"},
		Open: func(Setup) (Instance, error) {
			s.spans = nil // those of calibration
			begin := sync.OnceFunc(func() { s.began = time.Now() })
			return Instance{Worker: func(int) Operation {
				return func() error {
					begin()
					from := time.Since(s.began)
					if stalled := from%(2*time.Second) - 1500*time.Millisecond; stalled >= 0 {
						time.Sleep(500*time.Millisecond - stalled)
					}
					s.mu.Lock()
					defer s.mu.Unlock()
					s.spans = append(s.spans, span{from, time.Since(s.began)})
					return nil
				}
			}}, nil
		}}
}

// waits are how long operations took from when each was due, one an interval: by the account
// alone, in which they begin in that order and the least late one is in time.
func (s *stall) waits(every time.Duration) []time.Duration {
	slices.SortFunc(s.spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	first := s.spans[0].from
	for i, at := range s.spans {
		first = min(first, at.from-time.Duration(i)*every)
	}
	waits := make([]time.Duration, len(s.spans))
	for i, at := range s.spans {
		waits[i] = at.to - first - time.Duration(i)*every
	}
	slices.Sort(waits)
	return waits
}

// Latency counts from when an operation was due: what is shown is what the operation's own
// account says, within 3 %, whatever else this machine does. On one at rest a tenth of all wait
// for 300 ms and longer, a twentieth for 400, one in a hundred for 480; in the closed loop next
// to nobody would.
func TestStallIsSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	var s stall
	e := Experiment{Name: "stall", Unit: "operation", Variants: []Variant{s.variant()}}
	config := Config{Goroutines: []int{8}, Trials: 1, Window: 8 * time.Second, Rates: []string{"1k/s"}, Dir: t.TempDir()}
	run, err := Run(t.Context(), config, e)
	if err != nil || len(run.Trials) != 1 {
		t.Fatal(run.Outcomes, err)
	}
	trial := run.Trials[0]
	if trial.Open == nil || trial.Open.Due != 8000 || trial.Open.Unsent != 0 || trial.Ops != 8000 || trial.Factors[results.RateFactor] != "1k" {
		t.Errorf("%+v, %d operations", trial.Open, trial.Ops)
	}
	if len(s.spans) != trial.Ops {
		t.Fatalf("%d operations by their own account, %d by the trial's", len(s.spans), trial.Ops)
	}
	waits := s.waits(time.Millisecond)
	for _, q := range []struct {
		of   float64
		got  results.Number
		rest float64 // ms
	}{{0.9, trial.Latency.P90NS, 300}, {0.95, results.Number(trial.Latency.Hist.Quantile(0.95)), 400}, {0.99, trial.Latency.P99NS, 480}} {
		got, want := float64(q.got)/1e6, float64(waits[int(q.of*float64(len(waits)))])/1e6
		t.Logf("p%.0f %.1f ms, by its own account %.1f; on a machine at rest %.0f", 100*q.of, got, want, q.rest)
		if math.Abs(got-want) > 0.03*want || want < q.rest/2 {
			t.Errorf("p%.0f: %.1f ms, want %.1f", 100*q.of, got, want)
		}
	}
	t.Logf("p50 %v; lag p99 %v, late p50 %v p99 %v", trial.Latency.P50NS.Nanoseconds(),
		trial.Open.Lag.P99NS.Nanoseconds(), trial.Open.Late.P50NS.Nanoseconds(), trial.Open.Late.P99NS.Nanoseconds())
}

// A window is as long as was asked for, also where that is no whole number of operations,
// and the cells of a run have their rate.
func TestWindowOfTheOpenLoop(t *testing.T) {
	promise := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	e := Experiment{Name: "nothing", Unit: "call", Variants: []Variant{Func("nothing", promise, func() error { return nil })}}
	config := Config{Goroutines: []int{2}, Trials: 1, Window: 100 * time.Millisecond, Rates: []string{"29/s"}, Dir: t.TempDir()}
	run, err := Run(t.Context(), config, e)
	if err != nil || len(run.Trials) != 1 {
		t.Fatal(run.Outcomes, err)
	}
	if o := run.Trials[0].Open; o.WindowNS != 100e6 || o.Due != 2 { // at 17 and 52 ms
		t.Errorf("%d due in %d ns", o.Due, o.WindowNS)
	}
	all, err := Cells(config, e)
	if err != nil || len(all) != 1 || all[0] != run.Trials[0].Cell() {
		t.Errorf("%v, of %v: %v", all, run.Trials[0].Cell(), err)
	}
}

// What operations only hand over, and Finish does, is told apart in the open loop, too.
func TestFinishOfTheOpenLoop(t *testing.T) {
	const flush = 20 * time.Millisecond
	promise := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	e := Experiment{Name: "later", Unit: "call", Variants: []Variant{{Name: "later", Promise: promise, Open: func(Setup) (Instance, error) {
		return Instance{
			Worker: func(int) Operation { return func() error { return nil } },
			Finish: func() error { time.Sleep(flush); return nil },
		}, nil
	}}}}
	config := Config{Goroutines: []int{2}, Trials: 1, Window: 50 * time.Millisecond, Rates: []string{"1k/s"}, Dir: t.TempDir()}
	run, err := Run(t.Context(), config, e)
	if err != nil || len(run.Trials) != 1 {
		t.Fatal(run.Outcomes, err)
	}
	o := run.Trials[0].Open
	if kept, _ := o.KeptUp(); kept || o.FinishNS < flush.Nanoseconds() || o.FinishNS >= o.EndNS {
		t.Errorf("kept %v, %d ns behind the last operation, of %d", kept, o.FinishNS, o.EndNS)
	}
}

// While nobody takes what is due, the generator is not late: it is kept waiting.
func TestWaitingForTakersIsNotTheGeneratorsFault(t *testing.T) {
	p, err := newPacer(&opening{due: make([]int64, 20)}) // all at once
	if err != nil {
		t.Fatal(err)
	}
	p.arrived = make(chan int)
	began := nanotime()
	p.begin(began)
	for range p.arrived {
		time.Sleep(2 * time.Millisecond)
	}
	took := nanotime() - began
	if err := p.end(); err != nil {
		t.Error(err)
	}
	if p.late.Max() > took/2 {
		t.Errorf("late by up to %d ns, of %d ns that takers took", p.late.Max(), took)
	}
}
