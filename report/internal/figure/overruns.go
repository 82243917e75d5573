package figure

import (
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// OverRuns draws the cells that changed most: a line each, over the runs.
func OverRuns(h *results.History) Drawing {
	f := results.Finding{Experiment: results.Experiment{Name: "compare"}}
	names := sheet.HistoryNames(h)
	for n, rates := range h.Rates[:min(chunk, len(h.Rates))] {
		for i, rate := range rates {
			f.Summaries = append(f.Summaries, results.Summary{Variant: names[n], Goroutines: i + 1, OpsPerS: rate})
		}
	}
	d := Drawing{
		Name: "history", experiment: "compare", Title: "Operations a second over the runs, first to last, log axis",
		Read: "One line a cell, those of the worst change. Bands are 95 % intervals within a run. Runs: " + strings.Join(numbered(h.Runs), ", ") + ".",
	}
	if len(f.Summaries) == 0 {
		return d
	}
	s := sheet.New(f)
	q := quantity{"ops/s", func(s results.Summary) results.Interval { return s.OpsPerS }, results.Number.Rate}
	all, _ := seriesOf(s, q, false)
	scale, ok := logScale(values(all))
	if !ok {
		return d
	}
	return d.both(func(g geometry) picture {
		a := axes{levels: sheet.LevelsOf(f.Summaries), y: scale, tick: tickOf(q.write), rule: noRule(), bands: true, height: 380, over: "runs", even: true}
		return lineFigure(g, a, []panel{{series: all}})
	})
}

func numbered(names []string) []string {
	var all []string
	for i, name := range names {
		all = append(all, strconv.Itoa(i+1)+" = "+name)
	}
	return all
}
