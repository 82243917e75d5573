package figure

import (
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A bar is drawn of what is known to be the trials' own, in the order of the table, with each
// part at its share; what has less than a hundredth everywhere has no place in the legend.
func TestWhyBars(t *testing.T) {
	window := func(variant string, n int, shares bool, parts ...results.BreakdownPart) results.Explanation {
		return results.Explanation{Breakdown: results.Breakdown{Experiment: "e", Variant: variant, Goroutines: n, TimeNS: 1000, Parts: parts}, Shares: shares}
	}
	lock := results.BreakdownPart{Kind: results.TimeLock, NS: 750, Places: []results.BreakdownPlace{{Where: "a.go:1", NS: 700}}}
	f := sheet.New(results.Finding{
		Experiment: results.Experiment{Name: "e"},
		Summaries:  []results.Summary{{Variant: "v", Goroutines: 1}, {Variant: "v", Goroutines: 4}},
		Explained: []results.Explanation{
			window("v", 4, true, lock, results.BreakdownPart{Kind: results.TimeSleep, NS: 245}, results.BreakdownPart{Kind: results.TimeRunning, NS: 5}),
			window("v", 1, false, results.BreakdownPart{Kind: results.TimeNetwork, NS: 1000}),
			window("other", 1, true, lock),
		},
	})
	if text := atPlace(lock) + atPlace(results.BreakdownPart{NS: 100, Places: []results.BreakdownPlace{{Where: "a.go:2", NS: 35}}}); text != ", most of it at a.go:1" {
		t.Errorf("%q: a third is not most of it", text)
	}
	d := WhyBars(f)
	var texts, titles []string
	for _, m := range d.Wide.Marks {
		texts, titles = append(texts, m.Text), append(titles, m.Title)
	}
	for _, want := range []string{"v, N = 4", "lock 75 %", results.TimeLock, results.TimeSleep} {
		if !slices.Contains(texts, want) {
			t.Errorf("%q is not drawn: %q", want, texts)
		}
	}
	for _, never := range []string{"v, N = 1", results.TimeNetwork, results.TimeRunning, "other, N = 1"} {
		if slices.Contains(texts, never) {
			t.Errorf("%q is drawn", never)
		}
	}
	if !slices.ContainsFunc(titles, func(s string) bool { return strings.Contains(s, "75 %, most of it at a.go:1") }) {
		t.Errorf("no part names its place: %q", titles)
	}
	if !WhyBars(sheet.New(results.Finding{})).Empty() {
		t.Error("something is drawn of nothing")
	}
}
