package harness_test

import (
	"errors"
	"os"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// observing has no rate: its trials end or finish in turn.
func observing(seen *[]harness.Setup, fail error) harness.Variant {
	return harness.Variant{Name: "observed", Promise: results.Promise{Order: "none", Result: results.Undefined, Survives: "nothing"},
		PerGoroutine: 10, Observe: func(s harness.Setup) (harness.Observation, error) {
			*seen = append(*seen, s)
			if len(*seen)%2 == 1 {
				return harness.Observation{Ended: true, Text: "fatal"}, fail
			}
			return harness.Observation{Text: "done"}, fail
		}}
}

// Every trial of a variant without a rate leaves an outcome, and none is a
// failure of the run; the other variants are measured as ever.
func TestAVariantWithoutARateIsObserved(t *testing.T) {
	var seen []harness.Setup
	rated := harness.Func("rated", results.Promise{Order: "none", Result: "independent", Survives: "nothing"}, nothing)
	config := quick(t)
	config.Goroutines, config.Trials = []int{1, 4}, 3
	run, err := harness.Run(t.Context(), config, experiment(observing(&seen, nil), rated))
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, o := range run.Outcomes {
		kinds[o.Kind]++
		if o.Variant != "observed" || o.Block < 1 || o.Block > 3 {
			t.Errorf("outcome %+v", o)
		}
	}
	if kinds[results.OutcomeEnded] != 3 || kinds[results.OutcomeFinished] != 3 || len(run.Outcomes) != 6 {
		t.Errorf("outcomes %v, want 3 ended and 3 finished", kinds)
	}
	if len(run.Trials) != 6 || run.Ends[0].Status != results.Complete || len(run.Errors()) > 0 {
		t.Errorf("%d trials, end %+v, errors %v", len(run.Trials), run.Ends, run.Errors())
	}
	for _, s := range seen {
		if s.Ops != 10*s.Goroutines {
			t.Errorf("%d operations of %d goroutines, want 10 each", s.Ops, s.Goroutines)
		}
		if _, err := os.Stat(s.Dir); s.Dir == "" || !os.IsNotExist(err) {
			t.Errorf("directory %q of a trial is still there: %v", s.Dir, err)
		}
	}
}

// One that cannot be observed is a failure, and is not tried again.
func TestAFailedObservationIsAnError(t *testing.T) {
	var seen []harness.Setup
	run, err := harness.Run(t.Context(), quick(t), experiment(observing(&seen, errors.New("no child"))))
	if err != nil || len(run.Errors()) != 1 || run.Errors()[0].Text != "no child" || len(seen) != 1 {
		t.Errorf("errors %v after %d tries, error %v", run.Errors(), len(seen), err)
	}
	if run.Ends[0].Status != results.Failed {
		t.Errorf("the run ended %s", run.Ends[0].Status)
	}
}

// A factor's own levels are measured where none is named.
func TestLevelsOfAFactor(t *testing.T) {
	for _, c := range []struct {
		named []string
		want  int
	}{{nil, 3}, {[]string{"b"}, 1}} {
		e := experiment(harness.Func("v", results.Promise{Order: "none", Result: "independent", Survives: "nothing"}, nothing))
		e.Factors = []harness.Factor{{Name: "f", Default: "a", Levels: []string{"a", "b", "c"}}}
		config := quick(t)
		config.Goroutines, config.Trials = []int{1}, 1
		if c.named != nil {
			config.Levels = map[string][]string{"f": c.named}
		}
		run, err := harness.Run(t.Context(), config, e)
		if err != nil || len(run.Trials) != c.want {
			t.Errorf("named %v: %d trials, error %v, want %d", c.named, len(run.Trials), err, c.want)
		}
	}
}
