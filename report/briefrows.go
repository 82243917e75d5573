package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A briefColumn is taken from the cells of a variant at the lowest and the
// highest N.
type briefColumn struct {
	name string
	cell func(first, last *results.Summary) string
	// twice: two others, or the verdict, say the same.
	twice bool
}

// of takes a text from a cell; one that is missing has none.
func of(s *results.Summary, text func(results.Summary) string) string {
	if s == nil {
		return "–"
	}
	return text(*s)
}

func briefColumns(fewest, most int) []briefColumn {
	at := func(n int) string { return fmt.Sprintf("N = %d", n) }
	rate := func(s results.Summary) string { return s.OpsPerS.Median.Rate() + "/s" }
	highest := func(name string, text func(results.Summary) string) briefColumn {
		return briefColumn{name: name, cell: func(_, s *results.Summary) string { return of(s, text) }}
	}
	var all []briefColumn
	if fewest < most {
		all = append(all, briefColumn{name: at(fewest), cell: func(s, _ *results.Summary) string { return of(s, rate) }})
	}
	all = append(all, highest(at(most), rate),
		highest("95 %", func(s results.Summary) string { return sheet.Span(s.OpsPerS, results.Number.Rate) }))
	if fewest < most {
		gains := highest(fmt.Sprintf("%d vs 1", most), func(s results.Summary) string { return timesOf(s.PercentSerial.Median) })
		gains.twice = true
		all = append(all, gains)
	}
	return append(all, highest(fmt.Sprintf("p99 at %d", most), sheet.P99), highest("mostly", mostly))
}

// timesOf writes percent of the serial rate as a factor.
func timesOf(percent results.Number) string {
	if !percent.Known() {
		return "–"
	}
	return (percent / 100).Three() + "×"
}

// mostly names the largest part of goroutine time.
func mostly(s results.Summary) string {
	text, most, lock, rest, c := "–", results.Number(0), "lock", "other waits", s.Cause
	if c.Shared {
		lock = "process's locks"
	}
	if !s.Blocked().Known() {
		rest = "not told apart"
	}
	for _, part := range []struct {
		name  string
		share results.Number
	}{{"CPU", c.CPU}, {lock, c.Lock}, {"runnable", c.Scheduler}, {rest, c.Unexplained}} {
		if part.share.Known() && part.share > most {
			text, most = part.name+" "+sheet.Share(part.share), part.share
		}
	}
	return text
}

// briefRows writes the rows below their promises. Columns that the terminal has
// no room for are left out, first one that the verdict repeats, then the last.
func briefRows(w *paper.Paper, f sheet.Sheet) {
	levels := briefLevels(f)
	all := briefColumns(levels[0], levels[len(levels)-1])
	columns := fitting(w, f, all, levels)
	rows, labels, left := promiseRows(f, columns, levels)
	if without := missing(all, columns); len(without) > 0 {
		left = strings.TrimSpace(left + " No room for \"" + strings.Join(without, "\", \"") + "\"" + seeMore)
	}
	right := []bool{false}
	for _, c := range columns {
		right = append(right, c.name != "mostly")
	}
	var text strings.Builder
	lines(paper.New(&text, w.Width, false), rows, right, columnWidths(rows), 2)
	for i, line := range strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n") {
		if label := labels[i-1]; label != "" {
			fmt.Fprintln(w, w.Bold(label))
		}
		fmt.Fprintln(w, line)
	}
	if left != "" {
		w.Paragraph("", left)
	}
	fmt.Fprintln(w)
}

// fitting are the columns that there is room for: of as many as can be, those that nothing
// else repeats; else the first ones.
func fitting(w *paper.Paper, f sheet.Sheet, all []briefColumn, levels []int) []briefColumn {
	for most := len(all); most > 1; most-- {
		first := all[:most]
		once := slices.DeleteFunc(slices.Clone(first), func(c briefColumn) bool { return c.twice })
		for _, columns := range [][]briefColumn{first, once} {
			if rows, _, _ := promiseRows(f, columns, levels); fits(w, columnWidths(rows), 2) {
				return columns
			}
		}
	}
	return all[:1]
}

