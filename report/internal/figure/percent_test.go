package figure

import (
	"testing"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// Without one goroutine to compare with there is nothing to draw, and where one has it
// and another has not, the axis ends with what is drawn.
func TestPercentOfSerialShowsWhatHasOne(t *testing.T) {
	missing := results.Interval{Median: results.Missing(), Low: results.Missing(), High: results.Missing()}
	percent := func(v float64) results.Interval {
		return results.Interval{Median: results.Number(v), Low: results.Missing(), High: results.Missing()}
	}
	cell := func(name string, n int, p results.Interval) results.Summary {
		return results.Summary{Variant: name, Goroutines: n, PercentSerial: p, OpsPerS: percent(1000)}
	}
	for _, c := range []struct {
		name  string
		cells []results.Summary
		drawn int // levels of N
	}{
		{"no serial rate", []results.Summary{cell("a", 2, missing), cell("a", 8, missing)}, 0},
		{"one goroutine alone", []results.Summary{cell("a", 1, percent(100)), cell("b", 8, missing)}, 0},
		{"one of two", []results.Summary{cell("a", 1, percent(100)), cell("a", 2, percent(180)), cell("b", 32, missing)}, 2},
	} {
		f := sheet.New(results.Finding{Summaries: c.cells})
		lines, _ := seriesOf(f, quantity{get: func(s results.Summary) results.Interval { return s.PercentSerial }, write: results.Number.Percent}, true)
		if d := PercentOfSerial(f); d.Empty() != (c.drawn == 0) {
			t.Errorf("%s: empty is %v", c.name, d.Empty())
		}
		if n := len(levelsOf(lines)); c.drawn > 0 && n != c.drawn {
			t.Errorf("%s: %d levels of N are drawn", c.name, n)
		}
	}
}
