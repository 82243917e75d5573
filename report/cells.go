package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// A column of the table of summaries: text and Markdown share them, so that
// they can never tell different things.
type column struct {
	name  string
	right bool
	cell  func(results.Summary) string
}

func columns(f sheet) []column {
	all := []column{{"variant", false, func(s results.Summary) string { return results.Printable(s.Variant) }}}
	for _, factor := range f.swept {
		all = append(all, column{factor, true, func(s results.Summary) string { return results.Printable(s.Factors[factor]) }})
	}
	all = append(all,
		column{"N", true, func(s results.Summary) string { return fmt.Sprint(s.Goroutines) }},
		column{"ops/s", true, func(s results.Summary) string { return s.OpsPerS.Median.Rate() }},
		column{"interval", true, func(s results.Summary) string { return span(s.OpsPerS, results.Number.Rate) }},
		column{"mean", true, func(s results.Summary) string { return s.MeanNS.Median.Nanoseconds() }},
		column{"p50", true, p50},
		column{"p99", true, p99},
		column{"serial", true, func(s results.Summary) string { return s.PercentSerial.Median.Percent() }},
	)
	if counted(f) {
		all = append(all, column{"lost", true, func(s results.Summary) string { return lost(s).Share() }})
	}
	for _, word := range promiseWords {
		if len(distinct(f.Summaries, word.get)) > 1 {
			all = append(all, column{word.name, false, func(s results.Summary) string { return results.Printable(dash(word.get(s.Promise))) }})
		}
	}
	return all
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

func distinct(summaries []results.Summary, get func(results.Promise) string) []string {
	var all []string
	for _, s := range summaries {
		if word := get(s.Promise); !slices.Contains(all, word) {
			all = append(all, word)
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
	if unit := high[len(high)-1:]; strings.Contains("kMG", unit) && strings.HasSuffix(low, unit) {
		low = strings.TrimSuffix(low, unit)
	}
	return low + "–" + high
}

func dash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}
