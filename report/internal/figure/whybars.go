package figure

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// WhyBars shows where goroutine time went in the windows that were looked into, as far as
// their shares are those of the trials.
func WhyBars(f sheet.Sheet) Drawing {
	d := Drawing{
		Name:       "why",
		experiment: f.Experiment.Name,
		Title:      "Where goroutine time went, by a window behind the trials",
		Read:       "Each bar is all time of the N goroutines. What each part was lost at is in the table below; cells that have no bar are told of there, too.",
	}
	var rows []stackedRow
	used := map[string]bool{}
	for _, e := range WhyCells(f) {
		if !e.Shares {
			continue
		}
		for _, p := range e.Parts {
			used[p.Kind] = used[p.Kind] || 100*p.NS >= e.TimeNS // what has less than a hundredth everywhere is not drawn
		}
	}
	kinds := slices.DeleteFunc(timeKinds(), func(k stackedKind) bool { return !used[k.name] })
	for _, e := range WhyCells(f) {
		if !e.Shares {
			continue
		}
		row := stackedRow{name: whyName(f, e)}
		for i, kind := range kinds {
			for _, p := range e.Parts {
				if p.Kind == kind.name {
					row.parts = append(row.parts, stackedPart{i, results.Number(p.NS) / results.Number(e.TimeNS), atPlace(p)})
				}
			}
		}
		rows = append(rows, row)
	}
	return d.stacked(rows, kinds)
}

// WhyCells are the explanations of the cells that a sheet has, in its order.
func WhyCells(f sheet.Sheet) (all []results.Explanation) {
	for _, s := range f.Summaries {
		for _, e := range f.Explained {
			if e.Variant == s.Variant && e.Goroutines == s.Goroutines && results.FactorKey(e.Factors) == results.FactorKey(s.Factors) {
				all = append(all, e)
			}
		}
	}
	return all
}

func whyName(f sheet.Sheet, e results.Explanation) string {
	return fmt.Sprintf("%s, N = %d", f.LabelOf(e.Variant, e.Factors), e.Goroutines)
}

func atPlace(p results.BreakdownPart) string {
	if len(p.Places) == 0 || 2*p.Places[0].NS < p.NS {
		return ""
	}
	return ", most of it at " + p.Places[0].Where
}

// timeKinds are what goroutine time goes to, in the order of a bar.
func timeKinds() []stackedKind {
	const onDark, onLight = "w-dark", "w-light"
	kinds := []stackedKind{
		{results.TimeRunning, "processor", "", onDark},
		{results.TimeForeign, "C", "", onLight},
		{results.TimeCollector, "collector", "", onLight},
		{results.TimeRunnable, "runnable", "", onLight},
		{results.TimeLock, "lock", "", onDark},
		{results.TimeCondition, "condition", "", onLight},
		{results.TimeChannel, "channel", "", onDark},
		{results.TimeSleep, "asleep", "", onLight},
		{results.TimeNetwork, "network", "", onLight},
		{results.TimeSystem, "system", "", onDark},
		{results.TimeFlush, "flush", "", onDark},
		{results.TimeUnknown, "unexplained", "", onLight},
	}
	for i := range kinds {
		kinds[i].class = fmt.Sprintf("w%d", i)
	}
	return kinds
}
