package sheet

import (
	"maps"

	"github.com/syncwrite/syncwrite/results"
)

// FixedFactors are, by experiment, the factors with one level in all its
// cells: names leave them out.
func FixedFactors(changes []results.Change) map[string]map[string]string {
	fixed := map[string]map[string]string{}
	for _, c := range changes {
		if _, seen := fixed[c.Experiment]; !seen { // of a cell without factors it is nil
			fixed[c.Experiment] = maps.Clone(c.Factors)
		}
		maps.DeleteFunc(fixed[c.Experiment], func(name, level string) bool { return c.Factors[name] != level })
	}
	return fixed
}

// ShortName names the cell of a change without the factors that are fixed.
func ShortName(c results.Change, fixed map[string]string) string {
	cell, swept := c.Cell(), maps.Clone(c.Factors)
	maps.DeleteFunc(swept, func(name, level string) bool { return fixed[name] == level })
	cell.Factors = results.FactorKey(swept)
	return cell.Name()
}

// HistoryNames names the cells of a history.
func HistoryNames(h *results.History) []string {
	fixed := FixedFactors(h.Comparison.Changes)
	var names []string
	for _, c := range h.Comparison.Changes {
		names = append(names, results.Printable(ShortName(c, fixed[c.Experiment])))
	}
	return names
}
