package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// History sets the cells that the first and the last of several runs share side by
// side over all of them. What changed is told from the first to the last, as Compare
// tells it, and like that it does not ask whether runs may be compared: see [Unlike].
// Doubts about the runs between are added to those of the two.
func History(runs ...*results.Run) *results.History {
	h := &results.History{Runs: begins(runs), Comparison: results.Comparison{Geomean: results.Missing()}}
	var cells []map[results.Cell][]results.Trial
	for _, run := range runs {
		cells = append(cells, byCell(run))
	}
	if len(runs) < 2 {
		return h
	}
	last := len(runs) - 1
	h.Comparison = *compare(runs[0], runs[last], inRun(h.Runs[0]), inRun(h.Runs[last]))
	c := &h.Comparison
	for i := 1; i < last; i++ {
		between := runs[i]
		c.Warnings = slices.Concat(c.Warnings, doubtsAbout(between, inRun(h.Runs[i])), doubtsBetween(between, h.Runs[i], cells[i]))
	}
	c.Warnings = append(c.Warnings, turnsBetween(h.Runs, runs)...)
	c.Only = onlyIn(h.Runs, cells)
	for _, change := range c.Changes {
		var rates []results.Interval
		for _, of := range cells {
			rates = append(rates, interval(stats.MedianInterval(each(of[change.Cell()], results.Trial.OpsPerS), Confidence)))
		}
		h.Rates = append(h.Rates, rates)
	}
	return h
}

// turnsBetween says which runs took turns that are not the last and the first.
func turnsBetween(names []string, runs []*results.Run) (all []results.Warning) {
	last := len(runs) - 1
	for newer := range runs {
		for older := range newer {
			if tookTurns(runs[older], runs[newer]) && (older > 0 || newer < last) {
				text := fmt.Sprintf("the runs of %s and %s took turns, trial by trial; compare tells more of these two alone: it holds their trials to one another in pairs", names[older], names[newer])
				all = append(all, results.Warning{Code: results.WarnTurns, Text: text})
			}
		}
	}
	return all
}

// onlyIn says of the cells without a row, which are those that the first run or the last
// lacks, in which runs they are.
func onlyIn(runs []string, cells []map[results.Cell][]results.Trial) []string {
	in := map[results.Cell][]string{}
	for i, of := range cells {
		for cell := range of {
			in[cell] = append(in[cell], runs[i])
		}
	}
	first, last := cells[0], cells[len(cells)-1]
	var all []string
	for cell, names := range in {
		switch {
		case first[cell] != nil && last[cell] != nil:
		case len(names) == 1:
			all = append(all, fmt.Sprintf("%s is %s only", cell.Name(), inRun(names[0])))
		default:
			all = append(all, fmt.Sprintf("%s is in %d of %d runs only: %s", cell.Name(), len(names), len(runs), capped(names)))
		}
	}
	slices.Sort(all)
	return all
}

// begins name the runs by when they began, as briefly as tells them apart: without
// the year where it is one, with seconds and, if that is not enough, with their places
// where two began in the same minute.
func begins(runs []*results.Run) []string {
	layouts := []string{"01-02 15:04", "01-02 15:04:05"}
	if years(runs) > 1 {
		layouts = []string{"2006-01-02", "2006-01-02 15:04", "2006-01-02 15:04:05"}
	}
	var names []string
	for _, layout := range layouts {
		names = nil
		for i, run := range runs {
			names = append(names, began(run, i, layout))
		}
		if len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(runs) {
			return names
		}
	}
	for i := range names {
		names[i] = placed(i)
	}
	return names
}

func years(runs []*results.Run) int {
	all := map[int]bool{}
	for _, run := range runs {
		if len(run.Envs) > 0 && !run.Envs[0].Start.IsZero() {
			all[run.Envs[0].Start.UTC().Year()] = true
		}
	}
	return len(all)
}

// began names a run by when it did.
func began(run *results.Run, i int, layout string) string {
	if len(run.Envs) > 0 && !run.Envs[0].Start.IsZero() {
		return run.Envs[0].Start.UTC().Format(layout)
	}
	return placed(i)
}

func placed(i int) string { return "run " + strconv.Itoa(i+1) }

// inRun names a run in a doubt of it.
func inRun(name string) string {
	if strings.HasPrefix(name, "run ") {
		return "in " + name
	}
	return "in the run of " + name
}

// doubtsBetween says which cells of a run between are not to be trusted, and why.
func doubtsBetween(run *results.Run, name string, cells map[results.Cell][]results.Trial) []results.Warning {
	of := map[string][]string{}
	for cell, trials := range cells {
		for _, doubt := range (side{run: run, trials: trials}).doubts() {
			of[doubt] = append(of[doubt], cell.Name())
		}
	}
	var all []results.Warning
	for _, doubt := range slices.Sorted(maps.Keys(of)) {
		slices.Sort(of[doubt])
		all = append(all, results.Warning{Code: results.WarnDisturbed, Text: fmt.Sprintf("%s %s: %s", inRun(name), doubt, capped(of[doubt]))})
	}
	return all
}
