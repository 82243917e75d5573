package report

import (
	"slices"
	"strconv"

	"github.com/syncwrite/syncwrite/report/internal/figure"
	"github.com/syncwrite/syncwrite/results"
)

// A comparisonView is the comparison as a page shows it, behind the verdict.
type comparisonView struct {
	Alone    bool // thresholds of one run: there is no older one
	Sentence string
	Kept     []string // thresholds of one run that it keeps
	Failed   []string // thresholds that did not hold, or cannot be told
	Ratios   figure.Drawing
	Pooled   *table // variants over their levels of N
	Table    table
	Costs    costsView
	Key      string // what the columns mean
	Notes    []string
}

func comparisonOf(c *results.Comparison) *comparisonView {
	v := &comparisonView{Alone: c.Alone(), Sentence: comparisonSentence(c), Key: figure.Tight(comparisonKey(c)), Kept: slices.Concat(causesOf(c), gatesKept(c)), Failed: gatesToSee(c), Ratios: figure.Ratios(c), Notes: slices.Concat(overridden(c), comparisonNotes(c))}
	if head, right, rows := pooledTable(c); len(rows) > 0 {
		t := tableOfText(pooledTitle, head, right, rows)
		v.Pooled = &t
	}
	v.Costs = costsOf(c)
	head, right, rows := comparisonTable(c)
	if len(rows) == 0 {
		return v
	}
	v.Table.Caption = "Cells in both runs, worst first"
	for i, text := range head {
		v.Table.Head = append(v.Table.Head, headCell{Text: text, Right: right[i]})
	}
	for i, row := range rows {
		v.Table.Rows = append(v.Table.Rows, tableRow{Cells: comparisonCells(row, right, c.Changes[i])})
	}
	return v
}

// A costsView is what operations take, where it changed.
type costsView struct {
	Table *table
	Note  string
}

func costsOf(c *results.Comparison) costsView {
	v := costsView{Note: figure.Tight(costsNote(c))}
	if head, right, rows := costsTable(c); len(rows) > 0 {
		t := tableOfText(costsTitle, head, right, rows)
		v.Table = &t
	}
	return v
}

// comparisonCells are the cells of one change; numbers sort by their value.
func comparisonCells(row []string, right []bool, c results.Change) []cell {
	values := []results.Number{1: c.Old.Median, 2: c.New.Median, 3: c.Ratio.Median, 4: c.Ratio.Low, 5: c.P, 6: c.Least}
	var cells []cell
	for i, text := range row {
		one := cell{Text: text, Right: right[i]}
		if 0 < i && i < len(values) && values[i].Known() {
			one.Sort = strconv.FormatFloat(float64(values[i]), 'g', -1, 64)
		}
		cells = append(cells, one)
	}
	return cells
}
