package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/syncwrite/syncwrite/results"
)

// A column of the table of summaries: text and Markdown share them, so that
// they can never tell different things.
type column struct {
	name  string
	right bool
	cell  func(results.Summary) string
}

func columns(f results.Finding) []column {
	all := []column{{"variant", false, func(s results.Summary) string { return s.Variant }}}
	for _, factor := range swept(f.Summaries) {
		all = append(all, column{factor, true, func(s results.Summary) string { return s.Factors[factor] }})
	}
	all = append(all,
		column{"N", true, func(s results.Summary) string { return fmt.Sprint(s.Goroutines) }},
		column{"ops/s", true, func(s results.Summary) string { return s.OpsPerS.Median.Rate() }},
		column{"95 % interval", true, func(s results.Summary) string { return span(s.OpsPerS, results.Number.Rate) }},
		column{"mean", true, func(s results.Summary) string { return s.MeanNS.Median.Nanoseconds() }},
		column{"p50", true, func(s results.Summary) string { return s.P50NS.Nanoseconds() }},
		column{"p99", true, func(s results.Summary) string { return s.P99NS.Nanoseconds() }},
		column{"serial", true, func(s results.Summary) string { return s.PercentSerial.Median.Percent() }},
	)
	for _, word := range promiseWords {
		if len(distinct(f.Summaries, word.get)) > 1 {
			all = append(all, column{word.name, false, func(s results.Summary) string { return word.get(s.Promise) }})
		}
	}
	return all
}

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
func shared(f results.Finding) string {
	var promise, fixed []string
	for _, word := range promiseWords {
		if levels := distinct(f.Summaries, word.get); len(levels) == 1 && levels[0] != "" {
			promise = append(promise, word.name+" "+levels[0])
		}
	}
	variable := swept(f.Summaries)
	for _, factor := range f.Experiment.Factors {
		if !contains(variable, factor.Name) && len(f.Summaries) > 0 {
			fixed = append(fixed, factor.Name+" "+f.Summaries[0].Factors[factor.Name])
		}
	}
	var parts []string
	if len(promise) > 0 {
		parts = append(parts, "Every variant promises: "+strings.Join(promise, ", ")+".")
	}
	if len(fixed) > 0 {
		parts = append(parts, "Held fixed: "+strings.Join(fixed, ", ")+".")
	}
	return strings.Join(parts, " ")
}

func distinct(summaries []results.Summary, get func(results.Promise) string) []string {
	var all []string
	for _, s := range summaries {
		if word := get(s.Promise); !contains(all, word) {
			all = append(all, word)
		}
	}
	return all
}

// swept lists the factors that have more than one level, in order of name.
func swept(summaries []results.Summary) []string {
	levels := map[string][]string{}
	for _, s := range summaries {
		for name, level := range s.Factors {
			if !contains(levels[name], level) {
				levels[name] = append(levels[name], level)
			}
		}
	}
	var all []string
	for _, name := range sortedKeys(levels) {
		if len(levels[name]) > 1 {
			all = append(all, name)
		}
	}
	return all
}

// span writes an interval as low–high, with the unit once where both share it.
func span(i results.Interval, write func(results.Number) string) string {
	if !i.Bounded() {
		return "–"
	}
	low, high := write(i.Low), write(i.High)
	if unit := high[len(high)-1:]; unit > "9" && strings.HasSuffix(low, unit) {
		low = strings.TrimSuffix(low, unit)
	}
	return low + "–" + high
}

func width(text string) int { return utf8.RuneCountInString(text) }

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// words splits at spaces; a number stays with its unit.
func words(text string) []string { return strings.Fields(text) }
