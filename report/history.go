package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/figure"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// mostHistory is how many runs the table has columns for: the first, and the last.
const mostHistory = 5

// HistoryText writes cells over several runs for a terminal, the worst first.
func HistoryText(w io.Writer, h *results.History, o TextOptions) error {
	buffer := bufio.NewWriter(w)
	out := paper.New(buffer, o.Width, o.Color)
	head, right, rows := historyTable(h, mostHistory)
	grid(out, head, right, rows)
	out.Paragraph("", historyKey(h, mostHistory))
	fmt.Fprintln(buffer)
	textCosts(out, &h.Comparison)
	for _, line := range allNotes(&h.Comparison) {
		out.Paragraph("  ! ", line)
	}
	if text := gatesSentence(h.Comparison.Gates); text != "" {
		out.Paragraph("", text)
	}
	return buffer.Flush()
}

// HistoryHTML writes them as a page: a line a cell over the runs, and the table.
func HistoryHTML(w io.Writer, h *results.History) error {
	view := historyView{page: page{Title: "syncwrite compare", CSS: pageStyle(), Script: script()}, Key: historyKey(h, len(h.Runs)), Costs: costsOf(&h.Comparison), Notes: allNotes(&h.Comparison), Gates: gatesSentence(h.Comparison.Gates)}
	head, right, rows := historyTable(h, len(h.Runs))
	view.Table = tableOfText("Cells over the runs, worst change first", head, right, rows)
	view.Lines = figure.OverRuns(h)
	return writePage(w, "history", view)
}

type historyView struct {
	page
	Lines figure.Drawing
	Table table
	Key   string
	Costs costsView
	Notes []string
	Gates string
}

func historyTable(h *results.History, most int) (head []string, right []bool, rows [][]string) {
	shown := shownRuns(len(h.Runs), most)
	head, right = []string{"cell"}, []bool{false}
	names := sheet.HistoryNames(h)
	for _, i := range shown {
		head, right = append(head, h.Runs[i]), append(right, true)
	}
	head, right = append(head, "last ÷ first", "95 %", "call"), append(right, true, true, false)
	for n, c := range h.Comparison.Changes {
		row := []string{names[n]}
		for _, i := range shown {
			row = append(row, h.Rates[n][i].Median.Rate())
		}
		rows = append(rows, append(row, sheet.RatioOf(c.Ratio.Median), sheet.Span(c.Ratio, sheet.RatioOf), c.Call))
	}
	if slices.ContainsFunc(h.Comparison.Changes, countsLosses) {
		head, right = append(head, "lost"), append(right, true)
		for n, c := range h.Comparison.Changes {
			rows[n] = append(rows[n], lossesText(c))
		}
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

func historyKey(h *results.History, most int) string {
	quotients, moved := "the median of all quotients of their trials,", "; what moves a whole run is in no interval"
	if h.Comparison.Turns {
		quotients, moved = "the middle of the quotients of a new trial and the old one beside it,", ", which took turns, trial by trial"
	}
	text := fmt.Sprintf("Operations a second over %d runs: each column is the median of that run's trials. The ratio, %s and its call are of the last run and the first%s. Same is within the margin%s.", len(h.Runs), quotients, moved, marginText(h.Comparison.Changes))
	if left := len(h.Runs) - most; left > 0 {
		text += fmt.Sprintf(" %d runs between are left out; the page has them (--format html).", left)
	}
	return text
}
