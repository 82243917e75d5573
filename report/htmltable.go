package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// A table of a page. The first column names the row.
type table struct {
	Caption string
	Head    []headCell
	Rows    []tableRow
}

// A tableRow opens a group where its variant is another than in the row above.
type tableRow struct {
	Opens bool
	Cells []cell
}

type headCell struct {
	Text  string
	Right bool
}

// A cell shows Text and is sorted by Sort, or by Text where that is empty.
type cell struct {
	Text  string
	Sort  string
	Right bool
	Marks []lettered // doubts about the row
}

// Prose reports whether a cell has sentences, which are broken into lines.
func (c cell) Prose() bool { return len(c.Text) > 80 }

// A lettered doubt is a doubt with the letter that cells refer to it by.
type lettered struct {
	ID, Letter, Text, Where string
}

// An htmlColumn is a column with a value to sort by; nil sorts by the text.
type htmlColumn struct {
	column
	value func(results.Summary) results.Number
}

// cellTables shows every cell twice: what is asked first, and the rest.
func cellTables(f sheet.Sheet, id string) (first, rest table) {
	names, promise := keyColumns(f), promiseColumns(f)
	if sheet.Open(f) {
		first = tableOf(f, id, "Every cell: the response is from when an operation was due to its end, the service from its own start", concat(names, responseColumns(), lostColumn(f), promise))
		rest = tableOf(f, id, "The same cells: tail, memory, processor", concat(names, moreColumns(), promise))
		return first, rest
	}
	first = tableOf(f, id, "Every cell: median of its trials", concat(names, mainColumns(), requestColumn(f), lostColumn(f), promise))
	rest = tableOf(f, id, "The same cells: tail, memory, processor", concat(names, moreColumns(), promise))
	return first, rest
}

