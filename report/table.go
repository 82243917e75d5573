package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// textTable writes the summaries, a blank line between variants.
func textTable(w io.Writer, f results.Finding) {
	if text := shared(f); text != "" {
		paragraph(w, "", text)
	}
	cols := columns(f)
	head, right := heads(cols)
	var rows [][]string
	for i, s := range f.Summaries {
		if i > 0 && label(s, f.Summaries) != label(f.Summaries[i-1], f.Summaries) {
			rows = append(rows, nil)
		}
		rows = append(rows, cells(cols, s))
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
// blank line.
func grid(w io.Writer, head []string, right []bool, rows [][]string) {
	rows = append([][]string{head}, rows...)
	widths := make([]int, len(head))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			if i > 0 {
				line += "  "
			}
			line += pad(cell, widths[i], right[i])
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

func pad(text string, n int, right bool) string {
	if right {
		return spaces(n-width(text)) + text
	}
	return text + spaces(n-width(text))
}

func contains(all []string, one string) bool { return slices.Contains(all, one) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
