package harness

import (
	"math"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// stalling is an operation that takes nothing, but while it is stalled: half a second
// every two.
func stalling() Variant {
	return Variant{Name: "stalling", Promise: results.Promise{Order: "none", Result: "independent", Survives: "nothing"},
		Open: func(Setup) (Instance, error) {
			began := sync.OnceValue(time.Now)
			return Instance{Worker: func(int) Operation {
				return func() error {
					at := time.Since(began()) % (2 * time.Second)
					if stalled := at - 1500*time.Millisecond; stalled >= 0 {
						time.Sleep(500*time.Millisecond - stalled)
					}
					return nil
				}
			}}, nil
		}}
}

// Latency counts from when an operation was due: of a stall of 500 ms every 2 s a tenth
// of all wait for 300 ms and longer, a twentieth for 400, one in a hundred for 480. In
// the closed loop next to nobody does.
func TestStallIsSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes ten seconds")
	}
	e := Experiment{Name: "stall", Unit: "operation", Variants: []Variant{stalling()}}
	config := Config{Goroutines: []int{8}, Trials: 1, Window: 8 * time.Second, Rates: []string{"1k/s"}, Dir: t.TempDir()}
	run, err := Run(t.Context(), config, e)
	if err != nil || len(run.Trials) != 1 {
		t.Fatal(run.Outcomes, err)
	}
	trial := run.Trials[0]
	if trial.Open == nil || trial.Open.Due != 8000 || trial.Open.Unsent != 0 || trial.Ops != 8000 || trial.Factors[results.RateFactor] != "1k" {
		t.Errorf("%+v, %d operations", trial.Open, trial.Ops)
	}
	for _, q := range []struct {
		got  results.Number
		want float64 // ms
	}{{trial.Latency.P90NS, 300}, {results.Number(trial.Latency.Hist.Quantile(0.95)), 400}, {trial.Latency.P99NS, 480}} {
		if got := float64(q.got) / 1e6; math.Abs(got-q.want) > 0.03*q.want {
			t.Errorf("%.1f ms, want %v", got, q.want)
		}
	}
	t.Logf("p50 %v p90 %v p99 %v; lag p99 %v, late p50 %v p99 %v", trial.Latency.P50NS.Nanoseconds(), trial.Latency.P90NS.Nanoseconds(), trial.Latency.P99NS.Nanoseconds(),
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
