package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// History sets the cells that the first and the last of several runs share side by
// side over all of them. What changed is told from the first to the last, as Compare
// tells it, and like that it does not ask whether runs may be compared: see [Unlike].
// Doubts about the runs between are added to those of the two.
func History(runs ...*results.Run) *results.History {
	h := &results.History{Comparison: results.Comparison{Geomean: results.Missing()}}
	var cells []map[results.Cell][]results.Trial
	layout := layoutOf(runs)
	for i, run := range runs {
		h.Runs = append(h.Runs, began(run, i, layout))
		cells = append(cells, byCell(run))
	}
	if len(runs) < 2 {
		return h
	}
	h.Comparison = *Compare(runs[0], runs[len(runs)-1])
	c, last := &h.Comparison, len(runs)-1
	for i := 1; i < last; i++ {
		between := runs[i]
		c.Warnings = slices.Concat(c.Warnings, runWarnings(between), unread(between), failures(between), doubtsOf(between, h.Runs[i], cells[i]))
		for cell := range cells[i] {
			text := cell.Name() + " is in neither the first run nor the last"
			if cells[0][cell] == nil && cells[last][cell] == nil && !slices.Contains(c.Only, text) {
				c.Only = append(c.Only, text)
			}
		}
	}
	slices.Sort(c.Only)
	for _, change := range c.Changes {
		var rates []results.Interval
		for _, of := range cells {
			rates = append(rates, interval(stats.MedianInterval(each(of[change.Cell()], results.Trial.OpsPerS), Confidence)))
		}
		h.Rates = append(h.Rates, rates)
	}
	return h
}

// layoutOf leaves the year out where all runs began in one.
func layoutOf(runs []*results.Run) string {
	years := map[int]bool{}
	for _, run := range runs {
		if len(run.Envs) > 0 && !run.Envs[0].Start.IsZero() {
			years[run.Envs[0].Start.UTC().Year()] = true
		}
	}
	if len(years) > 1 {
		return "2006-01-02"
	}
	return "01-02 15:04"
}

// began names a run by when it did.
func began(run *results.Run, i int, layout string) string {
	if len(run.Envs) > 0 && !run.Envs[0].Start.IsZero() {
		return run.Envs[0].Start.UTC().Format(layout)
	}
	return "run " + strconv.Itoa(i+1)
}

// doubtsOf says which cells of a run between are not to be trusted, and why.
func doubtsOf(run *results.Run, name string, cells map[results.Cell][]results.Trial) []results.Warning {
	of := map[string][]string{}
	for cell, trials := range cells {
		if doubt := (side{run, trials}).doubt(); doubt != "" {
			of[doubt] = append(of[doubt], cell.Name())
		}
	}
	var all []results.Warning
	for _, doubt := range slices.Sorted(maps.Keys(of)) {
		slices.Sort(of[doubt])
		all = append(all, results.Warning{Code: results.WarnDisturbed, Text: fmt.Sprintf("in the run of %s %s: %s", name, doubt, capped(of[doubt]))})
	}
	return all
}