// missing names the columns that are left out.
func missing(all, columns []briefColumn) (names []string) {
	for _, c := range all {
		if !slices.ContainsFunc(columns, func(shown briefColumn) bool { return shown.name == c.name }) {
			names = append(names, c.name)
		}
	}
	return names
}

// promiseRows are the table's head and the fastest of each promise, the labels of the first
// rows of each, without the head, and a word on what is left out.
func promiseRows(f sheet.Sheet, columns []briefColumn, levels []int) (rows [][]string, labels map[int]string, left string) {
	labels = map[int]string{}
	factors := f.Summaries[0].Factors
	head := []string{"variant"}
	for _, c := range columns {
		head = append(head, c.name)
	}
	rows = [][]string{head}
	shown, more := shownLines(f, levels)
	for _, l := range shown {
		if l.Promise != "" && len(l.Variants) > 0 {
			labels[len(rows)-1] = l.Promise
		}
		for _, name := range l.Variants {
			row := []string{"  " + results.Printable(name)}
			first, last := f.Cell(name, factors, levels[0]), f.Cell(name, factors, levels[len(levels)-1])
			for _, c := range columns {
				row = append(row, c.cell(first, last))
			}
			rows = append(rows, row)
		}
	}
	var parts []string
	if more > 0 {
		parts = append(parts, fmt.Sprintf("%s left out", results.Count(more, "more variant")))
	}
	if len(f.Swept) > 0 {
		parts = append(parts, "other levels of "+strings.Join(f.Swept, ", ")+" not shown")
	}
	if len(parts) > 0 {
		left = strings.Join(parts, "; ") + seeMore
	}
	return rows, labels, left
}

// shownLines are the verdict's, and one of what it is not about, each with the variants that
// have a row; more is how many have none.
func shownLines(f sheet.Sheet, levels []int) (shown []results.Line, more int) {
	under, between := below(f, levels)
	for _, l := range slices.Concat(f.Verdict.Lines, []results.Line{under}) {
		most, variants := rowsOf(f.Experiment), l.Variants
		l.Variants = nil
		for i, name := range variants {
			if i >= most && len(variants) > most+1 && !claimed(f, name) { // a single row takes no more than the word on it
				more++
				continue
			}
			l.Variants = append(l.Variants, name)
		}
		shown = append(shown, l)
	}
	return shown, more + between
}

// below are the variants that were measured at the lowest N and not at the highest, nor ended by
// an error: a serial benchmark beside parallel ones. The verdict is not of them. Between is
// how many were measured at neither, or only at other levels of a factor.
func below(f sheet.Sheet, levels []int) (l results.Line, between int) {
	highest := levels[len(levels)-1]
	l.Promise = fmt.Sprintf("Not measured at N = %d", highest)
	factors, seen := f.Summaries[0].Factors, map[string]bool{}
	for _, s := range f.Summaries {
		ended := slices.ContainsFunc(f.Finding.Errors(), func(o results.Outcome) bool { return o.Variant == s.Variant })
		if f.Cell(s.Variant, factors, highest) != nil || ended || seen[s.Variant] {
			continue
		}
		seen[s.Variant] = true
		if f.Cell(s.Variant, factors, levels[0]) == nil {
			between++
		} else {
			l.Variants = append(l.Variants, s.Variant)
		}
	}
	return l, between
}

// claimed reports whether a claim is about a variant.
func claimed(f sheet.Sheet, variant string) bool {
	return slices.ContainsFunc(f.Verdict.Claims, func(c results.Tested) bool { return c.Claim.Of.Variant == variant || c.Claim.To.Variant == variant })
}

// rowsOf is how many rows a promise gets.
func rowsOf(e results.Experiment) int {
	if e.Apart {
		return mostApart
	}
	return mostRows
}

// briefLevels are the levels of N that the verdict's factors were measured at.
func briefLevels(f sheet.Sheet) []int {
	return sheet.LevelsOf(slices.DeleteFunc(slices.Clone(f.Summaries), func(s results.Summary) bool {
		return !maps.Equal(s.Factors, f.Summaries[0].Factors)
	}))
}
