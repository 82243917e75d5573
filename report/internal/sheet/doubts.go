package sheet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A Doubt is a warning with all cells that it holds for.
type Doubt struct {
	Text  string
	Cells []int // places among the summaries
}

// Head is what a doubt says before it explains itself.
func (d Doubt) Head() string {
	text, _, _ := strings.Cut(d.Text, ": ")
	return text
}

// general are warnings that hold of nearly every cell beyond the processors. Where they
// hold of all cells at an N they are told once, in a footnote, so that a real doubt is
// seen.
var general = []string{results.WarnProcessors, results.WarnCores, results.WarnEffective}

// Collect gathers the warnings of all cells, so that one sentence stands once, but for
// those of the footnote.
func Collect(f Sheet) []Doubt {
	return gather(f, func(s results.Summary, w results.Warning) bool { return !inFootnote(f, s, w) })
}

// inFootnote reports whether a warning of a cell is one that all cells at its N have,
// or that the plan of the run asked for.
func inFootnote(f Sheet, s results.Summary, w results.Warning) bool {
	if w.Code == results.WarnBrief {
		return true
	}
	if !slices.Contains(general, w.Code) {
		return false
	}
	for _, other := range f.Summaries {
		if other.Goroutines == s.Goroutines && !slices.Contains(other.Warnings, w) {
			return false
		}
	}
	return true
}

func gather(f Sheet, wanted func(results.Summary, results.Warning) bool) []Doubt {
	var all []Doubt
	for i, s := range f.Summaries {
		for _, warning := range s.Warnings {
			if !wanted(s, warning) {
				continue
			}
			at := slices.IndexFunc(all, func(d Doubt) bool { return d.Text == warning.Text })
			if at < 0 {
				at = len(all)
				all = append(all, Doubt{Text: warning.Text})
			}
			all[at].Cells = append(all[at].Cells, i)
		}
	}
	return all
}

// Footnote says the general doubts with the levels of N that they hold at.
func Footnote(f Sheet) string {
	var parts []string
	asked := func(_ results.Summary, w results.Warning) bool { return w.Code == results.WarnBrief }
	all := func(s results.Summary, w results.Warning) bool { return inFootnote(f, s, w) && !asked(s, w) }
	for _, d := range gather(f, asked) {
		parts = append(parts, f.countOf(d)+": "+d.Text)
	}
	for _, d := range gather(f, all) {
		var levels []int
		for _, i := range d.Cells {
			levels = append(levels, f.Summaries[i].Goroutines)
		}
		slices.Sort(levels)
		parts = append(parts, "N = "+Numbers(slices.Compact(levels))+": "+d.Text)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}

// countOf says of how many cells a doubt is.
func (s Sheet) countOf(d Doubt) string {
	if len(d.Cells) == len(s.Summaries) {
		return EveryCell
	}
	return fmt.Sprintf("%d of %d cells", len(d.Cells), len(s.Summaries))
}

// EveryCell is how Where names all of them.
const EveryCell = "every cell"

// Where names cells as briefly as it can: all of them, all variants at some N,
// or each variant with its own.
func (s Sheet) Where(cells []int) string {
	if len(cells) == len(s.Summaries) && len(cells) > 1 {
		return EveryCell
	}
	var names []string
	levels := map[string][]int{}
	for _, i := range cells {
		if name := s.Labels[i]; !slices.Contains(names, name) {
			names = append(names, name)
		}
		levels[s.Labels[i]] = append(levels[s.Labels[i]], s.Summaries[i].Goroutines)
	}
	same := len(names) > 1
	for _, name := range names {
		same = same && slices.Equal(levels[name], levels[names[0]])
	}
	if at := " at N = " + Numbers(levels[names[0]]); same && len(names) == len(s.Series) {
		return "every variant" + at
	} else if same {
		return strings.Join(names, ", ") + at
	}
	var parts []string
	for _, name := range names {
		parts = append(parts, name+" at N = "+Numbers(levels[name]))
	}
	return strings.Join(parts, "; ")
}
