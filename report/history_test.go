package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// history is one of so many runs, of a cell that gets slower and one that a run
// lacks.
func history(runs int) *results.History {
	h := &results.History{}
	var slow, gap []results.Interval
	for i := range runs {
		h.Runs = append(h.Runs, fmt.Sprintf("11-%02d 10:00", i+1))
		rate := results.Number(1e6 / float64(i+1))
		slow = append(slow, results.Interval{Median: rate, Low: rate * 0.9, High: rate * 1.1})
		gap = append(gap, results.NoInterval())
	}
	h.Rates = [][]results.Interval{slow, gap}
	h.Comparison = results.Comparison{Only: []string{"log/async@8 is in the run of 11-01 10:00 only"}, Unlike: []string{"processor: A, then B"},
		Gates: []results.Gate{{Threshold: "log/file@8: at most 5.0 % slower", Status: results.GateFailed, Text: "slower by 50.0 %"}}}
	h.Comparison.Changes = []results.Change{{Experiment: "log", Variant: "file", Goroutines: 8, Ratio: results.Interval{Median: 0.5, Low: 0.4, High: 0.6}, Call: results.Worse},
		{Experiment: "log", Variant: "<b>", Goroutines: 1, Ratio: results.NoInterval(), Doubt: "disturbed", Call: results.CannotTell}}
	h.Comparison.Costs = []results.CostChange{{Experiment: "log", Variant: "file", Goroutines: 8, Cost: "p99", Old: slow[0], New: slow[0], Ratio: results.Interval{Median: 3, Low: 2, High: 4}, Call: results.Worse}}
	return h
}

func TestHistoryIsTold(t *testing.T) {
	for _, runs := range []int{2, 3, 9} {
		var text, page bytes.Buffer
		if err := report.HistoryText(&text, history(runs), report.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		told := strings.Join(strings.Fields(text.String()), " ")
		if err := report.HistoryHTML(&page, history(runs)); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"log/file@8", "0.500", "0.400–0.600", "worse", "cannot tell: disturbed", "log/async@8 is in the run of 11-01 10:00 only", "compared anyway", "Thresholds: 1 failed", "slower by 50.0 %",
			"2.00–4.00", "What an operation takes: p99 latency in 1 cell: 1 worse",
			fmt.Sprintf("11-%02d 10:00", runs), fmt.Sprintf("over %d runs", runs)} {
			if !strings.Contains(told, want) || !strings.Contains(page.String(), want) {
				t.Errorf("%d runs: %q is missing in\n%s", runs, want, text.String())
			}
		}
		if left := strings.Contains(told, "runs between are left out"); left != (runs > 5) {
			t.Errorf("%d runs: left out %v", runs, left)
		}
		if strings.Contains(page.String(), "<b>@1") {
			t.Errorf("%d runs: a name is read as markup", runs)
		}
	}
}

// In a table too wide for the terminal every figure stands below its own cell, and
// what a row says stands together.
func TestWideHistoryKeepsRowsTogether(t *testing.T) {
	h := history(5)
	h.Rates = nil
	for n := range h.Comparison.Changes {
		var rates []results.Interval
		for i := range h.Runs {
			rates = append(rates, results.Interval{Median: results.Number(10*n + i + 1)})
		}
		h.Rates = append(h.Rates, rates)
	}
	for _, runs := range []int{4, 5} {
		h.Runs = h.Runs[:runs]
		for _, width := range []int{60, 80} {
			var out bytes.Buffer
			if err := report.HistoryText(&out, h, report.TextOptions{Width: width}); err != nil {
				t.Fatal(err)
			}
			told := strings.Join(strings.Fields(out.String()), " ")
			want := "log/file@8 1.00 2.00 3.00 4.00 5.00 0.500 0.400–0.600 worse log/<b>@1 11.0 12.0 13.0 14.0 15.0 – – cannot tell"
			if runs == 4 {
				want = strings.NewReplacer(" 5.00", "", " 15.0", "").Replace(want)
			}
			if !strings.Contains(told, want) {
				t.Errorf("%d runs in %d columns: want %q in\n%s", runs, width, want, out.String())
			}
		}
	}
}
