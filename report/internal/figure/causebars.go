package figure

import (
	"fmt"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// CauseBars shows where goroutine time went, at each variant's highest N.
func CauseBars(f sheet.Sheet) Drawing {
	d := Drawing{
		Name:       "causes",
		experiment: f.Experiment.Name,
		Title:      "Where goroutine time went, at each variant's highest N",
		Read:       strings.Replace(sheet.CauseNotes(f), "* ", "Unexplained: ", 1) + " The parts come from different sources: they can pass 100 % by a few points, and nothing is then left unexplained.",
	}
	var rows []stackedRow
	for _, s := range causeCells(f) {
		row := stackedRow{name: fmt.Sprintf("%s, N = %d", f.Label(s), s.Goroutines)}
		for i, part := range causeParts() {
			row.parts = append(row.parts, stackedPart{kind: i, share: part.get(s.Cause)})
		}
		rows = append(rows, row)
	}
	var kinds []stackedKind
	for i, part := range causeParts() {
		kinds = append(kinds, stackedKind{name: part.name, class: fmt.Sprintf("p%d", i), inside: fmt.Sprintf("i%d", i)})
	}
	return d.stacked(rows, kinds)
}

// causeCells are the cells of causeRows: the last of each variant, where
// causes were measured.
func causeCells(f sheet.Sheet) []results.Summary {
	var cells []results.Summary
	for i, s := range f.Summaries {
		last := i+1 == len(f.Summaries) || f.Label(f.Summaries[i+1]) != f.Label(s)
		if last && s.Cause.Unexplained.Known() {
			cells = append(cells, s)
		}
	}
	return cells
}

// causeParts are the parts of a bar, in their order.
func causeParts() []struct {
	name string
	get  func(results.Cause) results.Number
} {
	return []struct {
		name string
		get  func(results.Cause) results.Number
	}{
		{"CPU", func(c results.Cause) results.Number { return c.CPU }},
		{"parked at lock", func(c results.Cause) results.Number { return c.Lock }},
		{"runnable", func(c results.Cause) results.Number { return c.Scheduler }},
		{"unexplained", func(c results.Cause) results.Number { return c.Unexplained }},
	}
}
