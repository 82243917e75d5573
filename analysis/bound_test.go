package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// A bound is told as it was given, and what is beyond it reads as beyond it.
func TestBoundOfADropIsToldAsGiven(t *testing.T) {
	steady := func(rate float64) *results.Run { return runOf(slices.Repeat([]float64{rate}, 6)...) }
	older := steady(1e6)
	for _, c := range []struct {
		drop      float64
		rate      float64
		threshold string
		text      string
	}{
		{0.05, 1e6, "at most 5.0 % slower", "ratio 1.00"},
		{5.04 / 100, 1e6, "at most 5.04 % slower", "ratio 1.00"},
		{0.07, 1e6, "at most 7.0 % slower", "ratio 1.00"},
		{0.29, 1e6, "at most 29.0 % slower", "ratio 1.00"},
		{0.00123, 1e6, "at most 0.123 % slower", "ratio 1.00"},
		{0.4999, 0.5e6, "at most 49.99 % slower", "slower by 50.0 %, at least 50.0 %"},
		{0.3, 0.69998e6, "at most 30.0 % slower", "slower by 30.002 %, at least 30.002 %"},
	} {
		g := analysis.GateChanges(analysis.Compare(older, steady(c.rate)), c.drop)[0]
		if !strings.HasSuffix(g.Threshold, ": "+c.threshold) || !strings.HasPrefix(g.Text, c.text) {
			t.Errorf("%v: %s: %s, want %s: %s", c.drop, g.Threshold, g.Text, c.threshold, c.text)
		}
	}
}

func TestBoundOfASpeedupIsToldAsGiven(t *testing.T) {
	for _, c := range []struct {
		bound, threshold string
		rate             float64
		text             string
	}{
		{"1.5", "at least 1.50 times N = 1", 2e6, "passed: measured 2.00 (2.00 to 2.00)"},
		{"2.004", "at least 2.004 times N = 1", 2.1e6, "passed: measured 2.10 (2.10 to 2.10)"},
		{"2.004", "at least 2.004 times N = 1", 2e6, "failed: measured 2.00 (2.00 to 2.00)"},
		{"2", "at least 2.00 times N = 1", 1.9996e6, "failed: measured 1.9996 (1.9996 to 1.9996)"},
		{"12.5", "at least 12.5 times N = 1", 2e6, "failed: measured 2.00 (2.00 to 2.00)"},
	} {
		b := one("file")
		for i, share := range six(1) {
			b.run.Trials = append(b.run.Trials, trial("file", 1, i+1, 1e6*share), trial("file", 8, i+1, c.rate*share))
		}
		s, err := analysis.ParseSpeedup("log/file@8>=" + c.bound)
		if err != nil {
			t.Fatal(err)
		}
		gates, err := analysis.GateSpeedup(analysis.Analyze(&b.run), s)
		if err != nil {
			t.Fatal(err)
		}
		if g := gates[0]; !strings.HasSuffix(g.Threshold, ": "+c.threshold) || g.Status+": "+g.Text != c.text {
			t.Errorf("%s: %s: %s: %s, want %s: %s", c.bound, g.Threshold, g.Status, g.Text, c.threshold, c.text)
		}
	}
}

func TestShareThatFailedReadsOnItsSideOfTheBound(t *testing.T) {
	for _, c := range []struct {
		threshold   string
		failed, all int
		want        string
	}{
		{"failures<12%", 519, 4317, "failed: 519 of 4317 operations failed, 12.02 %"},
		{"failures<12%", 12, 100, "failed: 12 of 100 operations failed, 12.0 %"},
		{"failures<12%", 1196, 10000, "passed: 1196 of 10000 operations failed, 11.96 %"},
		{"failures<12%", 100, 1000, "passed: 100 of 1000 operations failed, 10.0 %"},
		{"failures<1.25%", 126, 10000, "failed: 126 of 10000 operations failed, 1.3 %"},
		{"failures<50%", 9999, 10000, "failed: 9999 of 10000 operations failed, 99.99 %"},
	} {
		b := one("file")
		some := trial("file", 1, 1, 1e6)
		some.Ops, some.Failed = c.all-c.failed, c.failed
		b.run.Trials = []results.Trial{some}
		threshold, err := analysis.ParseThreshold(c.threshold)
		if err != nil {
			t.Fatal(err)
		}
		if g := analysis.GateThreshold(analysis.Analyze(&b.run), threshold)[0]; g.Status+": "+g.Text != c.want {
			t.Errorf("%s: %s: %s, want %s", c.threshold, g.Status, g.Text, c.want)
		}
	}
}
