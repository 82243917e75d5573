package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// textTable writes the summaries, a blank line between variants.
func textTable(w *paper.Paper, f sheet.Sheet) {
	if text := sheet.Shared(f); text != "" {
		w.Paragraph("", text)
	}
	cols := columns(f)
	head, right := heads(cols)
	var rows [][]string
	many := len(f.Series) < len(f.Labels)
	for i, s := range f.Summaries {
		rows = append(rows, cells(cols, s))
		if many && f.Ends(i) && i+1 < len(f.Summaries) {
			rows = append(rows, nil)
		}
	}
	grid(w, head, right, rows)
}

func heads(cols []column) (head []string, right []bool) {
	for _, c := range cols {
		head, right = append(head, c.name), append(right, c.right)
	}
	return head, right
}

func cells(cols []column, s results.Summary) []string {
	var row []string
	for _, c := range cols {
		row = append(row, c.cell(s))
	}
	return row
}

// grid writes rows in columns as wide as their widest cell; an empty row is a
// blank line. Where that is too wide for a terminal numbers move to their
// units, then columns move together, and if it is still too wide, what stands
// in the first column gets lines of its own, and the others as many as they need.
func grid(w *paper.Paper, head []string, right []bool, rows [][]string) {
	all := append([][]string{head}, rows...)
	for _, gap := range []int{2, 1} {
		if widths := columnWidths(all); fits(w, widths, gap) {
			lines(w, all, right, widths, gap)
			return
		}
		all = append([][]string{head}, compact(rows, right)...)
	}
	if widths := columnWidths(all); fits(w, widths, 1) || len(head) < 3 {
		lines(w, all, right, widths, 1)
		return
	}
	stacked(w, head, right, rows)
}

// columnWidths returns the widths of the columns.
func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], paper.Columns(cell))
		}
	}
	return widths
}

func fits(p *paper.Paper, widths []int, gap int) bool {
	total := gap * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	return total <= p.Width
}

func lines(w *paper.Paper, rows [][]string, right []bool, widths []int, gap int) {
	for _, row := range rows {
		line(w, row, right, widths, gap)
	}
}

func line(w *paper.Paper, row []string, right []bool, widths []int, gap int) {
	text := ""
	for i, cell := range row {
		if i > 0 {
			text += paper.Spaces(gap)
		}
		text += pad(cell, widths[i], right[i])
	}
	fmt.Fprintln(w, strings.TrimRight(text, " "))
}

// compact takes the space out between numbers and their units.
func compact(rows [][]string, right []bool) [][]string {
	var all [][]string
	for _, row := range rows {
		row = slices.Clone(row)
		for i, cell := range row {
			if right[i] {
				row[i] = strings.ReplaceAll(cell, " ", "")
			}
		}
		all = append(all, row)
	}
	return all
}

// stacked writes the first column above the rows that share it. All pieces of a row
// stand together, before the next row begins.
func stacked(w *paper.Paper, head []string, right []bool, rows [][]string) {
	all, gap := append([][]string{head}, rows...), 2
	widths := columnWidths(all)
	pieces := inPieces(w, widths, gap)
	if len(pieces) > 1 {
		all = append([][]string{head}, compact(rows, right)...)
		widths = columnWidths(all)
		if pieces, gap = inPieces(w, widths, 1), 1; len(pieces) > 1 {
			pieces, gap = inPieces(w, widths, 2), 2
		}
	}
	for i, row := range all {
		if row == nil {
			fmt.Fprintln(w)
			continue
		}
		if i < 2 || all[i-1] == nil || all[i-1][0] != row[0] {
			fmt.Fprintln(w, row[0])
		}
		for _, p := range pieces {
			line(w, row[p.from:p.to], right[p.from:p.to], widths[p.from:p.to], gap)
		}
	}
}

// A piece is columns that have room in one line.
type piece struct{ from, to int }

// inPieces is the columns behind the first, as many in a piece as a line has room for.
func inPieces(p *paper.Paper, widths []int, gap int) []piece {
	var all []piece
	for from := 1; from < len(widths); {
		to := from + 1
		for to < len(widths) && fits(p, widths[from:to+1], gap) {
			to++
		}
		all = append(all, piece{from, to})
		from = to
	}
	return all
}

func pad(text string, n int, right bool) string {
	if right {
		return paper.Spaces(n-paper.Columns(text)) + text
	}
	return text + paper.Spaces(n-paper.Columns(text))
}
