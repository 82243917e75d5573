package figure

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// Each line of a variant over a factor has all its levels, also where bands lie over one
// another so much that each promise has a panel.
func TestThroughputOverAFactor(t *testing.T) {
	promises := map[string]results.Promise{
		"a": {Order: "total", Result: "at-most-once", Survives: "nothing"},
		"b": {Order: "total", Result: "exactly-once", Survives: "nothing"},
	}
	f := results.Finding{Experiment: results.Experiment{Name: "remote", Unit: "message", Over: "buffer"}}
	for _, name := range []string{"a", "b"} {
		f.Experiment.Variants = append(f.Experiment.Variants, results.Variant{Name: name, Promise: promises[name]})
		for _, level := range []string{"16", "1", "4"} {
			f.Summaries = append(f.Summaries, results.Summary{Variant: name, Promise: promises[name], Goroutines: 8, Factors: map[string]string{"buffer": level},
				OpsPerS: results.Interval{Median: 2000, Low: 1000, High: 3000}})
		}
	}
	d := Main(sheet.New(f), sheet.New(f))
	titles := ""
	for _, m := range d.Wide.Marks {
		titles += m.Title + "\n"
	}
	for _, want := range []string{"a, buffer 1: 2.00k ops/s", "a, buffer 16: ", "b, buffer 4: "} {
		if !strings.Contains(titles, want) {
			t.Errorf("no %q in\n%s", want, titles)
		}
	}
	f.Experiment.Over = ""
	if strings.Contains(Main(sheet.New(f), sheet.New(f)).Title, "over buffer") {
		t.Error("drawn over a factor that is not named")
	}
}
