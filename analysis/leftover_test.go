package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// overloaded has six trials of the open loop at one rate: so many were answered after ns, so
// many failed, and of so many it is known only that they had waited for a second.
func overloaded(answered int, ns int64, failed, unsent int) *results.Report {
	b := one("server")
	for block := range 6 {
		t := due(trial("server", 2, block+1, 1), "1k", 1e3, 1e3, ns, 20e3)
		h := new(hist.Histogram)
		h.RecordN(ns, uint64(answered))
		t.Ops, t.Failed, t.Latency = answered, failed, results.NewLatency(h, results.Each)
		t.Open.Due, t.Open.Unsent = answered+failed+unsent, unsent
		t.Open.LastNS, t.Open.BegunNS = 2e9, 3e9
		t.Open.WindowNS, t.Open.Ended = 1e12, answered+failed // so that few that were not sent are no backlog
		b.run.Trials = append(b.run.Trials, t)
	}
	return analysis.Analyze(&b.run)
}

// What was never sent took at least as long as it had waited and may have taken for ever; it
// may have succeeded or failed. A threshold that holds, or does not, either way is judged.
func TestThresholdsWhereOperationsWereNeverSent(t *testing.T) {
	const slow, fast = 400e6, 1e6
	for _, c := range []struct {
		name, threshold, status, text string
		report                        *results.Report
	}{
		{"fails however fast they were", "p50<50ms", results.GateFailed, "p50 at least 400 ms", overloaded(1000, slow, 0, 500)},
		{"they had waited for longer", "p50<600ms", results.GateFailed, "p50 at least 1.00 s", overloaded(500, slow, 0, 1000)},
		{"they may have taken for longer", "p50<2s", results.GateUnseen, "p50 from 1.00 s", overloaded(500, slow, 0, 1000)},
		{"a few are beyond the percentile", "p50<50ms", results.GatePassed, "p50 at most 1.00 ms", overloaded(2000, fast, 0, 100)},
		{"but not beyond every one", "p99<2s", results.GateUnseen, "to not answered: 600 operations that were due were never sent", overloaded(2000, fast, 0, 100)},
		{"most failed", "p50<2s", results.GateFailed, "p50 not answered", overloaded(100, fast, 1000, 10)},
		{"longer than", "p50>600ms", results.GatePassed, "p50 at least 1.00 s", overloaded(500, slow, 0, 1000)},
		{"no longer than", "p50>600ms", results.GateFailed, "p50 at most 400 ms", overloaded(2000, slow, 0, 100)},
		{"few are beyond it, and those that were answered are enough", "p99<50ms", results.GateFailed, "p99 at least 400 ms", overloaded(2000, slow, 0, 15)},
		{"too few to tell", "p99<2s", results.GateUnseen, "p99 needs 1000 requests a trial", overloaded(20, slow, 0, 0)},
		{"a mean of all", "mean<600ms", results.GateFailed, "mean at least 700 ms", overloaded(1000, slow, 0, 1000)},
		{"no mean of what may take for ever", "mean<2s", results.GateUnseen, "mean from 700 ms", overloaded(1000, slow, 0, 1000)},
		{"failures, had all succeeded", "failures<1%", results.GateFailed, "600 of 12600 operations failed, 4.8 %; with the 6000 that were never sent it can be up to 52.4 %", overloaded(1000, fast, 100, 1000)},
		{"no failures, had all failed", "failures<10%", results.GatePassed, "up to 4.8 %", overloaded(2000, fast, 0, 100)},
		{"failures in between", "failures<1%", results.GateUnseen, "up to 4.8 %", overloaded(2000, fast, 0, 100)},
		{"none was sent", "failures<1%", results.GateUnseen, "0 of 600 operations failed", overloaded(0, fast, 0, 100)},
		{"none was due", "failures<1%", results.GateUnseen, "no operation was due", overloaded(0, fast, 0, 0)},
		{"no percentile of none", "p50<1s", results.GateUnseen, "p50 needs 20 requests a trial", overloaded(0, fast, 0, 0)},
	} {
		threshold, err := analysis.ParseThreshold(c.threshold)
		if err != nil {
			t.Fatal(err)
		}
		gates := analysis.GateThreshold(c.report, threshold)
		if len(gates) != 1 || gates[0].Status != c.status || !strings.Contains(gates[0].Text, c.text) {
			t.Errorf("%s: %+v, want %s: %s", c.name, gates, c.status, c.text)
		}
	}
}
