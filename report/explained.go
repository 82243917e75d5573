package report

import (
	"fmt"
	"strconv"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/figure"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

const whyTitle = "Why, by a window of each cell behind its trials"

func whose(s sheet.Sheet, e results.Explanation) string {
	return s.LabelOf(e.Variant, e.Factors)
}

// whyTable has what each window says.
func whyTable(s sheet.Sheet) (head []string, right []bool, rows [][]string) {
	for _, e := range figure.WhyCells(s) {
		rows = append(rows, []string{whose(s, e), strconv.Itoa(e.Goroutines), e.Text})
	}
	return []string{"variant", "N", "where its goroutines' time went"}, []bool{false, true, false}, rows
}

// textExplained says what traced windows tell of their cells.
func textExplained(w *paper.Paper, s sheet.Sheet, all []results.Explanation) {
	if len(all) == 0 {
		return
	}
	title := whyTitle
	if more := len(s.Explained) - len(all); more > 0 {
		title += fmt.Sprintf("; %d more with --verbose", more)
	}
	fmt.Fprintln(w, title)
	for _, e := range all {
		w.Paragraph("  ", fmt.Sprintf("%s at N = %d: %s", whose(s, e), e.Goroutines, e.Text))
	}
	fmt.Fprintln(w)
}

// mostGoroutines keeps of each variant the breakdown at its highest N.
func mostGoroutines(all []results.Explanation) (most []results.Explanation) {
	at := map[results.Cell]int{}
	for _, e := range all {
		series := e.Cell()
		series.Goroutines = 0
		i, there := at[series]
		switch {
		case !there:
			at[series] = len(most)
			most = append(most, e)
		case e.Goroutines > most[i].Goroutines:
			most[i] = e
		}
	}
	return most
}
