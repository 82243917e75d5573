package sheet

import (
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// PromiseWords are the parts of a promise. Parts that all variants share are
// said once, above the table.
var PromiseWords = []struct {
	Name string
	Get  func(results.Promise) string
}{
	{"order", func(p results.Promise) string { return p.Order }},
	{"result", func(p results.Promise) string { return p.Result }},
	{"survives", func(p results.Promise) string { return p.Survives }},
}

// Shared says the part of the promise, and the factors, that hold for the
// whole table.
func Shared(f Sheet) string {
	var promise []string
	for _, word := range PromiseWords {
		if levels := Distinct(f.Summaries, word.Get); len(levels) == 1 && levels[0] != "" {
			promise = append(promise, word.Name+" "+levels[0])
		}
	}
	fixed := FixedLevels(f.Finding)
	var parts []string
	if len(promise) > 0 {
		parts = append(parts, "Every variant promises: "+strings.Join(promise, ", ")+".")
	}
	if len(fixed) > 0 {
		parts = append(parts, "Held fixed: "+strings.Join(fixed, ", ")+".")
	}
	if slices.ContainsFunc(f.Summaries, func(s results.Summary) bool { return s.OpsPerS.Bounded() }) {
		parts = append(parts, "Intervals are at 95 %.")
	}
	return strings.Join(parts, " ")
}

// Distinct are the different words that promises have for one part.
func Distinct(summaries []results.Summary, get func(results.Promise) string) []string {
	var all []string
	for _, s := range summaries {
		if word := get(s.Promise); !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// PromiseOf is the promise behind a label.
func PromiseOf(f Sheet, name string) results.Promise {
	for _, s := range f.Summaries {
		if f.Label(s) == name {
			return s.Promise
		}
	}
	return results.Promise{}
}

// PromisesOf lists the promises, in the order of the table.
func PromisesOf(f Sheet) []results.Promise {
	var all []results.Promise
	for _, s := range f.Summaries {
		if !slices.Contains(all, s.Promise) {
			all = append(all, s.Promise)
		}
	}
	slices.SortStableFunc(all, func(a, b results.Promise) int { return a.Strength() - b.Strength() })
	return all
}

// PromiseTitle says the words of a promise that not all variants share.
func PromiseTitle(f Sheet, p results.Promise) string {
	var parts []string
	for _, word := range PromiseWords {
		if len(Distinct(f.Summaries, word.Get)) > 1 {
			parts = append(parts, word.Name+" "+word.Get(p))
		}
	}
	return strings.Join(parts, ", ")
}

// Differing are the words of a promise that not all variants share.
func Differing(f Sheet, p results.Promise) []string {
	var words []string
	for _, word := range PromiseWords {
		if len(Distinct(f.Summaries, word.Get)) > 1 {
			words = append(words, word.Get(p))
		}
	}
	return words
}
