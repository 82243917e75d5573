package figure

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A second in which nothing was answered is drawn as that, and not passed over.
func TestStallIsDrawn(t *testing.T) {
	s := results.Summary{Variant: "a", Goroutines: 2}
	for i, rate := range []results.Number{1000, 1000, 0, 1000} {
		s.Timeline = append(s.Timeline, results.Tick{AtNS: int64(i) * 1e9, Users: 2, OpsPerS: rate, P50NS: results.Missing(), P95NS: results.Missing()})
	}
	f := sheet.New(results.Finding{Experiment: results.Experiment{Name: "load", Unit: "request", Variants: []results.Variant{{Name: "a"}}}, Summaries: []results.Summary{s}})
	all := OverTime(f)
	if len(all) != 3 || all[0].Empty() || !all[1].Empty() || all[2].Empty() {
		t.Fatalf("%d drawings", len(all))
	}
	titles := ""
	for _, m := range all[0].Wide.Marks {
		titles += m.Title + "\n"
	}
	for _, want := range []string{"a, second 1: requests/s 1.00k", "a, second 3: requests/s 0\n", "a, second 4: "} {
		if !strings.Contains(titles, want) {
			t.Errorf("no %q in\n%s", want, titles)
		}
	}
}
