package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// asked makes six trials of a server: so many answered in so many ns each, so many failed.
func asked(ns int64, answered, failed int) *results.Report {
	b := one("server")
	for block := 1; block <= 6; block++ {
		h := new(hist.Histogram)
		for i := range answered {
			h.Record(ns + int64(block*1000+i%100)) // trials differ a little
		}
		t := trial("server", 50, block, 1)
		t.Ops, t.Failed, t.WallNS, t.Latency = answered, failed, 1e9, results.NewLatency(h, results.Each)
		b.run.Trials = append(b.run.Trials, t)
	}
	return analysis.Analyze(&b.run)
}

func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		name, threshold, status string
		report                  *results.Report
	}{
		{"holds", "p99<50ms", results.GatePassed, asked(40e6, 1000, 0)},
		{"does not", "p99<50ms", results.GateFailed, asked(60e6, 1000, 0)},
		{"at it", "p50<50002us", results.GateUnseen, asked(50e6, 1000, 0)},
		{"what has not answered is longer than any bound", "p99<50ms", results.GateFailed, asked(1e6, 1000, 20)},
		{"a few that have not", "p99<50ms", results.GatePassed, asked(1e6, 10000, 20)},
		{"no mean of what has not answered", "mean<50ms", results.GateUnseen, asked(1e6, 1000, 1)},
		{"rate", "rate>900/s", results.GatePassed, asked(1e6, 1000, 0)},
		{"the same in thousands", "rate>1.01k/s", results.GateFailed, asked(1e6, 1000, 100)},
		{"rate of what was answered", "rate>1010/s", results.GateFailed, asked(1e6, 1000, 100)},
		{"failures", "failures<5%", results.GateFailed, asked(1e6, 1000, 100)},
		{"no failures", "failures<0.1%", results.GatePassed, asked(1e6, 1000, 0)},
		{"no failures of a few: they are counted", "failures<1%", results.GatePassed, asked(1e6, 5, 0)},
		{"too few to tell", "p99.9<50ms", results.GateUnseen, asked(1e6, 100, 0)},
	} {
		threshold, err := analysis.ParseThreshold(c.threshold)
		if err != nil {
			t.Fatal(err)
		}
		gates := analysis.GateThreshold(c.report, threshold)
		if len(gates) != 1 || gates[0].Status != c.status {
			t.Errorf("%s: %+v", c.name, gates)
		}
	}
}

// A quantile that the clock cannot time is at most its floor, and no more is known.
func TestThresholdBelowTheFloor(t *testing.T) {
	for text, want := range map[string]string{"p50<40ns": results.GateUnseen, "p50>30ns": results.GateUnseen, "p50<100ns": results.GatePassed, "p50>100ns": results.GateFailed} {
		b := one("server")
		for block := 1; block <= 6; block++ {
			h := new(hist.Histogram)
			h.RecordN(20, 1000)
			x := trial("server", 1, block, 1e7)
			x.Latency = results.NewLatency(h, results.Each).Above(54)
			b.run.Trials = append(b.run.Trials, x)
		}
		threshold, err := analysis.ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		if gates := analysis.GateThreshold(analysis.Analyze(&b.run), threshold); len(gates) != 1 || gates[0].Status != want {
			t.Errorf("%s: %+v, want %s", text, gates, want)
		}
	}
}

// A rate is that of the operations that had their effect: one that throws most away is not
// fast.
func TestThresholdOfALossyRate(t *testing.T) {
	lost := 400
	r := asked(1e6, 1000, 0)
	for i := range r.Findings[0].Trials {
		r.Findings[0].Trials[i].Lost = &lost
	}
	for text, want := range map[string]string{"rate>500/s": results.GatePassed, "rate>900/s": results.GateFailed} {
		threshold, err := analysis.ParseThreshold(text)
		if err != nil {
			t.Fatal(err)
		}
		gates := analysis.GateThreshold(r, threshold)
		if len(gates) != 1 || gates[0].Status != want || !strings.Contains(gates[0].Text, "had their effect") {
			t.Errorf("%s: %+v, want %s", text, gates, want)
		}
	}
}

