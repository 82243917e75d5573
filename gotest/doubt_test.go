package gotest

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// codes are those of a trial's warnings.
func codes(r results.Trial) []string {
	var all []string
	for _, w := range r.Warnings {
		all = append(all, w.Code)
	}
	return all
}

// Timed work outside RunParallel is in wall time and in no operation's: it is
// told how much that is. Sleeps are no shorter than they are asked to be.
func TestWorkOutsideIsTold(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runSample(t, "-run=^$", "-bench=Drain", "-benchtime=50x", "-cpu=2")
		share, wall := r.value(t, "Drain-2", "outside-share"), r.value(t, "Drain-2", "wall-ns/op")
		if share*wall < 0.999*nap || share >= 1 {
			t.Errorf("%v of %v wall-ns/op lay outside, want %v", share, wall, nap)
		}
		if !slices.Equal(r.Outside(), []string{"BenchmarkDrain"}) {
			t.Errorf("outside: %q", r.Outside())
		}
		_, trials := r.Results()
		if len(trials) != 1 || math.Abs(trials[0].Outside-share) > 1e-3 || !slices.Contains(codes(trials[0]), results.WarnOutside) {
			t.Errorf("%+v", trials)
		}
	})
}

// So is what lay before it: the window has the timer's time from where it begins.
func TestWorkBeforeIsOutside(t *testing.T) {
	r := runSample(t, "-tags=notrial", "-run=^$", "-bench=WorksFirst", "-benchtime=50x", "-cpu=2")
	if share, wall := r.value(t, "WorksFirst-2", "outside-share"), r.value(t, "WorksFirst-2", "wall-ns/op"); share*wall < 0.999*nap || share >= 1 {
		t.Errorf("%v of %v wall-ns/op lay outside, want %v", share, wall, nap)
	}
}

// Where RunParallel is called twice, mean and quantiles are of different operations.
func TestTwoCallsAreTold(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runSample(t, "-run=^$", "-bench=Twice|Drain", "-benchtime=50x", "-cpu=2")
		if got := r.Repeated(); !slices.Equal(got, []string{"BenchmarkTwice"}) {
			t.Errorf("repeated: %q", got)
		}
		_, trials := r.Results()
		for _, trial := range trials {
			if slices.Contains(codes(trial), results.WarnRepeated) != (trial.Variant == "Twice") {
				t.Errorf("%s: %v", trial.Variant, trial.Warnings)
			}
		}
	})
}

// A timer that is off while RunParallel runs is no goroutine started without
// it, and leaves no rate.
func TestStoppedTimerIsTold(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runSample(t, "-run=^$", "-bench=Untimed|Around|Stopped$", "-benchtime=20x", "-cpu=2")
		if len(r.Blind()) > 0 {
			t.Errorf("not seen: %q", r.Blind())
		}
		if got := r.Untimed(); !slices.Equal(got, []string{"BenchmarkUntimed", "BenchmarkAround"}) {
			t.Errorf("not timed: %q", got)
		}
		if ops, has := r.find("Untimed-2", "ops/s"); has {
			t.Errorf("%v ops/s of what was not timed", ops)
		}
		r.value(t, "Around-2", "ops/s") // its loop was
		_, trials := r.Results()
		if len(trials) != 2 || trials[0].Variant != "Stopped" || trials[1].Variant != "Around-2" {
			t.Errorf("%+v", trials)
		}
		for _, trial := range trials {
			doubted := slices.ContainsFunc(trial.Warnings, func(w results.Warning) bool { return w.Code == results.WarnOutside })
			few := slices.ContainsFunc(trial.Warnings, func(w results.Warning) bool { return w.Code == results.WarnFewOps })
			if trial.Variant == "Around-2" && !doubted || !few {
				t.Errorf("%s: warnings %v", trial.Variant, trial.Warnings)
			}
			// What stopped the timer took twenty times as long as what did not; a machine that
			// others use can add a little between the two.
			if trial.Variant == "Stopped" && trial.Outside > 0.7 {
				t.Errorf("%s: %v of it outside of RunParallel", trial.Variant, trial.Outside)
			}
		}
	})
}

// What a test binary starts, itself or another, runs nobody's benchmarks,
// whenever it read its environment.
func TestChildrenAreNobodys(t *testing.T) {
	r := runSample(t, "-tags=child", "-run=^$", "-bench=Child", "-benchtime=1x", "-cpu=1")
	if r.ExitCode != 0 || len(r.Trials) != 1 || r.Trials[0].Name != "BenchmarkChild" {
		t.Errorf("exit code %d, %d trials: %+v\n%s", r.ExitCode, len(r.Trials), r.Trials, r.stdout)
	}
}

// A quantile that the clock cannot tell is missing, and it is said why.
func TestBelowTheClock(t *testing.T) {
	h := new(hist.Histogram)
	h.RecordN(30, 10_000)
	for floor, known := range map[int64]bool{29: true, 30: false} {
		o := Outcome{Trials: []Trial{{Name: "BenchmarkShort-2", Procs: 2, N: 10_000, WallNS: 1e6, Goroutines: 2, GoroutineNS: 2e6, Hist: h, FloorNS: floor}}}
		_, trials := o.Results()
		l := trials[0].Latency
		if l.P50NS.Known() != known || l.P99NS.Known() != known || l.FloorNS != results.Number(floor) || l.MeanNS != 200 {
			t.Errorf("floor %d: %+v", floor, l)
		}
		if slices.Contains(codes(trials[0]), results.WarnClock) == known || (len(o.Coarse()) == 0) != known {
			t.Errorf("floor %d: %q, %q", floor, trials[0].Warnings, o.Coarse())
		}
	}
}

