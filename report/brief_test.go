package report_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// What the verdict's lines rest on is doubted in its sight, also where the rows do
// not show it.
func TestDoubtsOfTheVerdictsCellsAreShown(t *testing.T) {
	f := logReport(1, 16).Findings[0]
	s := summary("hidden", "nothing", 4, 1e6, 500)
	s.Warnings = []results.Warning{{Code: results.WarnDisturbed, Text: "disturbed: by somebody"}}
	f.Summaries = append(f.Summaries, s)
	r := &results.Report{Findings: []results.Finding{f}}
	if text := render(t, brief, r); strings.Contains(text, "disturbed: hidden") || !strings.Contains(text, "1 more doubt about other cells") {
		t.Errorf("a cell that nothing rests on:\n%s", text)
	}
	r.Findings[0].Verdict.Lines[0].Cells = []results.Cell{s.Cell()}
	if text := render(t, brief, r); !strings.Contains(text, "disturbed: hidden at N = 4") {
		t.Errorf("the doubt of a cell that the verdict rests on is not shown:\n%s", text)
	}
	r.Findings[0].Verdict.Lines[0].Cells, r.Findings[0].Verdict.Cells = nil, []results.Cell{s.Cell()}
	if text := render(t, brief, r); !strings.Contains(text, "disturbed: hidden at N = 4") {
		t.Errorf("the doubt of a cell that the advice rests on is not shown:\n%s", text)
	}
}

// No renderer says of a variant's operations what its other goroutines may have waited
// for at locks; of variants without any, all read as ever.
func TestTheLockOfTheWholeProcessIsCalledSo(t *testing.T) {
	for _, shared := range []bool{false, true} {
		r := logReport(1, 16)
		f := &r.Findings[0]
		for i := range f.Summaries {
			f.Summaries[i].Cause = results.Cause{CPU: 0.1, Lock: 0.74, Scheduler: 0.1, Unexplained: 0.06}
			f.Summaries[i].Cause.Shared = shared && f.Summaries[i].Variant == "packed"
		}
		wide := func(w io.Writer, r *results.Report) error { return report.Text(w, r, report.TextOptions{Width: 160}) }
		if text := render(t, wide, r); strings.Contains(text, "process's locks 74 %") != shared || !strings.Contains(text, "lock 74 %") {
			t.Errorf("brief, shared %v:\n%s", shared, text)
		}
		note := "Parked at lock is that of the whole process, where goroutines besides the N may have waited: packed at N = 16."
		for name, text := range map[string]string{
			"verbose": plain(render(t, verbose, r)), "markdown": render(t, report.Markdown, r), "page": bareText(htmlOf(t, r)),
		} {
			if strings.Contains(text, note) != shared {
				t.Errorf("%s, shared %v:\n%s", name, shared, text)
			}
		}
	}
}

// A single variant more is shown: the word that it is left out takes a line, too.
func TestOneVariantMoreIsShown(t *testing.T) {
	for n, want := range map[int]string{3: "", 4: "", 5: "2 more variants left out"} {
		f := logReport(1).Findings[0]
		var names []string
		f.Summaries = nil
		for i := range n {
			names = append(names, fmt.Sprintf("variant-%d", i))
			f.Summaries = append(f.Summaries, summary(names[i], "nothing", 1, 1e6, 500))
		}
		f.Verdict.Lines = []results.Line{{Text: "one leads", Variants: names}}
		f.Verdict.Claims = nil
		text := render(t, brief, &results.Report{Findings: []results.Finding{f}})
		if strings.Contains(text, "left out") != (want != "") || !strings.Contains(text, want) || want == "" && !strings.Contains(text, names[n-1]) {
			t.Errorf("%d variants:\n%s", n, text)
		}
	}
}

// A variant that a claim is about is shown: the claim is held against its figures.
func TestClaimedVariantsAreShown(t *testing.T) {
	f := logReport(1).Findings[0]
	var names []string
	f.Summaries = nil
	for i := range 7 {
		names = append(names, fmt.Sprintf("variant-%d", i))
		f.Summaries = append(f.Summaries, summary(names[i], "nothing", 1, 1e6, 500))
	}
	f.Verdict.Lines = []results.Line{{Text: "one leads", Variants: names}}
	f.Verdict.Claims = []results.Tested{{Claim: results.Claim{Of: results.Side{Variant: "variant-6"}, To: results.Side{Variant: "variant-0"}}}}
	text := render(t, brief, &results.Report{Findings: []results.Finding{f}})
	if !strings.Contains(text, "  variant-6 ") || strings.Contains(text, "  variant-5 ") || !strings.Contains(text, "3 more variants left out") {
		t.Errorf("%s", text)
	}
}

// Levels that only other factors were measured at are no columns.
func TestColumnsAreTheVerdictsLevels(t *testing.T) {
	f := logReport(1, 16).Findings[0]
	first := f.Summaries[0]
	other := first
	other.Factors, other.Goroutines = map[string]string{"payload": "77"}, 4096
	f.Summaries = append(f.Summaries, other)
	if text := render(t, brief, &results.Report{Findings: []results.Finding{f}}); strings.Contains(text, "N = 4096") {
		t.Errorf("a level of other factors:\n%s", text)
	}
}

// What the columns beside it or the verdict say as well goes first where there is no room, and
// the cause last but for the rates.
func TestNarrowTables(t *testing.T) {
	r := &results.Report{Findings: logReport(1, 16).Findings[:1]}
	for width, left := range map[int]string{
		200: "", 70: `No room for "16 vs 1": `, 60: `No room for "mostly": `,
	} {
		var out strings.Builder
		if err := report.Text(&out, r, report.TextOptions{Width: width}); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(strings.Fields(out.String()), " "); left == "" && strings.Contains(text, "No room") || !strings.Contains(text, left) {
			t.Errorf("%d columns:\n%s", width, out.String())
		}
	}
}