func concat(parts ...[]htmlColumn) []htmlColumn {
	var all []htmlColumn
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// keyColumns name the cell: variant, swept factors, N.
func keyColumns(f sheet.Sheet) []htmlColumn {
	all := []htmlColumn{{column{"variant", false, func(s results.Summary) string { return s.Variant }}, nil}}
	for _, factor := range sheet.Swept(f.Summaries) {
		all = append(all, htmlColumn{column{factor, true, func(s results.Summary) string { return s.Factors[factor] }}, nil})
	}
	return append(all, number("N", func(n results.Number) string { return strconv.Itoa(int(n)) },
		func(s results.Summary) results.Number { return results.Number(s.Goroutines) }))
}

// promiseColumns are the words of the promise that variants do not share; the
// others stand above the table.
func promiseColumns(f sheet.Sheet) []htmlColumn {
	var all []htmlColumn
	for _, word := range sheet.PromiseWords {
		if len(sheet.Distinct(f.Summaries, word.Get)) > 1 {
			all = append(all, htmlColumn{column{word.Name, false, func(s results.Summary) string { return word.Get(s.Promise) }}, nil})
		}
	}
	return all
}

func mainColumns() []htmlColumn {
	return []htmlColumn{
		number("ops/s", results.Number.Rate, func(s results.Summary) results.Number { return s.OpsPerS.Median }),
		interval("95 % interval", results.Number.Rate, func(s results.Summary) results.Interval { return s.OpsPerS }),
		number("mean", results.Number.Nanoseconds, func(s results.Summary) results.Number { return s.MeanNS.Median }),
		quantileColumn("p50", sheet.P50, func(s results.Summary) results.Number { return s.P50NS }),
		quantileColumn("p99", sheet.P99, func(s results.Summary) results.Number { return s.P99NS }),
		number("% of serial", bare, func(s results.Summary) results.Number { return s.PercentSerial.Median }),
		interval("95 % interval", bare, func(s results.Summary) results.Interval { return s.PercentSerial }),
	}
}

// responseColumns are those of the open loop.
func responseColumns() []htmlColumn {
	return []htmlColumn{
		number("due/s", results.Number.Rate, func(s results.Summary) results.Number { return s.Open.DuePerS }),
		number("done/s", results.Number.Rate, func(s results.Summary) results.Number { return s.Open.DonePerS }),
		number("unsent", whole, func(s results.Summary) results.Number { return results.Number(s.Open.Unsent) }),
		quantileColumn("p50", sheet.P50, func(s results.Summary) results.Number { return s.P50NS }),
		quantileColumn("p99", sheet.P99, func(s results.Summary) results.Number { return s.P99NS }),
		number("service p99", results.Number.Nanoseconds, func(s results.Summary) results.Number { return s.Open.ServeNS }),
		number("send lag p99", results.Number.Nanoseconds, func(s results.Summary) results.Number { return s.Open.LagNS }),
		number("generator late, p99", results.Number.Nanoseconds, func(s results.Summary) results.Number { return s.Open.LateNS }),
	}
}

// whole writes what is counted.
func whole(n results.Number) string { return strconv.Itoa(int(n)) }

func moreColumns() []htmlColumn {
	return []htmlColumn{
		number("trials", whole, func(s results.Summary) results.Number { return results.Number(s.Trials) }),
		number("effective N", results.Number.Three, func(s results.Summary) results.Number { return s.Effective }),
		interval("mean, 95 %", results.Number.Nanoseconds, func(s results.Summary) results.Interval { return s.MeanNS }),
		quantileColumn("p90", sheet.P90, func(s results.Summary) results.Number { return s.P90NS }),
		quantileColumn("p99.9", sheet.P999, func(s results.Summary) results.Number { return s.P999NS }),
		number("max", results.Number.Nanoseconds, func(s results.Summary) results.Number { return s.MaxNS }),
		number("allocs/op", results.Number.Three, func(s results.Summary) results.Number { return s.AllocsPerOp }),
		number("bytes/op", results.Number.Three, func(s results.Summary) results.Number { return s.BytesPerOp }),
		number("reads and writes/op", results.Number.Three, func(s results.Summary) results.Number { return s.IOCallsPerOp }),
		number("CPU/op", results.Number.Nanoseconds, func(s results.Summary) results.Number { return s.CPUNSPerOp }),
		number("switches/op", switches, func(s results.Summary) results.Number { return s.SwitchesPerOp }),
		number("GC of CPU", sheet.Share, func(s results.Summary) results.Number { return s.GCShare }),
		number("guard busy", sheet.Share, func(s results.Summary) results.Number { return s.BusyShare }),
		number("accepted/s", results.Number.Rate, func(s results.Summary) results.Number { return s.AcceptedPerS.Median }),
		number("naive reading", results.Number.Rate, func(s results.Summary) results.Number { return s.Naive }),
	}
}

// lostColumn is there where a variant counts what it loses.
func lostColumn(f sheet.Sheet) []htmlColumn {
	if !sheet.Counted(f) {
		return nil
	}
	return []htmlColumn{number("lost", results.Number.Share, sheet.Lost)}
}

// requestColumn is there where a variant counts its requests to a service.
func requestColumn(f sheet.Sheet) []htmlColumn {
	if !sheet.Asked(f) {
		return nil
	}
	return []htmlColumn{number("ops/request", results.Number.Three, sheet.OpsPerCall)}
}

// bare is a percentage under a head that says so.
func bare(n results.Number) string { return strings.TrimSuffix(n.Percent(), " %") }

// switches writes context switches per operation, of which a fast operation
// has few.
func switches(n results.Number) string {
	if n > 0 && n < 0.01 {
		return "<0.01"
	}
	return n.Three()
}

func number(name string, write func(results.Number) string, get func(results.Summary) results.Number) htmlColumn {
	return htmlColumn{column{name, true, func(s results.Summary) string { return write(get(s)) }}, get}
}

// quantileColumn writes what quantile does and sorts by the value.
func quantileColumn(name string, write func(results.Summary) string, get func(results.Summary) results.Number) htmlColumn {
	return htmlColumn{column{name, true, write}, get}
}

// interval is a column that sorts by the lower bound.
func interval(name string, write func(results.Number) string, get func(results.Summary) results.Interval) htmlColumn {
	return htmlColumn{
		column{name, true, func(s results.Summary) string { return sheet.Span(get(s), write) }},
		func(s results.Summary) results.Number { return get(s).Low },
	}
}

func tableOf(f sheet.Sheet, id, caption string, cols []htmlColumn) table {
	t := table{Caption: caption}
	for _, c := range cols {
		t.Head = append(t.Head, headCell{c.name, c.right})
	}
	doubts, behind := letteredDoubts(f, id), len(keyColumns(f)) // seen without scrolling
	if len(doubts) > 0 {
		t.Head = slices.Insert(t.Head, behind, headCell{"doubts", false})
	}
	for i, s := range f.Summaries {
		var row []cell
		for _, c := range cols {
			row = append(row, cellOf(c, s))
		}
		if len(doubts) > 0 {
			row = slices.Insert(row, behind, marked(s, doubts))
		}
		opens := i > 0 && f.Label(s) != f.Label(f.Summaries[i-1])
		t.Rows = append(t.Rows, tableRow{opens, row})
	}
	return t
}

func cellOf(c htmlColumn, s results.Summary) cell {
	one := cell{Text: c.cell(s), Right: c.right}
	if c.value == nil {
		return one
	}
	if v := c.value(s); v.Known() {
		one.Sort = strconv.FormatFloat(float64(v), 'g', 4, 64)
	} else {
		one.Sort = "?"
	}
	return one
}

// marked is the cell with the letters of all doubts about a row.
func marked(s results.Summary, doubts []lettered) cell {
	c := cell{}
	for _, d := range doubts {
		if slices.ContainsFunc(s.Warnings, func(w results.Warning) bool { return w.Text == d.Text }) {
			c.Marks = append(c.Marks, d)
		}
	}
	c.Sort = strconv.Itoa(len(c.Marks))
	return c
}

// letteredDoubts are the doubts of collect, in its order.
func letteredDoubts(f sheet.Sheet, id string) []lettered {
	var all []lettered
	for i, d := range sheet.Collect(f) {
		letter := strconv.Itoa(i + 1)
		if i < 26 {
			letter = string(rune('a' + i))
		}
		all = append(all, lettered{id + "-doubt-" + letter, letter, d.Text, f.Where(d.Cells)})
	}
	return all
}

// Gaps reports whether a number of the table is missing.
func (t table) Gaps() bool {
	return slices.ContainsFunc(t.Rows, func(r tableRow) bool {
		return slices.ContainsFunc(r.Cells, func(c cell) bool { return c.Text == "–" })
	})
}

func causeTable(f sheet.Sheet) table {
	t := table{Caption: "Where goroutine time went, at each variant's highest N"}
	for i, name := range sheet.CauseHead {
		t.Head = append(t.Head, headCell{strings.TrimSuffix(name, "*"), sheet.CauseRight[i]})
	}
	for _, row := range sheet.CauseRows(f) {
		var cells []cell
		for i, text := range row {
			cells = append(cells, cell{Text: text, Sort: sortable(text), Right: sheet.CauseRight[i]})
		}
		t.Rows = append(t.Rows, tableRow{false, cells})
	}
	return t
}

// sortable is the number that a text of causeRows begins with.
func sortable(text string) string {
	var n float64
	if _, err := fmt.Sscanf(text, "%g", &n); err != nil {
		return ""
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}
