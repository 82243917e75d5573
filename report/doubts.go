package report

import (
	"slices"
	"strings"
)

// A doubt is a warning with all cells that it holds for.
type doubt struct{ text, where string }

// collect gathers the warnings of all cells, so that one sentence stands once.
func collect(f sheet) []doubt {
	var all []*cellsOf
	for i, s := range f.Summaries {
		for _, warning := range s.Warnings {
			at := slices.IndexFunc(all, func(c *cellsOf) bool { return c.text == warning.Text })
			if at < 0 {
				at = len(all)
				all = append(all, &cellsOf{text: warning.Text, levels: map[string][]int{}})
			}
			all[at].add(f.labels[i], s.Goroutines)
		}
	}
	var doubts []doubt
	for _, c := range all {
		doubts = append(doubts, doubt{c.text, c.where(f)})
	}
	return doubts
}

// cellsOf are the cells that one warning holds for.
type cellsOf struct {
	text   string
	lines  []string
	levels map[string][]int
	count  int
}

func (c *cellsOf) add(line string, n int) {
	if !slices.Contains(c.lines, line) {
		c.lines = append(c.lines, line)
	}
	c.levels[line] = append(c.levels[line], n)
	c.count++
}

// everyCell is how where names all of them.
const everyCell = "every cell"

// where names the cells of a doubt as briefly as it can: all of them, all
// variants at some N, or each variant with its own.
func (c *cellsOf) where(f sheet) string {
	if c.count == len(f.Summaries) && c.count > 1 {
		return everyCell
	}
	same := len(c.lines) > 1
	for _, line := range c.lines {
		same = same && slices.Equal(c.levels[line], c.levels[c.lines[0]])
	}
	if at := " at N = " + numbers(c.levels[c.lines[0]]); same && len(c.lines) == len(f.lines) {
		return "every variant" + at
	} else if same {
		return strings.Join(c.lines, ", ") + at
	}
	var parts []string
	for _, line := range c.lines {
		parts = append(parts, line+" at N = "+numbers(c.levels[line]))
	}
	return strings.Join(parts, "; ")
}
