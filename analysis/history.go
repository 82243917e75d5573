package analysis

import (
	"strconv"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// History sets the cells that the first and the last of several runs share side by
// side over all of them. The change is told from the first to the last, as Compare
// tells it. Like that it does not ask whether runs may be compared: see [Unlike].
func History(runs ...*results.Run) *results.History {
	h := &results.History{}
	var cells []map[results.Cell][]results.Trial
	for i, run := range runs {
		h.Runs = append(h.Runs, began(run, i))
		cells = append(cells, byCell(run))
	}
	if len(runs) < 2 {
		return h
	}
	c := Compare(runs[0], runs[len(runs)-1])
	h.Warnings = c.Warnings
	for _, change := range c.Changes {
		row := results.HistoryRow{Cell: change.Cell().Name(), Change: change}
		for _, of := range cells {
			row.Rates = append(row.Rates, interval(stats.MedianInterval(each(of[change.Cell()], results.Trial.OpsPerS), Confidence)))
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

// began names a run by when it did.
func began(run *results.Run, i int) string {
	if len(run.Envs) > 0 && !run.Envs[0].Start.IsZero() {
		return run.Envs[0].Start.UTC().Format("01-02 15:04")
	}
	return "run " + strconv.Itoa(i+1)
}
