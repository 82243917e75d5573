package harness

import (
	"errors"
	"testing"
	"time"
)

func seriesOf(t *testing.T, levels []int, names ...string) []*series {
	t.Helper()
	e := Experiment{Name: "e"}
	for _, name := range names {
		e.Variants = append(e.Variants, Func(name, promise, func() error { return nil }))
	}
	_, _, allSeries, err := prepare(Config{Goroutines: levels, Seed: 1, Dir: t.TempDir()}, []Experiment{e})
	if err != nil {
		t.Fatal(err)
	}
	return allSeries
}

// A process that lists variants and levels in another order goes on with the same
// cells; one that has others does not go on.
func TestAdoptGoesByNames(t *testing.T) {
	s := newState(seriesOf(t, []int{1, 4}, "a", "b"), 1)
	s.Series[1].Failed = true
	s.Series[0].Cells[1].Rate = 4
	allSeries := seriesOf(t, []int{4, 1}, "b", "a")
	if err := s.adopt(allSeries); err != nil {
		t.Fatal(err)
	}
	if allSeries[0].variant.Name != "a" || allSeries[0].Failed || !allSeries[1].Failed {
		t.Errorf("the first is %s, failed %v; the second failed %v", allSeries[0].variant.Name, allSeries[0].Failed, allSeries[1].Failed)
	}
	if p := allSeries[0].cells[1]; p.goroutines != 4 || p.Rate != 4 {
		t.Errorf("the second cell has N = %d and the rate of N = %v", p.goroutines, p.Rate)
	}
	for name, other := range map[string][]*series{
		"other levels":   seriesOf(t, []int{1, 5}, "a", "b"),
		"fewer levels":   seriesOf(t, []int{1}, "a", "b"),
		"other variants": seriesOf(t, []int{1, 4}, "a", "c"),
		"more variants":  seriesOf(t, []int{1, 4}, "a", "b", "c"),
	} {
		if err := s.adopt(other); !errors.Is(err, ErrOtherRun) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A probe may take as long as the one before it lets expect, with patience: the slow
// start of a small one does not count for each operation of a large one.
func TestProbeDeadlineGoesByTheLastProbe(t *testing.T) {
	r := &runner{}
	p := &planned{cellState: &cellState{Ops: 50_000}, series: &series{perOp: 7e-6}}
	if got := r.probeDeadline(p); got != leastDeadline {
		t.Errorf("%v for 50,000 operations of 7 µs", got)
	}
	p.Ops, p.series.perOp = 4, 5
	if got := r.probeDeadline(p); got != 400*time.Second {
		t.Errorf("%v for 4 operations of 5 s", got)
	}
}

// A trial may take many times its plan, and never less than 20 s: a short one may have
// been disturbed. A number of operations that was named is of no plan, so its probe has
// long; and what the user says goes before all that.
func TestDeadlines(t *testing.T) {
	p := &planned{cellState: &cellState{Ops: 100, Rate: 1000}, series: &series{perOp: 1e-3}}
	r := &runner{}
	if got := r.deadline(p); got != leastDeadline {
		t.Errorf("%v for a trial of 0.1 s", got)
	}
	p.Ops = 10_000
	if got := r.deadline(p); got != 200*time.Second {
		t.Errorf("%v for a trial of 10 s", got)
	}
	r.config.Ops = 10_000
	if got := r.probeDeadline(p); got != unplanned {
		t.Errorf("%v for a probe of a number of operations that was named", got)
	}
	r.config.Timeout = time.Second
	if trial, probe := r.deadline(p), r.probeDeadline(p); trial != time.Second || probe != time.Second {
		t.Errorf("%v for a trial and %v for a probe, want the 1s that was named", trial, probe)
	}
}