// What was not measured at the highest N is no part of the verdict, and is shown.
func TestWhatLacksTheHighestN(t *testing.T) {
	f := logReport(1, 16).Findings[0]
	serial := f.Summaries[0]
	serial.Variant, serial.Goroutines = "serial", 1
	f.Summaries = append(f.Summaries, serial)
	between := f.Summaries[0]
	between.Variant, between.Goroutines = "between", 4
	serial.Warnings = []results.Warning{{Code: results.WarnThrottled, Text: "throttled"}}
	elsewhere := between
	elsewhere.Variant, elsewhere.Factors = "elsewhere", map[string]string{"payload": "77"}
	f.Summaries[len(f.Summaries)-1] = serial
	f.Summaries = append(f.Summaries, between, elsewhere)
	text := render(t, brief, &results.Report{Findings: []results.Finding{f}})
	if at := strings.Index(text, "Not measured at N = 16"); at < 0 || !strings.Contains(text[at:], "  serial ") || !strings.Contains(text, "throttled: serial payload=3 at N = 1") {
		t.Errorf("a serial variant, and its doubt:\n%s", text)
	}
	if strings.Contains(text, "  between ") || strings.Contains(text, "  elsewhere ") || !strings.Contains(text, "4 more variants left out") {
		t.Errorf("those that were measured between the ends alone, or at other levels of a factor:\n%s", text)
	}
	if text := render(t, brief, logReport(1, 16)); strings.Contains(text, "Not measured") {
		t.Errorf("all were:\n%s", text)
	}
}

// Time without a cause is not put down to calls where waiting for a processor was
// not measured.
func TestNoCauseWithoutItsMeasure(t *testing.T) {
	f := logReport(1, 16).Findings[0]
	for i := range f.Summaries {
		f.Summaries[i].Cause = results.Cause{CPU: 0.1, Lock: 0, Scheduler: results.Missing(), Unexplained: 0.9}
	}
	wide := func(w io.Writer, r *results.Report) error { return report.Text(w, r, report.TextOptions{Width: 120}) }
	text := render(t, wide, &results.Report{Findings: []results.Finding{f}})
	if strings.Contains(text, "other waits") || !strings.Contains(text, "not told apart 90") {
		t.Errorf("%s", text)
	}
}

// A page says of what was not skipped that it was, least of all at line 0.
func TestPageSaysWhatWasSkipped(t *testing.T) {
	r := logReport(1)
	r.Problems = []results.Problem{{File: "a.jsonl", Line: 3, Text: "broken"}, {Text: "a run is given twice: it counts once"}}
	page := htmlOf(t, r)
	if !strings.Contains(page, "a.jsonl:3: skipped: broken") || strings.Contains(page, ":0: skipped") || !strings.Contains(page, "a run is given twice") {
		t.Error("problems are told wrongly")
	}
}

// A doubt of very many cells names those that the verdict's lines rest on, and counts
// the others.
func TestADoubtOfManyCellsIsShort(t *testing.T) {
	f := logReport(1, 2, 4, 8, 16).Findings[0]
	last := f.Summaries[len(f.Summaries)-1]
	f.Verdict.Lines[0].Cells = []results.Cell{last.Cell()}
	for i := range f.Summaries {
		f.Verdict.Cells = append(f.Verdict.Cells, f.Summaries[i].Cell())
		if f.Summaries[i].Goroutines != 1+i%2 { // in no order that sums up
			f.Summaries[i].Warnings = []results.Warning{{Code: results.WarnWide, Text: "loose: it is"}}
		}
	}
	text := strings.Join(strings.Fields(render(t, brief, &results.Report{Findings: []results.Finding{f}})), " ")
	_, told, _ := strings.Cut(text, "! loose: ")
	told, _, counted := strings.Cut(told, " other cells")
	if !counted || len(told) > 110 || !strings.Contains(told, last.Variant+" at N = 16") {
		t.Errorf("%q, want one that names %s first", told, last.Variant)
	}
}

// The cells of a claim are doubted beside it.
func TestDoubtsOfAClaimsCellsAreShown(t *testing.T) {
	f := logReport(1, 16).Findings[0]
	s := summary("hidden", "nothing", 4, 1e6, 500)
	s.Warnings = []results.Warning{{Code: results.WarnDisturbed, Text: "disturbed: by somebody"}}
	f.Summaries = append(f.Summaries, s)
	f.Verdict.Claims = []results.Tested{{Cells: []results.Cell{s.Cell()}, Factors: s.Factors, Goroutines: 4, Status: results.Confirmed, Sentence: "confirmed"}}
	if text := render(t, brief, &results.Report{Findings: []results.Finding{f}}); !strings.Contains(text, "disturbed: hidden at N = 4") {
		t.Errorf("%s", text)
	}
}

// A variant that an error ended stands among the doubts of its page, at its own levels
// of the factors that vary.
func TestPageTellsErrorsWithTheirFactors(t *testing.T) {
	r := logReport(1, 16)
	f := &r.Findings[0]
	for p, level := range []string{"3", "9"} {
		f.Outcomes = append(f.Outcomes, results.Outcome{Experiment: f.Experiment.Name, Variant: "gone", Factors: map[string]string{"payload": level},
			Goroutines: 16, Block: p + 1, Kind: results.OutcomeError, Text: "boom"})
	}
	if page := htmlOf(t, r); !strings.Contains(page, "<li>gone payload=9 ended by an error at N = 16: boom</li>") {
		t.Error("the error is not among the doubts")
	}
}
