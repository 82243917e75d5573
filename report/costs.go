package report

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

const costsTitle = "What an operation takes, where it changed"

// costNames are the words for costs, and how their values are written.
var costNames = []struct {
	cost, name string
	text       func(results.Number) string
}{
	{"mean", "mean latency", results.Number.Nanoseconds},
	{"p99", "p99 of latency", results.Number.Nanoseconds},
	{"allocs", "allocations", results.Number.Three},
}

// costsTable has a row for what an operation takes more or less of, the largest growth first.
func costsTable(c *results.Comparison) (head []string, right []bool, rows [][]string) {
	fixed := sheet.FixedFactors(c.Changes)
	for _, change := range c.Costs {
		if change.Call != results.Worse && change.Call != results.Better {
			continue
		}
		at := results.Change{Experiment: change.Experiment, Variant: change.Variant, Factors: change.Factors, Goroutines: change.Goroutines}
		for _, cost := range costNames {
			if cost.cost == change.Cost {
				rows = append(rows, []string{sheet.ShortName(at, fixed[at.Experiment]), cost.name, cost.text(change.Old.Median), cost.text(change.New.Median),
					sheet.RatioOf(change.Ratio.Median), sheet.Span(change.Ratio, sheet.RatioOf), change.Call})
			}
		}
	}
	return []string{"cell", "cost", "old", "new", "ratio", "95 %", "call"}, []bool{false, false, true, true, true, true, false}, rows
}

// costsNote counts what became of costs; empty where none is known.
func costsNote(c *results.Comparison) string {
	var parts []string
	for _, cost := range costNames {
		count, of := map[string]int{}, 0
		for _, change := range c.Costs {
			if change.Cost == cost.cost {
				count[change.Call]++
				of++
			}
		}
		if of > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s: %d worse, %d better, %d the same, and of %d one cannot tell",
				cost.name, results.Count(of, "cell"), count[results.Worse], count[results.Better], count[results.Same], count[results.CannotTell]))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "What an operation takes: " + strings.Join(parts, "; ") + ". In the closed loop the mean follows throughput."
}
