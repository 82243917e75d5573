package report

import (
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A doubt is a warning with all cells that it holds for.
type doubt struct {
	text  string
	cells []int // places among the summaries
}

// head is what a doubt says before it explains itself.
func (d doubt) head() string {
	text, _, _ := strings.Cut(d.text, ": ")
	return text
}

// general are warnings that hold of nearly every cell beyond the processors. They
// are told once, in a footnote, so that a real doubt is seen.
var general = []string{results.WarnProcessors, results.WarnEffective}

// collect gathers the warnings of all cells, so that one sentence stands once,
// but for the general ones.
func collect(f sheet) []doubt {
	return gather(f, func(w results.Warning) bool { return !slices.Contains(general, w.Code) })
}

func gather(f sheet, wanted func(results.Warning) bool) []doubt {
	var all []doubt
	for i, s := range f.Summaries {
		for _, warning := range s.Warnings {
			if !wanted(warning) {
				continue
			}
			at := slices.IndexFunc(all, func(d doubt) bool { return d.text == warning.Text })
			if at < 0 {
				at = len(all)
				all = append(all, doubt{text: warning.Text})
			}
			all[at].cells = append(all[at].cells, i)
		}
	}
	return all
}

// footnote says the general doubts with the levels of N that they hold at.
func footnote(f sheet) string {
	var parts []string
	for _, d := range gather(f, func(w results.Warning) bool { return slices.Contains(general, w.Code) }) {
		var levels []int
		for _, i := range d.cells {
			levels = append(levels, f.Summaries[i].Goroutines)
		}
		slices.Sort(levels)
		parts = append(parts, "N = "+numbers(slices.Compact(levels))+": "+d.text)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "; ") + "."
}

// everyCell is how where names all of them.
const everyCell = "every cell"

// where names cells as briefly as it can: all of them, all variants at some N,
// or each variant with its own.
func (s sheet) where(cells []int) string {
	if len(cells) == len(s.Summaries) && len(cells) > 1 {
		return everyCell
	}
	var names []string
	levels := map[string][]int{}
	for _, i := range cells {
		if name := s.labels[i]; !slices.Contains(names, name) {
			names = append(names, name)
		}
		levels[s.labels[i]] = append(levels[s.labels[i]], s.Summaries[i].Goroutines)
	}
	same := len(names) > 1
	for _, name := range names {
		same = same && slices.Equal(levels[name], levels[names[0]])
	}
	if at := " at N = " + numbers(levels[names[0]]); same && len(names) == len(s.series) {
		return "every variant" + at
	} else if same {
		return strings.Join(names, ", ") + at
	}
	var parts []string
	for _, name := range names {
		parts = append(parts, name+" at N = "+numbers(levels[name]))
	}
	return strings.Join(parts, "; ")
}
