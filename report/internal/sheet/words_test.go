package sheet

import (
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// No two intervals of unlike rates read alike.
func TestSpanHasNoTwoReadings(t *testing.T) {
	for _, c := range []struct {
		low, high results.Number
		want      string
	}{
		{1.2e3, 1.5e3, "1.20–1.50k"},
		{1.2, 1.5e3, "0.0012–1.50k"},
		{1.23, 1.5e3, "0.00123–1.50k"},
		{15, 20e3, "0.015–20.0k"},
		{999, 1.2e3, "0.999–1.20k"},
		{15, 1.2e6, "0.000015–1.20M"},
		{15, 1.2e9, "0.000000015–1.20G"},
		{0, 1.5e3, "0–1.50k"},
		{0.0001, 1.5e3, "<0.001–1.50k"},
		{900e3, 1.2e6, "900k–1.20M"},
		{1.2, 1.5, "1.20–1.50"},
		{900, 999, "900–999"},
		{results.Missing(), 1.5e3, "–"},
	} {
		if got := Span(results.Interval{Median: c.high, Low: c.low, High: c.high}, results.Number.Rate); got != c.want {
			t.Errorf("%v to %v is %s, want %s", c.low, c.high, got, c.want)
		}
	}
	times := results.Interval{Median: 2e3, Low: 999, High: 2e3}
	if got := Span(times, results.Number.Nanoseconds); got != "999 ns–2.00 µs" {
		t.Errorf("times are %s", got)
	}
}
