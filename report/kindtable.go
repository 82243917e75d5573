package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// kindsTitle stands above the table of the kinds of operations.
const kindsTitle = "By kind of request, all trials together: what failed is counted, and is in no other figure"

// A kindColumn is taken from one kind of a cell, and of all its trials' time in seconds.
type kindColumn struct {
	name string
	wide bool // left out where there is no room
	cell func(k results.Kind, seconds float64) string
}

func kindColumns() []kindColumn {
	time := func(name string, wide bool, get func(results.Latency) results.Number) kindColumn {
		return kindColumn{name, wide, func(k results.Kind, _ float64) string { return get(k.Latency).Nanoseconds() }}
	}
	quantile := func(name string, wide bool, q float64, get func(results.Latency) results.Number) kindColumn {
		return kindColumn{name, wide, func(k results.Kind, _ float64) string {
			if l := k.Latency; l.Hist != nil && l.Hist.Carried(q) <= float64(l.FloorNS) {
				return "≤ " + l.FloorNS.Nanoseconds()
			}
			return get(k.Latency).Nanoseconds()
		}}
	}
	return []kindColumn{
		{"answered", false, func(k results.Kind, _ float64) string { return fmt.Sprint(k.Ops) }},
		{"failed", false, func(k results.Kind, _ float64) string { return fmt.Sprint(k.Failed()) }},
		{"per s", false, func(k results.Kind, s float64) string { return results.Number(float64(k.Ops) / s).Rate() }},
		time("mean", false, func(l results.Latency) results.Number { return l.MeanNS }),
		quantile("p50", false, 0.5, func(l results.Latency) results.Number { return l.P50NS }),
		quantile("p90", true, 0.9, func(l results.Latency) results.Number { return l.P90NS }),
		quantile("p99", false, 0.99, func(l results.Latency) results.Number { return l.P99NS }),
		quantile("p99.9", true, 0.999, func(l results.Latency) results.Number { return l.P999NS }),
		time("max", false, func(l results.Latency) results.Number { return l.MaxNS }),
		{"bytes", false, func(k results.Kind, _ float64) string {
			return results.Number(float64(k.Bytes) / float64(k.Ops)).Three()
		}},
		{"bytes/s", true, func(k results.Kind, s float64) string { return results.Number(float64(k.Bytes) / s).Rate() }},
	}
}

// kindTable has a row a kind of each cell; none where operations are of one kind.
func kindTable(f sheet.Sheet, wide bool) (head []string, right []bool, rows [][]string) {
	cols := kindColumns()
	head, right = []string{"request"}, []bool{false}
	several := len(f.Summaries) > 1
	if several {
		head, right = []string{"variant", "request"}, []bool{false, false}
	}
	for _, c := range cols {
		if wide || !c.wide {
			head, right = append(head, c.name), append(right, true)
		}
	}
	for _, s := range f.Summaries {
		seconds := 0.0
		for _, t := range runsOf(f, s) {
			seconds += float64(t.RateNS()) / 1e9
		}
		for _, k := range s.Kinds {
			row := []string{results.Printable(k.Name)}
			if several {
				row = []string{f.Label(s), row[0]}
				if len(sheet.LevelsOf(f.Summaries)) > 1 {
					row[0] += fmt.Sprintf(" N = %d", s.Goroutines)
				}
			}
			for _, c := range cols {
				if wide || !c.wide {
					row = append(row, c.cell(k, seconds))
				}
			}
			rows = append(rows, row)
		}
	}
	return head, right, rows
}

// mostReasons is how many reasons of a kind are told.
const mostReasons = 5

// failures says of each kind why requests failed, and how often.
func failures(f sheet.Sheet) []string {
	var all []string
	for _, s := range f.Summaries {
		for _, k := range s.Kinds {
			var parts []string
			reasons := k.Reasons()
			for _, reason := range reasons[:min(len(reasons), mostReasons)] {
				parts = append(parts, fmt.Sprintf("%s (%d)", results.Printable(reason), k.Failures[reason]))
			}
			if more := len(reasons) - mostReasons; more > 0 {
				parts = append(parts, fmt.Sprintf("and %d other reasons", more))
			}
			if len(parts) > 0 {
				of := fmt.Sprintf("at N = %d", s.Goroutines)
				if len(f.Summaries) > 1 {
					of = f.Label(s) + " " + of
				}
				all = append(all, fmt.Sprintf("%s of %d %s, %s, failed: %s", results.Number(float64(k.Failed())/float64(k.Ops+k.Failed())).Share(),
					k.Ops+k.Failed(), results.Printable(k.Name), of, strings.Join(parts, ", ")))
			}
		}
	}
	return all
}

// plain reports whether the table of cells says all that there is: one kind at most, none
// that failed, and not the open loop, whose table has neither mean nor maximum.
func plain(f sheet.Sheet) bool {
	for _, s := range f.Summaries {
		if len(s.Kinds) > 1 || s.Failed > 0 || len(s.Kinds) > 0 && s.Open != nil {
			return false
		}
	}
	return true
}

func textKinds(w *paper.Paper, f sheet.Sheet) {
	head, right, rows := kindTable(f, false)
	if len(rows) == 0 {
		return
	}
	title := "By kind of request"
	if levels := sheet.LevelsOf(f.Summaries); len(levels) == 1 {
		title += fmt.Sprintf(", at N = %d", levels[0])
	}
	w.Paragraph("", title)
	grid(w, head, right, rows)
	fmt.Fprintln(w)
	for _, text := range failures(f) {
		w.Paragraph("  ! ", text)
	}
}

func markdownKinds(w io.Writer, f sheet.Sheet) {
	head, right, rows := kindTable(f, true)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "%s\n\n", kindsTitle)
	markdownTable(w, head, right, rows)
	list(w, failures(f))
}