// Of operations that are sampled the rare slow one is probably not among the samples: nothing
// beyond p99 is known of them, and up to there ten samples have to lie beyond.
func TestThresholdOfSampledOperations(t *testing.T) {
	sampled := func(samples uint64) *results.Report {
		b := one("server")
		for block := 1; block <= 6; block++ {
			h := new(hist.Histogram)
			h.RecordN(300, samples)
			x := trial("server", 1, block, 5e6)
			x.Ops, x.Latency = int(samples)*64, results.NewLatency(h, results.Sampled)
			b.run.Trials = append(b.run.Trials, x)
		}
		return analysis.Analyze(&b.run)
	}
	for _, c := range []struct {
		threshold string
		samples   uint64
		want      string
	}{
		{"p99.9<50us", 100_000, results.GateUnseen},
		{"p99<50us", 100, results.GateUnseen},
		{"p99<50us", 1000, results.GatePassed},
		{"p99>50us", 1000, results.GateFailed},
		{"p50>50us", 10, results.GateUnseen},
	} {
		threshold, err := analysis.ParseThreshold(c.threshold)
		if err != nil {
			t.Fatal(err)
		}
		if gates := analysis.GateThreshold(sampled(c.samples), threshold); len(gates) != 1 || gates[0].Status != c.want || !strings.Contains(gates[0].Text, "sample") == (c.want == results.GateUnseen) {
			t.Errorf("%s of %d samples: %+v, want %s", c.threshold, c.samples, gates, c.want)
		}
	}
}

// What failed is counted over all trials: in one of six it is no less.
func TestFailuresOfOneTrial(t *testing.T) {
	r := asked(1e6, 1000, 0)
	r.Findings[0].Trials[3].Failed = 600
	threshold, _ := analysis.ParseThreshold("failures<5%")
	if g := analysis.GateThreshold(r, threshold); g[0].Status != results.GateFailed || g[0].Text != "600 of 6600 operations failed, 9.1 %" {
		t.Errorf("%+v", g)
	}
}

// A generator that was late, or a trial of which nothing is counted, passes no failures; what
// failed has failed.
func TestFailuresThatMayBeMore(t *testing.T) {
	for _, code := range []string{results.WarnSaturated, results.WarnEnded} {
		for failed, want := range map[int]string{0: results.GateUnseen, 100: results.GateFailed} {
			r := asked(1e6, 1000, failed)
			r.Findings[0].Summaries[0].Warnings = []results.Warning{{Code: code}}
			threshold, _ := analysis.ParseThreshold("failures<5%")
			if g := analysis.GateThreshold(r, threshold); g[0].Status != want {
				t.Errorf("%s, %d failed: %+v", code, failed, g)
			}
		}
	}
}

// Fewer than six trials pass and fail nothing.
func TestTooFewTrialsForAThreshold(t *testing.T) {
	for _, failed := range []int{0, 500} {
		few := asked(1e6, 1000, failed)
		run := few.Findings[0].Trials[:3]
		b := one("server")
		b.run.Trials = run
		for _, text := range []string{"p99<50ms", "rate>1/s"} {
			threshold, _ := analysis.ParseThreshold(text)
			for _, g := range analysis.GateThreshold(analysis.Analyze(&b.run), threshold) {
				if g.Status != results.GateUnseen || !strings.Contains(g.Text, "too few trials") || strings.Contains(g.Text, "Inf") {
					t.Errorf("%s: %+v", text, g)
				}
			}
		}
	}
}

// Of a run in which nothing has a rate or a latency no threshold can be told to hold.
func TestThresholdOfNothing(t *testing.T) {
	limit, err := analysis.ParseThreshold("p99<1ms")
	if err != nil {
		t.Fatal(err)
	}
	if gates := analysis.GateThreshold(&results.Report{}, limit); len(gates) != 1 || gates[0].Status != results.GateUnseen {
		t.Errorf("%+v", gates)
	}
}

// Of users who asked once the rate is a bound from below: it passes no lower threshold and
// fails no higher one.
func TestRateOfUsersWhoAskedOnceIsABound(t *testing.T) {
	for text, want := range map[string]string{"rate>900/s": results.GatePassed, "rate<900/s": results.GateFailed, "rate>1100/s": results.GateUnseen, "rate<1100/s": results.GateUnseen} {
		r := asked(1e6, 1000, 0)
		for i := range r.Findings[0].Trials {
			r.Findings[0].Trials[i].Warnings = []results.Warning{{Code: results.WarnFewCycles}}
		}
		threshold, _ := analysis.ParseThreshold(text)
		if g := analysis.GateThreshold(r, threshold); g[0].Status != want {
			t.Errorf("%s: %+v", text, g)
		}
	}
}

