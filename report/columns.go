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
	all = append(all,
		column{"N", true, func(s results.Summary) string { return fmt.Sprint(s.Goroutines) }},
		column{"ops/s", true, func(s results.Summary) string { return s.OpsPerS.Median.Rate() }},
		column{"interval", true, func(s results.Summary) string { return sheet.Span(s.OpsPerS, results.Number.Rate) }},
		column{"mean", true, func(s results.Summary) string { return s.MeanNS.Median.Nanoseconds() }},
		column{"p50", true, sheet.P50},
		column{"p99", true, sheet.P99},
		column{"serial", true, func(s results.Summary) string { return s.PercentSerial.Median.Percent() }},
	)
	if sheet.Counted(f) {
		all = append(all, column{"lost", true, func(s results.Summary) string { return sheet.Lost(s).Share() }})
	}
	for _, word := range sheet.PromiseWords {
		if len(sheet.Distinct(f.Summaries, word.Get)) > 1 {
			all = append(all, column{word.Name, false, func(s results.Summary) string { return results.Printable(sheet.Dash(word.Get(s.Promise))) }})
		}
	}
	return all
}
