package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A sheet is a finding with what every part of a report asks of it.
type sheet struct {
	results.Finding
	swept  []string // factors with more than one level, by name
	labels []string // of each summary: its variant with the swept levels
	series []string // the labels, each once
}

func newSheet(f results.Finding) sheet {
	s := sheet{Finding: f, swept: swept(f.Summaries)}
	for _, sum := range f.Summaries {
		label := s.label(sum)
		s.labels = append(s.labels, label)
		if !slices.Contains(s.series, label) {
			s.series = append(s.series, label)
		}
	}
	return s
}

// label names the line of a summary: its variant with the swept levels.
func (s sheet) label(sum results.Summary) string {
	parts := []string{sum.Variant}
	for _, name := range s.swept {
		if level, has := sum.Factors[name]; has {
			parts = append(parts, name+"="+level)
		}
	}
	return results.Printable(strings.Join(parts, " "))
}

// ends reports whether the summary is the last of its variant: at its highest
// N.
func (s sheet) ends(i int) bool { return i+1 == len(s.labels) || s.labels[i+1] != s.labels[i] }

// swept lists the factors that have more than one level, in order of name.
func swept(summaries []results.Summary) []string {
	first, many := map[string]string{}, map[string]bool{}
	for i, s := range summaries {
		for name, level := range s.Factors {
			if have, known := first[name]; known && have != level || !known && i > 0 {
				many[name] = true
			}
			first[name] = level
		}
		for name := range first {
			if _, has := s.Factors[name]; !has {
				many[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(many))
}

// cell finds a summary; nil if there is none.
func (s sheet) cell(variant string, factors map[string]string, n int) *results.Summary {
	for i, sum := range s.Summaries {
		if sum.Variant == variant && sum.Goroutines == n && maps.Equal(sum.Factors, factors) {
			return &s.Summaries[i]
		}
	}
	return nil
}

func levelsOf(summaries []results.Summary) []int {
	var levels []int
	for _, s := range summaries {
		if !slices.Contains(levels, s.Goroutines) {
			levels = append(levels, s.Goroutines)
		}
	}
	slices.Sort(levels)
	return levels
}

func numbers(levels []int) string {
	var all []string
	for _, n := range levels {
		all = append(all, fmt.Sprint(n))
	}
	return strings.Join(all, ", ")
}

// counted reports whether a variant counts operations that it lost.
func counted(f sheet) bool {
	return slices.ContainsFunc(f.Summaries, func(s results.Summary) bool { return s.LostShare != nil })
}

// lost is the share of operations that were lost, missing where none may be.
func lost(s results.Summary) results.Number {
	if s.LostShare == nil {
		return results.Missing()
	}
	return s.LostShare.Median
}

// fixedLevels are the levels of the factors that stand still.
func fixedLevels(f results.Finding) []string {
	var fixed []string
	if len(f.Summaries) == 0 {
		return nil
	}
	many := swept(f.Summaries)
	for _, factor := range f.Experiment.Factors {
		if level := f.Summaries[0].Factors[factor.Name]; level != "" && !slices.Contains(many, factor.Name) {
			fixed = append(fixed, factor.Name+" "+level)
		}
	}
	return fixed
}
