package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// talliesTitle stands above the table of the trials that have no rate.
const talliesTitle = "Trials without a rate: how they went"

// tallyTable is one row a way in which the trials of a cell went. Outcomes are
// long, so swept factors stand with the variant and are no columns.
func tallyTable(tallies []results.Tally) (head []string, right []bool, rows [][]string) {
	label := sheet.Sheet{Swept: sweptInTallies(tallies)}.Label
	for _, t := range tallies {
		rows = append(rows, []string{
			label(results.Summary{Variant: t.Variant, Factors: t.Factors}), fmt.Sprint(t.Goroutines),
			fmt.Sprintf("%d/%d", t.Count, t.Trials), results.Printable(t.Kind + ": " + t.Text),
		})
	}
	return []string{"variant", "N", "trials", "outcome"}, []bool{false, true, true, false}, rows
}

func sweptInTallies(tallies []results.Tally) []string {
	var cells []results.Summary
	for _, t := range tallies {
		cells = append(cells, results.Summary{Factors: t.Factors})
	}
	return sheet.Swept(cells)
}

func textTallies(w *paper.Paper, f results.Finding) {
	if len(f.Tallies) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", talliesTitle)
	head, right, rows := tallyTable(f.Tallies)
	grid(w, head, right, rows)
}

func markdownTallies(w io.Writer, f results.Finding) {
	if len(f.Tallies) == 0 {
		return
	}
	fmt.Fprintf(w, "%s:\n\n", talliesTitle)
	head, right, rows := tallyTable(f.Tallies)
	markdownTable(w, head, right, rows)
}

// magnitude is what a number with a unit of time is sorted by; empty for other
// texts, which sort as they are.
func magnitude(text string) string {
	var n float64
	var unit string
	if _, err := fmt.Sscanf(text, "%g %s", &n, &unit); err != nil {
		return ""
	}
	ns, known := map[string]float64{"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "%": 1}[unit]
	if !known {
		return ""
	}
	return strconv.FormatFloat(n*ns, 'f', -1, 64)
}

// tableOfText is a table of a page from rows that are text already.
func tableOfText(caption string, head []string, right []bool, rows [][]string) table {
	t := table{Caption: caption}
	for i, name := range head {
		t.Head = append(t.Head, headCell{name, right[i]})
	}
	for i, row := range rows {
		var cells []cell
		for i, text := range row {
			cells = append(cells, cell{Text: text, Sort: magnitude(text), Right: right[i]})
		}
		t.Rows = append(t.Rows, tableRow{i > 0 && row[0] != rows[i-1][0], cells})
	}
	return t
}
