package report_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// compared gives a report a comparison with everything that one can hold.
func compared(r *results.Report) *results.Report {
	at := func(median float64) results.Interval {
		m := results.Number(median)
		return results.Interval{Median: m, Low: m * 0.96, High: m * 1.03}
	}
	change := func(variant string, n int, ratio results.Interval, call string) results.Change {
		return results.Change{
			Experiment: "log", Variant: variant, Factors: map[string]string{"payload": "3"}, Goroutines: n,
			Old: at(1e6), New: at(1e6 * float64(ratio.Median)), Ratio: ratio, P: 0.002, Least: 0.03, Call: call,
		}
	}
	r.Comparison = &results.Comparison{
		Changes: []results.Change{
			change("file", 8, at(0.8), results.Worse), change("memory", 8, at(1), results.Same),
			change("memory", 1, results.NoInterval(), results.CannotTell), change("file", 1, at(1.5), results.Better),
		},
		Costs: []results.CostChange{
			{Experiment: "log", Variant: "file", Factors: map[string]string{"payload": "3"}, Goroutines: 1, Cost: "allocs", Old: at(0), New: at(2), Ratio: results.NoInterval(), Call: results.Worse},
			{Experiment: "log", Variant: "file", Factors: map[string]string{"payload": "3"}, Goroutines: 8, Cost: "p99", Old: at(2e6), New: at(5e6), Ratio: at(2.5), Call: results.Worse},
			{Experiment: "log", Variant: "memory", Factors: map[string]string{"payload": "3"}, Goroutines: 8, Cost: "p99", Old: at(2e6), New: at(2e6), Ratio: at(1), Call: results.CannotTell},
		},
		Geomean: 0.97,
		Only:    []string{"log/gone@1 is in the old run only"},
		Unlike:  []string{"Go: go1.25, then go1.26"},
		Gates: []results.Gate{
			{Threshold: "log/file@8: at most 5.0 % slower", Status: results.GateFailed, Text: "slower by 20.0 %, at least 17.6 %"},
			{Threshold: "log/memory@8: at most 5.0 % slower", Status: results.GatePassed, Text: "ratio 1.00"},
			{Threshold: "log/memory@1: at most 5.0 % slower", Status: results.GateUnseen, Text: "too few trials for an interval"},
		},
		Warnings: []results.Warning{{Code: results.WarnUnfinished, Text: "the older run was interrupted"}},
	}
	r.Comparison.Changes[0].Cause = "grew most: waiting for a lock, at file.go:52, 4µs → 9µs of an operation"
	return r
}

// comparisonStatements are what every renderer of a comparison must say.
func comparisonStatements(c *results.Comparison) []string {
	all := append(append([]string{}, c.Only...), c.Unlike...)
	for _, g := range c.Gates {
		if g.Status != results.GatePassed {
			all = append(all, g.Threshold, g.Text)
		}
	}
	for _, w := range c.Warnings {
		all = append(all, w.Text)
	}
	if len(c.Costs) > 0 {
		all = append(all, "2.50", "What an operation takes: p99 latency in 2 cells: 1 worse, 0 better, 0 the same, and of 1 one cannot tell; allocations in 1 cell: 1 worse")
	}
	for _, change := range c.Changes {
		all = append(all, change.Call)
		if change.Cause != "" {
			all = append(all, change.Cause)
		}
	}
	return all
}

// Where losses were counted, every comparison shows them.
func TestComparisonShowsLosses(t *testing.T) {
	lost := results.Interval{Median: 0.85, Low: 0.84, High: 0.86}
	none := results.Interval{}
	for _, counted := range []bool{false, true} {
		c := compared(&results.Report{}).Comparison
		if counted {
			c.Changes[3].OldLost, c.Changes[3].NewLost = &none, &lost
			c.Gates = nil // then JUnit has the changes
		}
		for name, write := range map[string]func(io.Writer) error{
			"text":     func(w io.Writer) error { return report.ComparisonText(w, c, report.TextOptions{}) },
			"markdown": func(w io.Writer) error { return report.ComparisonMarkdown(w, c) },
			"junit":    func(w io.Writer) error { return report.ComparisonJUnit(w, c) },
			"history": func(w io.Writer) error {
				h := &results.History{Runs: []string{"one", "two"}, Comparison: *c}
				for _, change := range c.Changes {
					h.Rates = append(h.Rates, []results.Interval{change.Old, change.New})
				}
				return report.HistoryText(w, h, report.TextOptions{})
			},
		} {
			var out strings.Builder
			if err := write(&out); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(strings.ReplaceAll(out.String(), " ", ""), "0%→85.0%"); got != counted {
				t.Errorf("%s, losses counted: %v\n%s", name, counted, out.String())
			}
			explains := strings.Contains(strings.Join(strings.Fields(out.String()), " "), "those that were kept as well")
			if want := counted && (name == "text" || name == "markdown"); explains != want {
				t.Errorf("%s, losses counted: %v, the interval is explained: %v", name, counted, explains)
			}
		}
	}
}

