package report

import (
	"maps"
	"slices"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// briefDoubts are those of the cells that the rows show, in words, and a count
// of the others.
func briefDoubts(w *paper.Paper, f sheet.Sheet) {
	shown, others := briefly(f)
	for _, d := range shown {
		w.Paragraph("  ! ", d.Head()+": "+briefWhere(f, d))
	}
	if others > 0 {
		w.Paragraph("  ! ", results.Count(others, "more doubt")+" about other cells"+seeMore)
	}
	if text := sheet.Footnote(f); text != "" {
		w.Paragraph("  * ", text)
	}
}

// mostWhere is how much a line can carry of where a doubt holds, in characters.
const mostWhere = 90

// briefWhere names cells, if they are many those that the verdict's lines rest on
// first, and counts the others.
func briefWhere(f sheet.Sheet, d briefDoubt) string {
	if len(d.all) == len(f.Summaries) {
		return f.Where(d.all)
	}
	if text := f.Where(d.Cells); len(text) <= mostWhere {
		return text + others(len(d.all)-len(d.Cells))
	}
	ranked := slices.Clone(d.Cells)
	told := func(i int) int {
		for _, l := range f.Verdict.Lines {
			if slices.Contains(l.Cells, f.Summaries[i].Cell()) {
				return 0
			}
		}
		return 1
	}
	slices.SortStableFunc(ranked, func(a, b int) int { return told(a) - told(b) })
	n := len(ranked)
	for n > 1 && len(f.Where(ranked[:n])) > mostWhere-20 {
		n--
	}
	return f.Where(ranked[:n]) + others(len(d.all)-n)
}

// others counts the cells that are not named.
func others(n int) string {
	if n == 0 {
		return ""
	}
	return " and " + results.Count(n, "other cell")
}

// A briefDoubt names those of all its cells that the verdict speaks of.
type briefDoubt struct {
	sheet.Doubt
	all []int
}

// briefly keeps of the doubts those of the cells that the verdict speaks of, and
// counts the others.
func briefly(f sheet.Sheet) (shown []briefDoubt, others int) {
	cells := briefCells(f)
	for _, d := range sheet.Collect(f) {
		all := d.Cells
		d.Cells = slices.DeleteFunc(slices.Clone(all), func(i int) bool { return !cells[i] })
		if len(d.Cells) == 0 {
			others++
			continue
		}
		shown = append(shown, briefDoubt{d, all})
	}
	return shown, others
}

// briefCells are the cells whose figures the verdict and the rows show: what its
// sentences rest on, and those of the rows at the lowest and the highest N.
func briefCells(f sheet.Sheet) map[int]bool {
	v, levels, shown := f.Verdict, briefLevels(f), map[int]bool{}
	told := slices.Clone(v.Cells)
	rows := map[string]bool{}
	lines, _ := shownLines(f, levels)
	for _, l := range lines {
		told = append(told, l.Cells...)
		for _, name := range l.Variants {
			rows[name] = true
		}
	}
	for _, t := range v.Claims {
		told = append(told, t.Cells...)
	}
	for i, s := range f.Summaries {
		ends := s.Goroutines == levels[0] || s.Goroutines == levels[len(levels)-1]
		row := rows[s.Variant] && ends && maps.Equal(s.Factors, f.Summaries[0].Factors)
		if row || slices.Contains(told, s.Cell()) {
			shown[i] = true
		}
	}
	return shown
}