// Where the clock stood still nothing is said of an operation.
func TestNoTimeIsNoFigure(t *testing.T) {
	o := Outcome{Trials: []Trial{{Name: "BenchmarkA", Procs: 1, N: 1, WallNS: 1, Goroutines: 1, Hist: new(hist.Histogram)}}}
	_, trials := o.Results()
	if l := trials[0].Latency; l.MeanNS.Known() || l.P50NS.Known() || l.MaxNS.Known() {
		t.Errorf("%+v", l)
	}
}

// A file of a process that had nothing to tell, as each makes first, holds no
// trial.
func TestEmptySideFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "1"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if told, err := ReadTrials(dir); err != nil || len(told.Trials) > 0 {
		t.Errorf("%v, %+v", err, told.Trials)
	}
}

// While somebody else keeps all processors at work, a trial says so.
func TestANeighbourIsTold(t *testing.T) {
	if len(cause.Unmeasured()) > 0 {
		t.Skip("not measured here: ", cause.Unmeasured())
	}
	var done atomic.Bool
	var spinning sync.WaitGroup
	for range runtime.NumCPU() {
		spinning.Go(func() {
			for !done.Load() {
			}
		})
	}
	defer spinning.Wait()
	defer done.Store(true)
	r := runSample(t, "-run=^$", "-bench=^BenchmarkParallel$", "-benchtime=200x", "-cpu=2")
	_, trials := r.Results()
	if len(trials) != 1 || !slices.Contains(codes(trials[0]), results.WarnDisturbed) {
		t.Errorf("%+v", trials)
	}
}

// No quantile is told, in no report, on whose far side operations can lie that were dropped; nor is it
// had from the histograms of several trials.
func TestDroppedOperationsAreInNoQuantile(t *testing.T) {
	for _, c := range []struct {
		dropped       int64
		p50, p99, all bool
	}{{0, true, true, true}, {40, true, true, false}, {200, true, false, false}, {4000, false, false, false}} {
		h := new(hist.Histogram)
		h.RecordN(300, uint64(10_000-c.dropped))
		o := Outcome{Trials: []Trial{{Name: "BenchmarkOpening-2", Procs: 2, N: 10_000, WallNS: 1e6, Goroutines: 2, GoroutineNS: 2e6, Each: true, Hist: h, FloorNS: 60, Dealt: 10_000, Dropped: c.dropped}}}
		_, trials := o.Results()
		l := trials[0].Latency
		if l.P50NS.Known() != c.p50 || l.P99NS.Known() != c.p99 || l.MaxNS.Known() != c.all {
			t.Errorf("%d dropped: %+v", c.dropped, l)
		}
		if merged, whole := results.MergeLatencies(trials); whole != c.p99 {
			t.Errorf("%d dropped: together they have p99 %v", c.dropped, merged.P99NS)
		}
	}
}

// What an operation of one call of RunParallel took says nothing of those of another: short ones
// behind long ones are sampled, and long ones behind short ones are timed each.
func TestOneCallTellsNothingOfAnother(t *testing.T) {
	r := runSample(t, "-run=^$", "-bench=LongFill|ShortFill", "-benchtime=20000x", "-cpu=2")
	if len(r.Trials) != 2 {
		t.Fatalf("%d trials\n%s%s", len(r.Trials), r.stdout, r.stderr)
	}
	for _, trial := range r.Trials {
		if long := trial.bare() == "ShortFill"; trial.Each != long {
			t.Errorf("%s: each was timed: %v, %d of them", trial.bare(), trial.Each, trial.Hist.Count())
		}
	}
}

// Who measures its goroutines and says so is believed: they are seen, and its figures are the trial's, whatever it does besides.
func TestOwnFiguresAreTheTrials(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runSample(t, "-run=^$", "-bench=Reports|Starts", "-benchtime=50x", "-cpu=2")
		doubted := slices.Concat(r.Blind(), r.Outside(), r.Repeated(), r.NotKept(LateReset), r.NotKept(Timeless))
		if of := func(name string) bool {
			return strings.HasPrefix(name, "BenchmarkReports") && name != "BenchmarkReportsNothing"
		}; slices.ContainsFunc(doubted, of) {
			t.Errorf("doubted: %q", doubted)
		}
		_, trials := r.Results()
		if len(trials) != 6 || trials[5].Variant != "ReportsNothing-2" || trials[5].Goroutines != 1 {
			t.Fatalf("%+v", trials)
		}
		for i, name := range []string{"Reports", "ReportsBehind", "ReportsBeside", "ReportsOff"} {
			if own := trials[i+1]; own.Variant != name || own.Goroutines != 4 || own.GoroutineNS != 50*4*nap || own.WallNS != 50e6 || own.Ops != 50 || own.Outside != 0 || own.Latency.MeanNS != 4*nap || own.Latency.P50NS.Known() {
				t.Errorf("%s: %+v", name, own)
			}
		}
	})
}
