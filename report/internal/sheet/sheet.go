package sheet

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A Sheet is a finding with what every part of a report asks of it.
type Sheet struct {
	results.Finding
	Swept  []string // factors with more than one level, by name
	Labels []string // of each summary: its variant with the swept levels
	Series []string // the labels, each once
}

// New reads a finding.
func New(f results.Finding) Sheet {
	s := Sheet{Finding: f, Swept: Swept(withFactors(f))}
	for _, sum := range f.Summaries {
		label := s.Label(sum)
		s.Labels = append(s.Labels, label)
		if !slices.Contains(s.Series, label) {
			s.Series = append(s.Series, label)
		}
	}
	return s
}

// withFactors are the summaries, and what has no rate with the levels of its factors.
func withFactors(f results.Finding) []results.Summary {
	all := slices.Clone(f.Summaries)
	for _, t := range f.Tallies {
		all = append(all, results.Summary{Factors: t.Factors})
	}
	for _, o := range f.Errors() {
		all = append(all, results.Summary{Factors: o.Factors})
	}
	return all
}

// Errors tell of the variants that an error ended, or that failed now and then.
func (s Sheet) Errors() []string {
	var all []string
	for _, o := range s.Finding.Errors() {
		name := s.LabelOf(o.Variant, o.Factors)
		all = append(all, fmt.Sprintf("%s %s at N = %d: %s", name, o.Words(), o.Goroutines, o.Text))
	}
	return all
}

// Label names the line of a summary: its variant with the swept levels.
func (s Sheet) Label(sum results.Summary) string { return s.LabelOf(sum.Variant, sum.Factors) }

// LabelOf names the line of a variant at these levels of its factors.
func (s Sheet) LabelOf(variant string, factors map[string]string) string {
	parts := []string{variant}
	for _, name := range s.Swept {
		if level, has := factors[name]; has {
			parts = append(parts, name+"="+level)
		}
	}
	return results.Printable(strings.Join(parts, " "))
}

// Open reports whether the finding is of the open loop, all of it.
func Open(f Sheet) bool {
	closed := func(s results.Summary) bool { return s.Open == nil }
	return len(f.Summaries) > 0 && !slices.ContainsFunc(f.Summaries, closed)
}

// Ends reports whether the summary is the last of its variant: at its highest
// N.
func (s Sheet) Ends(i int) bool { return i+1 == len(s.Labels) || s.Labels[i+1] != s.Labels[i] }

// Swept lists the factors that have more than one level, in order of name.
func Swept(summaries []results.Summary) []string {
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

// Cell finds a summary; nil if there is none.
func (s Sheet) Cell(variant string, factors map[string]string, n int) *results.Summary {
	for i, sum := range s.Summaries {
		if sum.Variant == variant && sum.Goroutines == n && maps.Equal(sum.Factors, factors) {
			return &s.Summaries[i]
		}
	}
	return nil
}

// LevelsOf are the levels of N, lowest first.
func LevelsOf(summaries []results.Summary) []int {
	var levels []int
	for _, s := range summaries {
		if !slices.Contains(levels, s.Goroutines) {
			levels = append(levels, s.Goroutines)
		}
	}
	slices.Sort(levels)
	return levels
}

// Numbers writes levels as "1, 2, 4".
func Numbers(levels []int) string {
	var all []string
	for _, n := range levels {
		all = append(all, fmt.Sprint(n))
	}
	return strings.Join(all, ", ")
}

// Counted reports whether a variant counts operations that it lost.
func Counted(f Sheet) bool {
	return slices.ContainsFunc(f.Summaries, func(s results.Summary) bool { return s.LostShare != nil })
}

// Lost is the share of operations that were lost, missing where none may be.
func Lost(s results.Summary) results.Number {
	if s.LostShare == nil {
		return results.Missing()
	}
	return s.LostShare.Median
}

// Asked reports whether a variant counts its requests to a service.
func Asked(f Sheet) bool {
	return slices.ContainsFunc(f.Summaries, func(s results.Summary) bool { return s.OpsPerCall != nil })
}

// OpsPerCall is how many operations one request to a service was for, missing where
// nobody counts.
func OpsPerCall(s results.Summary) results.Number {
	if s.OpsPerCall == nil {
		return results.Missing()
	}
	return *s.OpsPerCall
}

// At is where the verdict holds: its levels, and those of the factors that stand still.
func At(f results.Finding) string {
	fixed := FixedLevels(f)
	if len(fixed) == 0 || f.Verdict.At == "" {
		return f.Verdict.At
	}
	return f.Verdict.At + " (" + strings.Join(fixed, ", ") + ")"
}

// FixedLevels are the levels of the factors that stand still.
func FixedLevels(f results.Finding) []string {
	var fixed []string
	if len(f.Summaries) == 0 {
		return nil
	}
	many := Swept(f.Summaries)
	for _, factor := range f.Experiment.Factors {
		if level := f.Summaries[0].Factors[factor.Name]; level != "" && !slices.Contains(many, factor.Name) {
			fixed = append(fixed, factor.Name+" "+level)
		}
	}
	return fixed
}
