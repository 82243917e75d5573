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
	{"p99", "p99 latency", results.Number.Nanoseconds},
	{"allocs", "allocations", results.Number.Three},
}

// costsTable has a row for what an operation takes more or less of, the largest growth first. A mean
// latency is left out where the cell's rate is called: in the closed loop the one follows the other.
func costsTable(c *results.Comparison) (head []string, right []bool, rows [][]string) {
	fixed, called := sheet.FixedFactors(c.Changes), map[results.Cell]bool{}
	for _, change := range c.Changes {
		called[change.Cell()] = change.Call == results.Worse || change.Call == results.Better
	}
	for _, change := range c.Costs {
		if change.Call != results.Worse && change.Call != results.Better || change.Cost == "mean" && called[change.Cell()] {
			continue
		}
		at := results.Change{Experiment: change.Experiment, Variant: change.Variant, Factors: change.Factors, Goroutines: change.Goroutines}
		for _, cost := range costNames {
			if cost.cost == change.Cost {
				rows = append(rows, []string{sheet.ShortName(at, fixed[at.Experiment]), cost.name, cost.text(change.Old.Median), cost.text(change.New.Median),
					change.Ratio.Median.Three(), sheet.Span(change.Ratio, results.Number.Three), change.Call})
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
	return "What an operation takes: " + strings.Join(parts, "; ") + ". The table leaves a mean out where the rate is called."
}
