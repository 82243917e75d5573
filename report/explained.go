package report

import (
	"fmt"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// textExplained says what traced windows tell of their cells.
func textExplained(w *paper.Paper, s sheet.Sheet, all []results.Explanation) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(w, "Why, by a window of each cell that was traced behind its trials")
	for _, e := range all {
		name := s.Label(results.Summary{Variant: e.Variant, Factors: e.Factors})
		w.Paragraph("  ", fmt.Sprintf("%s at N = %d: %s", name, e.Goroutines, e.Text))
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
