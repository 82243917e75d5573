package report

import (
	"fmt"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A column of the table of summaries: text and Markdown share them, so that
// they can never tell different things.
type column struct {
	name  string
	right bool
	cell  func(results.Summary) string
}

func columns(f sheet.Sheet) []column {
	all := []column{{"variant", false, func(s results.Summary) string { return results.Printable(s.Variant) }}}
	for _, factor := range f.Swept {
		all = append(all, column{factor, true, func(s results.Summary) string { return results.Printable(s.Factors[factor]) }})
	}
	if sheet.Open(f) {
		all = append(all, openColumns(f)...)
	} else {
		all = append(all, closedColumns()...)
	}
	if sheet.Asked(f) {
		all = append(all, column{"ops/request", true, func(s results.Summary) string { return sheet.OpsPerCall(s).Three() }},
			column{"CPU/op", true, func(s results.Summary) string { return s.CPUNSPerOp.Nanoseconds() }})
	}
	if sheet.Counted(f) {
		all = append(all, column{"lost", true, func(s results.Summary) string { return sheet.Lost(s).Share() }})
	}
	return append(all, promiseWords(f)...)
}

// closedColumns are those of the closed loop.
func closedColumns() []column {
	return []column{
		{"N", true, func(s results.Summary) string { return fmt.Sprint(s.Goroutines) }},
		{"ops/s", true, func(s results.Summary) string { return s.OpsPerS.Median.Rate() }},
		{"interval", true, func(s results.Summary) string { return sheet.Span(s.OpsPerS, results.Number.Rate) }},
		{"mean", true, func(s results.Summary) string { return s.MeanNS.Median.Nanoseconds() }},
		{"p50", true, sheet.P50},
		{"p99", true, sheet.P99},
		{"serial", true, func(s results.Summary) string { return s.PercentSerial.Median.Percent() }},
	}
}

// promiseWords are those that variants do not share.
func promiseWords(f sheet.Sheet) []column {
	var all []column
	for _, word := range sheet.PromiseWords {
		if len(sheet.Distinct(f.Summaries, word.Get)) > 1 {
			all = append(all, column{word.Name, false, func(s results.Summary) string { return results.Printable(sheet.Dash(word.Get(s.Promise))) }})
		}
	}
	return all
}

// openColumns are those of the open loop.
func openColumns(f sheet.Sheet) []column {
	time := func(name string, get func(results.Summary) results.Number) column {
		return column{name, true, func(s results.Summary) string { return get(s).Nanoseconds() }}
	}
	var all []column
	if len(sheet.LevelsOf(f.Summaries)) > 1 {
		all = append(all, column{"at once", true, func(s results.Summary) string { return fmt.Sprint(s.Goroutines) }})
	}
	all = append(all, []column{
		{"done/s", true, func(s results.Summary) string { return s.Open.DonePerS.Rate() }},
		{"unsent", true, func(s results.Summary) string { return fmt.Sprint(s.Open.Unsent) }},
		time("p50", func(s results.Summary) results.Number { return s.P50NS }),
		time("p99", func(s results.Summary) results.Number { return s.P99NS }),
		time("service", func(s results.Summary) results.Number { return s.Open.ServeNS }),
		time("late", func(s results.Summary) results.Number { return s.Open.LateNS }),
	}...)
	return all
}
