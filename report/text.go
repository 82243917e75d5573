package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// TextOptions say for what terminal text is written; the zero value is 80
// columns without colour.
type TextOptions struct {
	Width   int  // columns, 60 to 200; 0 is 80
	Color   bool // whether the terminal obeys ANSI escapes
	Verbose bool // everything there is, not what a minute needs
}

// Text writes the report for a terminal. What a reader must know stands last:
// the verdict. Verbose adds every cell, a chart, causes and every doubt.
func Text(w io.Writer, r *results.Report, o TextOptions) error {
	buffer := bufio.NewWriter(w)
	out := paper.New(buffer, o.Width, o.Color)
	if len(r.Findings) == 0 {
		fmt.Fprintln(out, nothing)
	}
	textRun(out, r, o.Verbose)
	findings := r.Findings
	if !o.Verbose {
		findings = r.Shown()
	}
	for i, f := range findings {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if o.Verbose {
			textFinding(out, f)
		} else {
			brief(out, f, len(findings) > 1)
		}
	}
	if r.Comparison != nil {
		fmt.Fprintln(out)
		textComparison(out, r.Comparison)
	}
	return buffer.Flush()
}

// nothing is what a report without findings says.
const nothing = "Nothing was measured."

func textFinding(w *paper.Paper, f results.Finding) {
	heading(w, f.Experiment)
	if len(f.Summaries) > 0 {
		s := sheet.New(f)
		textTable(w, s)
		fmt.Fprintln(w)
		textKinds(w, s)
		textCycles(w, s, true)
		textRuns(w, s)
		chart(w, s)
		fmt.Fprintln(w)
		textScaling(w, s)
		textCauses(w, s)
		textExplained(w, s, f.Explained)
		textWarnings(w, s)
	}
	textTallies(w, f)
	textClaims(w, f)
	textDetails(w, details(f.Verdict))
	f.Verdict.At = sheet.At(f)
	verdict(w, f.Verdict)
}

func heading(w *paper.Paper, e results.Experiment) {
	text := e.Name
	if e.Question != "" {
		text += ": " + e.Question
	}
	w.Paragraph("", text)
	fmt.Fprintln(w)
}

func textWarnings(w *paper.Paper, f sheet.Sheet) {
	doubts, foot := sheet.Collect(f), sheet.Footnote(f)
	if len(doubts) == 0 && foot == "" {
		return
	}
	fmt.Fprintln(w, "Doubts")
	for _, d := range doubts {
		w.Paragraph("  ! ", d.Text+": "+f.Where(d.Cells))
	}
	if foot != "" {
		w.Paragraph("  * ", foot)
	}
	fmt.Fprintln(w)
}

func textDetails(w *paper.Paper, details []string) {
	if len(details) == 0 {
		return
	}
	fmt.Fprintln(w, "Details")
	for _, d := range details {
		w.Paragraph("  · ", d)
	}
	fmt.Fprintln(w)
}

// textRun says what holds for all findings: where they were measured, and what
// to doubt in all of them.
func textRun(w *paper.Paper, r *results.Report, verbose bool) {
	lines := 0
	for i, e := range r.Envs {
		all := provenance(e, trialsOfEnv(r, i))
		if !verbose {
			all = inBrief(e, trialsOfEnv(r, i))
		}
		for _, line := range all {
			w.Paragraph("", line)
			lines++
		}
		if verbose && len(e.Command) > 0 {
			w.Paragraph("", repeat)
			w.Verbatim("  ", commandLine(e.Command))
			lines++
		}
	}
	for _, warning := range r.Warnings {
		w.Paragraph("  ! ", warning.Text)
		lines++
	}
	for _, p := range r.Problems {
		w.Paragraph("  ! ", p.Skipped())
		lines++
	}
	if lines > 0 {
		fmt.Fprintln(w)
	}
}

// textCauses tells where the goroutines' time went, at the highest N of every
// variant.
func textCauses(w *paper.Paper, f sheet.Sheet) {
	rows := sheet.CauseRows(f)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintln(w, "Where goroutine time went, at each variant's highest N")
	grid(w, sheet.CauseHead, sheet.CauseRight, rows)
	w.Paragraph("", sheet.CauseNotes(f))
	fmt.Fprintln(w)
}
