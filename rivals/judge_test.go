package main

import (
	"math"
	"testing"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/rivals/internal/trials"
)

// rate is what one variant does at one N.
type rate struct {
	variant string
	n       int
	perS    float64
}

// measured is a run of so many blocks of an experiment, with a drift that all
// variants share. Factors that are not given stand at their defaults.
func measured(name string, f factors, blocks int, rates ...rate) *results.Run {
	e, _ := trials.Experiment(name)
	run := &results.Run{Envs: []results.Env{{}}, Experiments: []results.Experiment{e.Describe()}}
	for block := 1; block <= blocks; block++ {
		for _, r := range rates {
			run.Trials = append(run.Trials, results.Trial{
				Experiment: name, Variant: r.variant, Factors: cell{factors: f}.levels(e),
				Goroutines: r.n, Block: block, Ops: 1000, WallNS: int64(1e12 / r.perS * (1 + float64(block)/10)),
			})
		}
	}
	return run
}

// measuredShare is what eight goroutines do a second in our log, and one in its
// limit.
func measuredShare(ours, prepared float64) *results.Run {
	run := measured("rival-share", large, 6, rate{"file-durable", 8, ours})
	limit := measured("rival-limits", large, 6, rate{"prepared", 1, prepared})
	run.Experiments = append(run.Experiments, limit.Experiments...)
	run.Trials = append(run.Trials, limit.Trials...)
	return run
}

// rowOf judges the run and finds one row of it.
func rowOf(t *testing.T, run *results.Run, title, name string) row {
	t.Helper()
	for _, r := range judge(run, questions()) {
		if r.Question == title && r.cell.name() == name {
			return r
		}
	}
	t.Fatalf("no row %s: %s", title, name)
	return row{}
}

func near(got results.Number, want float64) bool { return math.Abs(float64(got)-want) < 1e-3*want }

// The best rival of equal promise counts; one that promises less does not, and
// drift cancels.
func TestJudgePairsWithTheBestOfEqualPromise(t *testing.T) {
	run := measured("rival-log", small, 6, rate{"file", 1, 3e6}, rate{"tidwall", 1, 1e6}, rate{"leveldb", 1, 5e5},
		rate{"pebble-nosync", 1, 9e6}, rate{"file-durable", 1, 9e3}, rate{"etcd-durable", 1, 1e4})
	r := rowOf(t, run, "page cache", "payload 3, N = 1")
	if r.Rival != "tidwall" || !near(r.Ratio.Median, 3) || !near(r.Ratio.High, 3) || r.Status != failed {
		t.Errorf("row %+v", r)
	}
	if r := rowOf(t, run, "durable", "payload 3, N = 1"); r.Rival != "etcd-durable" || r.Status != failed || r.Must != 1 {
		t.Errorf("row %+v", r)
	}
	if r := rowOf(t, run, "durable", "payload 1024, N = 8"); r.Rival != "" || r.Status != unmeasured || r.Must != 1.5 || r.Goal != 2.5 {
		t.Errorf("row %+v", r)
	}
}

// A share is of N times the rate of one goroutine, and fails also where the
// trials differ too much.
func TestJudgeShare(t *testing.T) {
	run := measuredShare(6e4, 1e4)
	r := rowOf(t, run, "durable, share of N", "payload 1024, N = 8")
	if !near(r.Ratio.Median, 0.75) || r.Status != holds || r.cell.divisor(r.Rival) != "8 × prepared at N = 1" {
		t.Errorf("row %+v", r)
	}
	run.Trials[0].WallNS *= 4
	if r := rowOf(t, run, "durable, share of N", "payload 1024, N = 8"); !r.tooFarApart() || r.Status != failed {
		t.Errorf("spread %v: %s", r.Spread, r.Status)
	}
}

// One variant can be set against itself at another N.
func TestJudgeScaling(t *testing.T) {
	run := measured("rival-memory", nil, 6, rate{"memory", 2, 2e7}, rate{"memory", 64, 8e6})
	r := rowOf(t, run, "memory, N = 64 ÷ N = 2", "payload 3, N = 64")
	if !near(r.Ratio.Median, 0.4) || r.Status != failed || r.Spread > 3 {
		t.Errorf("row %+v", r)
	}
}

// Three trials carry a range where the question asks for no more, and nothing
// elsewhere.
func TestJudgeRange(t *testing.T) {
	run := measured("rival-past-limits", nil, 3, rate{"file", 8, 6e5}, rate{"prometheus", 8, 2e5})
	run.Trials[0].WallNS *= 2
	r := rowOf(t, run, "past dirty limits", "payload 1024, N = 8")
	if r.Interval != ranged || r.Blocks != 3 || !near(r.Ratio.Low, 1.5) || !near(r.Ratio.High, 3) || r.Status != inDoubt || r.bounds() != "1.50–3.00 (range of 3)" {
		t.Errorf("row %+v: %s", r, r.bounds())
	}
	run = measured("rival-mixed", nil, 3, rate{"file", 8, 6e5}, rate{"tidwall", 8, 2e5})
	if r := rowOf(t, run, "mixed", "reads 50, N = 8"); r.Interval != confidence || r.Status != unseen {
		t.Errorf("row %+v", r)
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		low, high, must float64
		want            string
	}{
		{1, 2, 0, noMust}, {math.Inf(-1), math.Inf(1), 1, unseen}, {0.8, 0.99, 1, failed},
		{0.8, 1, 1, inDoubt}, {0.99, 1.2, 1, inDoubt}, {1, 1.2, 1, holds},
	} {
		r := row{Rival: "tidwall", Must: c.must, Ratio: results.Interval{Median: 1, Low: results.Number(c.low), High: results.Number(c.high)}}
		if got := r.status(); got != c.want {
			t.Errorf("%v–%v against %v: %s, want %s", c.low, c.high, c.must, got, c.want)
		}
	}
}
