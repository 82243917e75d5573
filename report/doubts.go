package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A doubt is a warning with all cells that it holds for.
type doubt struct{ text, where string }

// collect gathers the warnings of all cells, so that one sentence stands once.
func collect(summaries []results.Summary) []doubt {
	type cells struct {
		text     string
		variants []string
		levels   map[string][]int
		count    int
	}
	var all []*cells
	for _, s := range summaries {
		for _, warning := range s.Warnings {
			at := slices.IndexFunc(all, func(c *cells) bool { return c.text == warning.Text })
			if at < 0 {
				at = len(all)
				all = append(all, &cells{text: warning.Text, levels: map[string][]int{}})
			}
			c, name := all[at], label(s, summaries)
			if !contains(c.variants, name) {
				c.variants = append(c.variants, name)
			}
			c.levels[name] = append(c.levels[name], s.Goroutines)
			c.count++
		}
	}
	var doubts []doubt
	for _, c := range all {
		doubts = append(doubts, doubt{c.text, where(c.variants, c.levels, c.count, summaries)})
	}
	return doubts
}

// where names the cells of a doubt as briefly as it can: all of them, all
// variants at some N, or each variant with its own.
func where(variants []string, levels map[string][]int, count int, summaries []results.Summary) string {
	if count == len(summaries) && count > 1 {
		return "every cell"
	}
	same := len(variants) > 1 && len(variants) == len(labels(summaries))
	for _, v := range variants {
		same = same && slices.Equal(levels[v], levels[variants[0]])
	}
	if same {
		return "every variant at N = " + numbers(levels[variants[0]])
	}
	var parts []string
	for _, v := range variants {
		parts = append(parts, v+" at N = "+numbers(levels[v]))
	}
	return strings.Join(parts, "; ")
}

func numbers(levels []int) string {
	var all []string
	for _, n := range levels {
		all = append(all, fmt.Sprint(n))
	}
	return strings.Join(all, ", ")
}

// label names a variant with the levels of the factors that were swept.
func label(s results.Summary, summaries []results.Summary) string {
	parts := []string{s.Variant}
	for _, name := range swept(summaries) {
		parts = append(parts, name+"="+s.Factors[name])
	}
	return strings.Join(parts, " ")
}

// labels lists the lines of a chart: every variant with its factors, once.
func labels(summaries []results.Summary) []string {
	var all []string
	for _, s := range summaries {
		if l := label(s, summaries); !contains(all, l) {
			all = append(all, l)
		}
	}
	return all
}
