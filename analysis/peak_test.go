package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
)

// rated is one cell at a pattern of rates, of which so many were due on average.
type rated struct {
	level string
	mean  float64
	holds bool
}

// A rate is higher than another if its peak is: steps of few on average do not hold where
// their highest one does not, and say nothing against a lower constant rate that holds.
func TestRatesAreOrderedByTheirPeak(t *testing.T) {
	for name, c := range map[string]struct {
		rates []rated
		want  string
	}{
		"steps":             {[]rated{{"350", 350, true}, {"10+600", 305, false}}, "passed: holds up to 350/s: p50 2.00 ms; does not at 10+600/s: p50 80.0 ms"},
		"steps, drawn":      {[]rated{{"350", 350, true}, {"poisson:10+600", 302, false}}, "passed: holds up to 350/s: p50 2.00 ms; does not at poisson:10+600/s: p50 80.0 ms"},
		"a ramp":            {[]rated{{"350", 350, true}, {"10-0.6k", 305, false}}, "passed: holds up to 350/s: p50 2.00 ms; does not at 10-0.6k/s: p50 80.0 ms"},
		"a ramp downwards":  {[]rated{{"350", 350, true}, {"0.6k-10", 305, false}}, "passed: holds up to 350/s: p50 2.00 ms; does not at 0.6k-10/s: p50 80.0 ms"},
		"one peak":          {[]rated{{"600", 600, false}, {"10+600", 305, true}}, "passed: holds up to 10+600/s: p50 2.00 ms; does not at 600/s: p50 80.0 ms"},
		"of unknown words":  {[]rated{{"350", 350, true}, {"bursts", 305, false}}, "failed: holds at 350/s, but not up to it: p50 2.00 ms; does not at bursts/s: p50 80.0 ms"},
		"equal, by names":   {[]rated{{"1000", 1000, true}, {"1k", 1000, false}}, "failed: holds at 1000/s, but not up to it: p50 2.00 ms; does not at 1k/s: p50 80.0 ms"},
		"a lower one fails": {[]rated{{"350", 350, true}, {"10+200", 105, false}}, "failed: holds at 350/s, but not up to it: p50 2.00 ms; does not at 10+200/s: p50 80.0 ms"},
	} {
		t.Run(name, func(t *testing.T) {
			b := one("steady")
			for _, r := range c.rates {
				response := int64(80e6)
				if r.holds {
					response = 2e6
				}
				for block := range 6 {
					b.run.Trials = append(b.run.Trials, due(trial("steady", 64, block+1, 1), r.level, r.mean, r.mean, response, 20e3))
				}
			}
			threshold, _ := analysis.ParseThreshold("p50<50ms")
			gates := analysis.GateThreshold(analysis.Analyze(&b.run), threshold)
			if len(gates) != 1 {
				t.Fatalf("gates %+v", gates)
			}
			got := strings.NewReplacer(" (2.00 ms to 2.00 ms)", "", " (80.0 ms to 80.0 ms)", "").Replace(gates[0].Status + ": " + gates[0].Text)
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