// A rate of which the first operation took much is one of that window's length: a longer one
// has another. Percentiles do not change by it.
func TestThresholdOfASlowStart(t *testing.T) {
	r := asked(1e6, 1000, 0)
	r.Findings[0].Summaries[0].Warnings = append(r.Findings[0].Summaries[0].Warnings, results.Warning{Code: results.WarnSlowStart, Text: "slow at first"})
	for text, want := range map[string]string{"rate>900/s": results.GateUnseen, "rate>2000/s": results.GateUnseen, "mean<50ms": results.GateUnseen, "p99<50ms": results.GatePassed} {
		threshold, _ := analysis.ParseThreshold(text)
		if g := analysis.GateThreshold(r, threshold); g[0].Status != want {
			t.Errorf("%s: %+v", text, g)
		}
	}
}

func TestNoThresholds(t *testing.T) {
	for _, text := range []string{"", "p99", "p99<", "p99<50", "p99<-1ms", "p0<1ms", "p100<1ms", "p1.2.3<1ms", "rate>x", "rate>1kM/s", "rate>1Mk/s", "failures<0%", "failures<5", "failures<100%", "p0.99<1ms", "speed>1", "p99<=5ms", "mean<1", "rate>1e999"} {
		if _, err := analysis.ParseThreshold(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// Of several rates the highest one is told up to which a threshold holds, and why no
// higher one.
func TestHighestRateOfAThreshold(t *testing.T) {
	b := openBook(func(variant, level string, rate float64, t results.Trial) results.Trial {
		switch {
		case variant == "slow" && level == "1k", variant == "fast" && level == "10k":
			return due(t, level, rate, rate, 80e6, 20e3)
		case variant == "fast" && level == "100k":
			return due(t, level, rate, rate, 1e6, 20e3) // behind one that does not hold: no limit
		}
		return due(t, level, rate, rate, 2e6, 20e3)
	})
	threshold, _ := analysis.ParseThreshold("p99<50ms")
	got := map[string]string{}
	for _, g := range analysis.GateThreshold(analysis.Analyze(&b.run), threshold) {
		got[g.Threshold] = g.Status + ": " + g.Text
	}
	const highest = "@64: the highest rate with p99<50ms"
	for cell, want := range map[string][]string{
		"log/fast": {"passed: holds up to 1k/s: p99 2.00 ms", "; does not at 10k/s: p99 80.0 ms"},
		"log/slow": {"failed: holds at 10k/s, but not up to it: p99 2.00 ms", "; does not at 1k/s: p99 80.0 ms"},
	} {
		for _, part := range want {
			if !strings.Contains(got[cell+highest], part) {
				t.Errorf("%s: %q", cell, got)
			}
		}
	}
	never, _ := analysis.ParseThreshold("p99<0.1ms")
	for _, g := range analysis.GateThreshold(analysis.Analyze(&b.run), never) {
		if !strings.HasPrefix(g.Text, "holds at no rate that was measured; does not at 1k/s") {
			t.Errorf("%q", g.Text)
		}
	}
}

// Where it cannot be told whether a threshold holds, it is not said to fail.
func TestThresholdThatSomeRatesCannotTell(t *testing.T) {
	b := openBook(func(_, level string, rate float64, t results.Trial) results.Trial {
		if level == "1k" {
			return due(t, level, rate, rate, 80e6, 20e3)
		}
		t = due(t, level, rate, rate, 2e6, 20e3)
		t.Latency.Hist = nil
		return t
	})
	threshold, _ := analysis.ParseThreshold("p99<50ms")
	for _, g := range analysis.GateThreshold(analysis.Analyze(&b.run), threshold) {
		if !strings.HasPrefix(g.Text, "is known to hold at no rate, and at some it cannot be told; ") {
			t.Errorf("%q", g.Text)
		}
	}
}