// The ratio is not that of the columns beside it, and is said not to be.
func TestRatioIsExplained(t *testing.T) {
	var text, several strings.Builder
	c := compared(&results.Report{}).Comparison
	if err := report.ComparisonText(&text, c, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := report.HistoryText(&several, history(3), report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]string{"two runs": text.String(), "several": several.String()} {
		if !strings.Contains(plain(out), "the median of all quotients of") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}

// Whoever meets an inconclusive threshold is told what would settle it.
func TestInconclusiveThresholdsSayWhatHelps(t *testing.T) {
	c := compared(&results.Report{}).Comparison
	told := func() string {
		var out strings.Builder
		if err := report.ComparisonText(&out, c, report.TextOptions{Width: 200}); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	c.Gates = nil
	if text := told(); strings.Contains(text, "what helps") {
		t.Errorf("no threshold, and\n%s", text)
	}
	c.Changes[1].Doubt = "in the newer run others took processor time"
	doubted := c.Changes[1].Cell().Name()
	c.Gates = []results.Gate{{Threshold: doubted + ": at most 1 % slower", Status: results.GateUnseen}}
	if text := told(); !strings.Contains(text, "first what is doubted") || strings.Contains(text, "from least on") {
		t.Errorf("longer windows help no cell that is doubted, and\n%s", text)
	}
	c.Gates[0].Text = c.Changes[1].Doubt
	if text := told(); strings.Count(text, c.Changes[1].Doubt) != 1 {
		t.Errorf("why a cell is doubted is told twice, or not at all:\n%s", text)
	}
	c.Changes[1].Doubt = ""
	for cell, want := range map[string]string{"log/memory/payload=3@8": "here 3 %", "log/file/payload=3@8": "here 20.1 %", "log/gone@1": ""} {
		c.Changes[0].Least = 0.2004
		c.Gates = []results.Gate{{Threshold: cell + ": at most 1 % slower", Status: results.GateUnseen}, {Threshold: "log/file/payload=3@1: at most 1 % slower", Status: results.GatePassed}}
		if text := told(); strings.Contains(text, "what helps") != (want != "") || !strings.Contains(text, want) {
			t.Errorf("%s: want %q in\n%s", cell, want, text)
		}
	}
}

// Cells of which nobody can tell for one reason are told in one line.
func TestInconclusiveThresholdsAreGathered(t *testing.T) {
	for _, cells := range []int{2, 3, 4} {
		c := compared(&results.Report{}).Comparison
		c.Gates = []results.Gate{{Threshold: "log/other@1: at most 1 % slower", Status: results.GatePassed}}
		for n := range cells {
			c.Gates = append(c.Gates, results.Gate{Threshold: fmt.Sprintf("log/file@%d: at most 1 %% slower", n+1), Status: results.GateUnseen, Text: "disturbed"})
		}
		var out strings.Builder
		if err := report.ComparisonText(&out, c, report.TextOptions{Width: 200}); err != nil {
			t.Fatal(err)
		}
		want, lines := "inconclusive: log/file@1: at most 1 % slower: disturbed", cells
		if cells > 2 {
			want, lines = fmt.Sprintf("inconclusive: at most 1 %% slower of %d cells: disturbed — log/file@1, log/file@2, log/file@3", cells), 1
		}
		if text := out.String(); !strings.Contains(text, want) || strings.Count(text, "! inconclusive: ") != lines {
			t.Errorf("%d cells:\n%s", cells, text)
		}
	}
}

// What is advised is not refused: no threshold is 100 % or more.
func TestNoThresholdOfAllIsAdvised(t *testing.T) {
	c := compared(&results.Report{}).Comparison
	c.Gates = []results.Gate{{Threshold: c.Changes[0].Cell().Name() + ": at most 99.999 % slower", Status: results.GateUnseen}}
	for least, advised := range map[results.Number]bool{0.5: true, 0.999: true, 0.9991: false, 0.999999: false, 1: false, results.Missing(): false} {
		c.Changes[0].Least = least
		var out strings.Builder
		if err := report.ComparisonText(&out, c, report.TextOptions{Width: 200}); err != nil {
			t.Fatal(err)
		}
		if text := plain(out.String()); !strings.Contains(text, "what helps") || strings.Contains(text, "from least on") != advised {
			t.Errorf("least %v: advised %v, want %v\n%s", float64(least), !advised, advised, text)
		}
	}
}

// The margin that "same" is within is given in figures.
func TestMarginIsTold(t *testing.T) {
	c := compared(&results.Report{}).Comparison
	for want, margins := range map[string][4]results.Number{
		"the same within the margin (5 %), and":                {0.05, 0.05, 0.05, 0.05},
		"the same within the margin (5 to 17 %, by cell), and": {0.05, 0.17, 0.05, 0.1},
		"the same within the margin (5 to 30 %, by cell), and": {0.3, 0.05, 0.05, 0.05},
	} {
		for i := range c.Changes {
			c.Changes[i].Margin = margins[i]
		}
		text := render(t, func(w io.Writer, _ *results.Report) error {
			return report.ComparisonText(w, c, report.TextOptions{})
		}, nil)
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	h := history(3)
	for i := range h.Comparison.Changes {
		h.Comparison.Changes[i].Margin = 0.05
	}
	var several strings.Builder
	if err := report.HistoryText(&several, h, report.TextOptions{}); err != nil || !strings.Contains(plain(several.String()), "within the margin (5") {
		t.Errorf("%v\n%s", err, several.String())
	}
}

// JUnit knows failed and skipped: one is a violated threshold, the other one
// that could not have been seen.
func TestJUnit(t *testing.T) {
	text := render(t, func(w io.Writer, r *results.Report) error { return report.ComparisonJUnit(w, r.Comparison) }, compared(&results.Report{}))
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(text), &suite); err != nil {
		t.Fatal(err)
	}
	if suite.Tests != 3 || suite.Failures != 1 || suite.Errors != 1 || len(suite.Cases) != 3 {
		t.Errorf("%+v, want 3 tests, 1 failure, 1 error", suite)
	}
	if f := suite.Cases[0].Failure; f == nil || !strings.Contains(f.Message, "slower by 20.0 %") {
		t.Errorf("the failed threshold says %+v", f)
	}
}

// What no threshold asks for is told as well.
func TestJUnitTellsEveryDoubt(t *testing.T) {
	c := compared(&results.Report{}).Comparison
	c.Gates, c.Only, c.Unlike = nil, []string{"log/gone@1 is in the old run only"}, []string{"processor: A, then B"}
	c.Changes[0].Call, c.Changes[0].Doubt = results.CannotTell, "disturbed"
	text := render(t, func(w io.Writer, _ *results.Report) error { return report.ComparisonJUnit(w, c) }, nil)
	for _, want := range []string{`<skipped message="cannot tell: disturbed">`, `<skipped message="log/gone@1 is in the old run only">`,
		"not comparable, compared anyway — processor: A, then B"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// The comparison alone and the report that holds it say the same.
func TestComparisonIsToldAlike(t *testing.T) {
	r := compared(&results.Report{})
	for name, text := range map[string]string{
		"text": render(t, func(w io.Writer, r *results.Report) error {
			return report.ComparisonText(w, r.Comparison, report.TextOptions{})
		}, r),
		"markdown": render(t, func(w io.Writer, r *results.Report) error { return report.ComparisonMarkdown(w, r.Comparison) }, r),
		"page":     bareText(htmlOf(t, compared(usual("memory", "file").report()))),
	} {
		for _, want := range comparisonStatements(r.Comparison) {
			if !strings.Contains(plain(text), plain(want)) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		if !strings.Contains(plain(text), "1 cell worse, 1 better, 1 the same") {
			t.Errorf("%s does not count the calls", name)
		}
	}
}

// What is said to be ruled out is, to the last digit.
func TestLeastIsRoundedUp(t *testing.T) {
	c := compared(&results.Report{}).Comparison
	for least, want := range map[results.Number]string{0.0527: " 5.3 %", 0.05: " 5 %", 0: " 0 %", results.Number(0.0301): " 3.1 %"} {
		c.Changes[0].Least = least
		if text := render(t, func(w io.Writer, _ *results.Report) error {
			return report.ComparisonText(w, c, report.TextOptions{Width: 200})
		}, nil); !strings.Contains(text, want) {
			t.Errorf("least %v: no %q in\n%s", least, want, text)
		}
	}
}

// A run that is held to thresholds alone is not called the newer one of two.
func TestThresholdsOfOneRun(t *testing.T) {
	r := logReport(1, 8)
	r.Comparison = &results.Comparison{
		Gates: []results.Gate{{Threshold: "log/file@8: p99<5ms", Status: results.GatePassed, Text: "p99 1 ms"}}, Geomean: results.Missing()}
	var page strings.Builder
	if err := report.HTML(&page, r); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"older run", "newer run", "The newer"} {
		if strings.Contains(page.String(), text) {
			t.Errorf("the page says %q", text)
		}
	}
	const kept = "passed: log/file@8: p99<5ms: p99 1 ms"
	var text, markdown strings.Builder
	if err := errors.Join(report.ComparisonText(&text, r.Comparison, report.TextOptions{}), report.ComparisonMarkdown(&markdown, r.Comparison)); err != nil {
		t.Fatal(err)
	}
	for what, got := range map[string]string{"page": html.UnescapeString(page.String()), "text": text.String(), "markdown": html.UnescapeString(markdown.String())} {
		if !strings.Contains(got, kept) {
			t.Errorf("the %s does not say what holds: %s", what, got[:min(len(got), 300)])
		}
	}
}
