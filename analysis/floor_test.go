package analysis_test

import (
	"math"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A quantile that the clock could not time is not given, and the summary knows
// that this is why.
func TestQuantilesUnderTheFloor(t *testing.T) {
	run := runOf(spread(1e6)...)
	for i := range run.Trials {
		h := new(hist.Histogram)
		for range 980 {
			h.Record(int64(10 + i))
		}
		for range 20 {
			h.Record(5000)
		}
		run.Trials[i].Latency = results.NewLatency(h, results.Each).Above(44)
	}
	s := analysis.Analyze(run).Findings[0].Summaries[0]
	if s.P50NS.Known() || s.P90NS.Known() || s.UnderFloor != 0.9 || s.FloorNS != 44 {
		t.Errorf("p50 %v, p90 %v under a floor of %v, the highest %v; want none, and 0.9", s.P50NS, s.P90NS, s.FloorNS, s.UnderFloor)
	}
	if s.P99NS < 4900 || s.P99NS > 5100 {
		t.Errorf("p99 %v, want 5000", s.P99NS)
	}
}

// What is as long as the floor the clock cannot time either: the summary says so as
// the trials do.
func TestQuantilesAtTheFloor(t *testing.T) {
	run := runOf(spread(1e6)...)
	for i := range run.Trials {
		h := new(hist.Histogram)
		for range 1000 {
			h.Record(44)
		}
		run.Trials[i].Latency = results.NewLatency(h, results.Each).Above(44)
	}
	if s := analysis.Analyze(run).Findings[0].Summaries[0]; s.P99NS.Known() || !(s.UnderFloor >= 0.99) {
		t.Errorf("p99 %v at a floor of %v, the highest under it %v; want none, and 0.99 or more", s.P99NS, s.FloorNS, s.UnderFloor)
	}
}

// Too few values are another reason than the clock.
func TestTooFewValuesAreNotTheClock(t *testing.T) {
	run := runOf(spread(1e6)...)
	for i := range run.Trials {
		h := new(hist.Histogram)
		h.Record(5000)
		run.Trials[i].Latency = results.NewLatency(h, results.Each).Above(44)
	}
	if s := analysis.Analyze(run).Findings[0].Summaries[0]; s.P50NS.Known() || s.UnderFloor.Known() {
		t.Errorf("p50 %v, under the floor %v; want neither", s.P50NS, s.UnderFloor)
	}
}

// A mean is given where most trials have one, and is that of those.
func TestMeanOfTrialsThatHaveOne(t *testing.T) {
	for without, known := range map[int]bool{0: true, 2: true, 3: false, 6: false} {
		run := runOf(spread(1e6)...)
		for i := range run.Trials {
			run.Trials[i].Latency.MeanNS = 100
			if i < without {
				run.Trials[i].Latency.MeanNS = results.Missing()
			}
		}
		s := analysis.Analyze(run).Findings[0].Summaries[0]
		if s.MeanNS.Median.Known() != known || known && s.MeanNS.Median != 100 {
			t.Errorf("%d of 6 trials without a mean: %v", without, s.MeanNS)
		}
	}
}

// Parts that exceed the whole are not believed, none of them; otherwise what is
// left is unexplained, and never below zero.
func TestCausesThatExceedTheWhole(t *testing.T) {
	for _, c := range []struct {
		cpu, lock, sched results.Number
		over             bool
		unexplained      results.Number
	}{
		{0.5, 0.1, 0.1, false, 0.3}, {0.5, 0.1, results.Missing(), false, 0.4}, {1.02, 0.01, 0.01, false, 0},
		{1.02, 0.02, 0, false, 0}, {1.02, 0.04, 0, true, 0}, {1, 0, 7.77, true, 0}, {2, 0, results.Missing(), true, 0},
		{results.Missing(), 50, 0, true, 0}, {50, results.Missing(), 0, true, 0}, {0, results.Missing(), 50, true, 0}, // one alone
	} {
		run := runOf(spread(1e6)...)
		for i := range run.Trials {
			x := &run.Trials[i]
			x.GoroutineNS = 1e9
			x.Usage.UserNS, x.Usage.SystemNS, x.Usage.MutexWaitNS, x.Usage.SchedWaitNS = c.cpu*1e9, 0, c.lock*1e9, c.sched*1e9
		}
		got := analysis.Analyze(run).Findings[0].Summaries[0].Cause
		if got.Over() != c.over || got.Over() && (got.CPU.Known() || got.Lock.Known() || got.Scheduler.Known() || got.Unexplained.Known()) {
			t.Errorf("%+v: %+v", c, got)
		}
		if d := float64(got.Unexplained - c.unexplained); !c.over && (d > 1e-9 || d < -1e-9) {
			t.Errorf("%+v: unexplained %v", c, got.Unexplained)
		}
	}
}

// A wait that is reckoned from samples is told where the trials agree on it. Where one says a
// quarter and another one all, it is left out, and what is left holds it.
func TestCausesThatScatter(t *testing.T) {
	for _, c := range []struct {
		shares [6]float64
		told   bool
	}{{[6]float64{0.70, 0.75, 0.72, 0.74, 0.8, 0.76}, true}, {[6]float64{0.90, 0.58, 0.25, 0.59, 0.43, 0.96}, false}, {[6]float64{0, 0, 0, 0, 0, 0}, true}} {
		run := runOf(spread(1e6)...)
		for i := range run.Trials {
			x := &run.Trials[i]
			x.GoroutineNS = 1e9
			x.Usage.UserNS, x.Usage.SystemNS, x.Usage.MutexWaitNS, x.Usage.SchedWaitNS = 0.1e9, 0, results.Number(1e9*c.shares[i%6]), 0
		}
		sum := analysis.Analyze(run).Findings[0].Summaries[0]
		if got := sum.Cause; got.Lock.Known() != c.told || !got.Unexplained.Known() || !c.told && math.Abs(float64(got.Unexplained)-0.9) > 1e-9 || !c.told && sum.Blocked().Known() {
			t.Errorf("%v: %+v", c.shares, got)
		}
	}
}

// Of a goroutine time that nobody measured nothing is a share, nor more than the whole.
func TestCausesWithoutGoroutineTime(t *testing.T) {
	run := runOf(spread(1e6)...)
	for i := range run.Trials {
		run.Trials[i].GoroutineNS, run.Trials[i].Usage.UserNS, run.Trials[i].Usage.SystemNS, run.Trials[i].Usage.MutexWaitNS = 0, 5, 5, 5
	}
	if c := analysis.Analyze(run).Findings[0].Summaries[0].Cause; c.Over() || c.CPU.Known() || c.Counted.Known() || c.Unexplained.Known() {
		t.Errorf("%+v", c)
	}
}

// A part that alone is more than the whole is not told.
func TestPartsOfMoreThanTheWhole(t *testing.T) {
	for part, known := range map[results.Number]bool{0.5: true, 1.05: true, 1.06: false, 50: false} {
		run := runOf(spread(1e6)...)
		for i := range run.Trials {
			x := &run.Trials[i]
			x.Usage.UserNS, x.Usage.SystemNS, x.Usage.GCCPUNS = 100, 100, part*200
			x.Guard = &results.Guard{BusyShare: part}
		}
		s := analysis.Analyze(run).Findings[0].Summaries[0]
		if s.GCShare.Known() != known || s.BusyShare.Known() != known {
			t.Errorf("%v of the whole: collector %v, guard %v", float64(part), float64(s.GCShare), float64(s.BusyShare))
		}
	}
}
