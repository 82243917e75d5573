package analysis_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A world is what became of all that was due in a trial.
type world struct {
	answered       []int64 // ns
	failed, unsent int
	waited         int64 // ns, what was not sent
}

// report has six trials of the world; of the closed loop where all was sent and it is to be.
func (w world) report(closed bool) *results.Report {
	b := one("server")
	for block := range 6 {
		h := new(hist.Histogram)
		for _, ns := range w.answered {
			h.Record(ns)
		}
		t := trial("server", 2, block+1, 1)
		if !closed {
			t = due(t, "1k", 1e3, 1e3, 1e6, 0)
			t.Open.Due, t.Open.Unsent = len(w.answered)+w.failed+w.unsent, w.unsent
			t.Open.LastNS, t.Open.BegunNS = 2e9, 2e9+w.waited
			t.Open.WindowNS, t.Open.Ended = 1e12, len(w.answered)+w.failed // so that few that were not sent are no backlog
		}
		t.Ops, t.Failed, t.Latency = len(w.answered), w.failed, results.NewLatency(h, results.Each)
		b.run.Trials = append(b.run.Trials, t)
	}
	return analysis.Analyze(&b.run)
}

// quantile is that of the world in which what was not sent took so long.
func (w world) quantile(q, unsent float64) float64 {
	var all []float64
	for _, ns := range w.answered {
		all = append(all, float64(ns))
	}
	all = append(all, slices.Repeat([]float64{unsent}, w.unsent)...)
	all = append(all, slices.Repeat([]float64{math.Inf(1)}, w.failed)...)
	slices.Sort(all)
	return all[max(int(math.Ceil(q*float64(len(all))-1e-9)), 1)-1]
}

func judge(t interface{ Fatal(...any) }, text string, r *results.Report) results.Gate {
	threshold, err := analysis.ParseThreshold(text)
	if err != nil {
		t.Fatal(err)
	}
	gates := analysis.GateThreshold(r, threshold)
	if len(gates) != 1 {
		t.Fatal(gates)
	}
	return gates[0]
}

// What failed and what was never sent lies beyond a percentile, too: with it ten are enough.
func TestPercentilesOfAllThatWasDue(t *testing.T) {
	const second = 1e9
	for _, c := range []struct {
		threshold, status, text string
		answered                int
		ns                      int64
		failed, unsent          int
		waited                  int64
	}{
		{"p95<50ms", results.GatePassed, "p95 at most 2.00 ms (2.00 ms to 2.00 ms): 18 operations", 200, 2e6, 0, 3, second},
		{"p99<50ms", results.GatePassed, "p99 at most 2.00 ms", 1000, 2e6, 0, 5, second},
		{"p99<50ms", results.GatePassed, "p99 at most 2.00 ms", 2000, 2e6, 0, 12, second},
		{"p99<50ms", results.GatePassed, "p99 2.00 ms (2.00 ms to 2.00 ms)", 1000, 2e6, 5, 0, second},
		{"p50<50ms", results.GateFailed, "p50 at least 400 ms", 20, 400e6, 0, 20, second},
		{"p50<50ms", results.GateFailed, "p50 at least 100 ms", 20, 100e6, 0, 20, 934e6},
		{"p50<500ms", results.GatePassed, "p50 4.00 ms", 19, 4e6, 2, 0, second},
		{"p50<500ms", results.GateUnseen, "p50 from 200 ms", 20, 100e6, 0, 21, 200e6},
		{"p99<50ms", results.GateUnseen, "p99 needs 1000 requests a trial, of which ten are longer; there were 999 in one", 994, 2e6, 5, 0, second}, // 9.99 beyond
		{"p90<50ms", results.GateFailed, "p90 at least 1.00 s", 80, 2e6, 0, 20, second},                                                             // whatever the histogram carries
		{"p90<50ms", results.GateUnseen, "p90 needs 100 requests a trial", 20, 2e6, 0, 5, second},                                                   // though it lies among those
		{"p90<50ms", results.GateFailed, "p90 not answered", 80, 2e6, 20, 0, second},
		{"p90<50ms", results.GateUnseen, "p90 needs 100 requests a trial", 20, 2e6, 5, 0, second},
		{"p50>50ms", results.GatePassed, "p50 at least 400 ms", 20, 400e6, 0, 20, second},
	} {
		g := judge(t, c.threshold, world{slices.Repeat([]int64{c.ns}, c.answered), c.failed, c.unsent, c.waited}.report(false))
		if g.Status != c.status || len(g.Text) < len(c.text) || g.Text[:len(c.text)] != c.text {
			t.Errorf("%+v: %s: %s", c, g.Status, g.Text)
		}
	}
}

// Beside the sorted best and worst worlds no percentile is judged wrongly. It is judged
// wherever both agree by more than what a histogram does not tell apart, and ten lie beyond, but
// for what is short enough only as long as a backlog has not grown.
func TestPercentilesOfTheBestAndTheWorstWorld(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world{
			answered: rapid.SliceOfN(rapid.Int64Range(1e6, 64e6), 0, 60).Draw(t, "answered"),
			failed:   rapid.IntRange(0, 20).Draw(t, "failed"),
			unsent:   rapid.IntRange(0, 40).Draw(t, "unsent"),
			waited:   rapid.Int64Range(0, 80e6).Draw(t, "waited"),
		}
		all := float64(len(w.answered) + w.failed + w.unsent)
		if all == 0 {
			t.Skip("nothing was due")
		}
		percent := rapid.SampledFrom([]float64{5, 25, 50, 75, 90}).Draw(t, "percent")
		q := percent / 100
		best, worst := w.quantile(q, float64(w.waited)), w.quantile(q, math.Inf(1))
		bound := float64(rapid.Int64Range(5e5, 90e6).Draw(t, "bound"))
		if near := rapid.SampledFrom([]float64{0, best, worst}).Draw(t, "near"); near >= 1e6 && !math.IsInf(near, 1) {
			bound = near + float64(rapid.Int64Range(-3e5, 3e5).Draw(t, "by"))
		}
		below := rapid.Bool().Draw(t, "below")
		sign := map[bool]string{true: "<", false: ">"}[below]
		got := judge(t, fmt.Sprintf("p%v%s%v", percent, sign, time.Duration(bound)), w.report(w.unsent == 0 && rapid.Bool().Draw(t, "closed")))

		under, over := worst < bound, best >= bound
		if !below {
			under, over = worst <= bound, best > bound
		}
		passes, fails := under, over
		if !below {
			passes, fails = over, under
		}
		if got.Status == results.GatePassed && !passes || got.Status == results.GateFailed && !fails {
			t.Errorf("%s: %s, from %v to %v", got.Status, got.Text, best, worst)
		}
		clear := worst*65/64 < bound || best*63/64 > bound
		grows := under && strings.Contains(got.Text, "but it falls behind there")
		if got.Status == results.GateUnseen && clear && all*(1-q) >= 10 && !grows {
			t.Errorf("not judged: %s, from %v to %v", got.Text, best, worst)
		}
	})
}
