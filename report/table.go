package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// textTable writes the summaries, a blank line between variants.
func textTable(w *paper, f sheet.Sheet) {
	if text := sheet.Shared(f); text != "" {
		paragraph(w, "", text)
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
// in the first column gets lines of its own.
func grid(w *paper, head []string, right []bool, rows [][]string) {
	all := append([][]string{head}, rows...)
	for _, gap := range []int{2, 1} {
		if widths := columnWidths(all); w.fits(widths, gap) {
			lines(w, all, right, widths, gap)
			return
		}
		all = append([][]string{head}, compact(rows, right)...)
	}
	if widths := columnWidths(all); w.fits(widths, 1) || len(head) < 3 {
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
			widths[i] = max(widths[i], width(cell))
		}
	}
	return widths
}

func (p *paper) fits(widths []int, gap int) bool {
	total := gap * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	return total <= p.width
}

func lines(w *paper, rows [][]string, right []bool, widths []int, gap int) {
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			if i > 0 {
				line += spaces(gap)
			}
			line += pad(cell, widths[i], right[i])
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
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

// stacked writes the first column above the rows that share it.
func stacked(w *paper, head []string, right []bool, rows [][]string) {
	fmt.Fprintln(w, head[0])
	var rest [][]string
	above := map[int]string{} // by the number of the line in the grid of the rest
	for i, row := range rows {
		if row == nil {
			rest = append(rest, nil)
			continue
		}
		if i == 0 || rows[i-1] == nil || rows[i-1][0] != row[0] {
			above[len(rest)+1] = row[0]
		}
		rest = append(rest, row[1:])
	}
	var text strings.Builder
	grid(&paper{&text, w.width, false}, head[1:], right[1:], rest)
	for i, line := range strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n") {
		if name, ok := above[i]; ok {
			fmt.Fprintln(w, name)
		}
		fmt.Fprintln(w, line)
	}
}

func pad(text string, n int, right bool) string {
	if right {
		return spaces(n-width(text)) + text
	}
	return text + spaces(n-width(text))
}
