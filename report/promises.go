package report

import (
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// promiseWords are the parts of a promise. Parts that all variants share are
// said once, above the table.
var promiseWords = []struct {
	name string
	get  func(results.Promise) string
}{
	{"order", func(p results.Promise) string { return p.Order }},
	{"result", func(p results.Promise) string { return p.Result }},
	{"survives", func(p results.Promise) string { return p.Survives }},
}

// shared says the part of the promise, and the factors, that hold for the
// whole table.
func shared(f sheet) string {
	var promise []string
	for _, word := range promiseWords {
		if levels := distinct(f.Summaries, word.get); len(levels) == 1 && levels[0] != "" {
			promise = append(promise, word.name+" "+levels[0])
		}
	}
	fixed := fixedLevels(f.Finding)
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

func distinct(summaries []results.Summary, get func(results.Promise) string) []string {
	var all []string
	for _, s := range summaries {
		if word := get(s.Promise); !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

func promiseOf(f sheet, name string) results.Promise {
	for _, s := range f.Summaries {
		if f.label(s) == name {
			return s.Promise
		}
	}
	return results.Promise{}
}

// promisesOf lists the promises, in the order of the table.
func promisesOf(f sheet) []results.Promise {
	var all []results.Promise
	for _, s := range f.Summaries {
		if !slices.Contains(all, s.Promise) {
			all = append(all, s.Promise)
		}
	}
	slices.SortStableFunc(all, func(a, b results.Promise) int { return a.Strength() - b.Strength() })
	return all
}

// promiseTitle says the words of a promise that not all variants share.
func promiseTitle(f sheet, p results.Promise) string {
	var parts []string
	for _, word := range promiseWords {
		if len(distinct(f.Summaries, word.get)) > 1 {
			parts = append(parts, word.name+" "+word.get(p))
		}
	}
	return strings.Join(parts, ", ")
}

// differing are the words of a promise that not all variants share.
func differing(f sheet, p results.Promise) []string {
	var words []string
	for _, word := range promiseWords {
		if len(distinct(f.Summaries, word.get)) > 1 {
			words = append(words, word.get(p))
		}
	}
	return words
}
