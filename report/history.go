package report

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/syncwrite/syncwrite/report/internal/figure"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// mostHistory is how many runs the table has columns for: the first, and the last.
const mostHistory = 5

// HistoryText writes cells over several runs for a terminal, the worst first.
func HistoryText(w io.Writer, h *results.History, o TextOptions) error {
	buffer := bufio.NewWriter(w)
	out := newPaper(buffer, o)
	head, right, rows := historyTable(h, mostHistory)
	grid(out, head, right, rows)
	paragraph(out, "", historyKey(h))
	return buffer.Flush()
}

// HistoryHTML writes them as a page: a line a cell over the runs, and the table.
func HistoryHTML(w io.Writer, h *results.History) error {
	view := historyView{page: page{Title: "syncwrite compare", CSS: pageStyle(), Script: script()}, Key: historyKey(h)}
	head, right, rows := historyTable(h, len(h.Runs))
	view.Table = tableOfText("Cells over the runs, worst change first", head, right, rows)
	view.Lines = figure.OverRuns(h)
	var out bytes.Buffer
	if err := pageTemplates().ExecuteTemplate(&out, "history", view); err != nil {
		return fmt.Errorf("render the page: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

type historyView struct {
	page
	Lines figure.Drawing
	Table table
	Key   string
}

func historyTable(h *results.History, most int) (head []string, right []bool, rows [][]string) {
	shown := shownRuns(len(h.Runs), most)
	head, right = []string{"cell"}, []bool{false}
	names := sheet.HistoryNames(h)
	for _, i := range shown {
		head, right = append(head, h.Runs[i]), append(right, true)
	}
	head, right = append(head, "last ÷ first", "95 %", "call"), append(right, true, true, false)
	for n, r := range h.Rows {
		row := []string{names[n]}
		for _, i := range shown {
			row = append(row, r.Rates[i].Median.Rate())
		}
		rows = append(rows, append(row, sheet.RatioOf(r.Change.Ratio.Median), sheet.Span(r.Change.Ratio, sheet.RatioOf), r.Change.Call))
	}
	return head, right, rows
}

// shownRuns are the first run and the last ones.
func shownRuns(runs, most int) []int {
	shown := []int{0}
	for i := max(1, runs-most+1); i < runs; i++ {
		shown = append(shown, i)
	}
	return shown
}

func historyKey(h *results.History) string {
	text := fmt.Sprintf("Operations a second, medians of %d runs. The ratio and its call are of the last run and the first; what moves a whole run is in no interval.", len(h.Runs))
	if left := len(h.Runs) - mostHistory; left > 0 {
		text += fmt.Sprintf(" On a terminal %d runs between are left out.", left)
	}
	return text
}
