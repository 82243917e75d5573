package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/syncwrite/syncwrite/results"
)

// Text writes the report for a terminal: verdict, table, chart, causes and
// doubts of every finding. The table needs 80 columns.
func Text(w io.Writer, r *results.Report) error {
	out := bufio.NewWriter(w)
	for i, f := range r.Findings {
		if i > 0 {
			fmt.Fprintln(out)
		}
		textFinding(out, f)
	}
	textRun(out, r)
	return out.Flush()
}

func textFinding(w io.Writer, f results.Finding) {
	heading(w, f.Experiment)
	paragraph(w, "", f.Verdict.Sentence)
	for _, d := range f.Verdict.Details {
		paragraph(w, "  · ", d)
	}
	if len(f.Summaries) == 0 {
		return
	}
	fmt.Fprintln(w)
	textTable(w, f)
	fmt.Fprintln(w)
	chart(w, f)
	fmt.Fprintln(w)
	textCauses(w, f)
	textWarnings(w, f)
}

func heading(w io.Writer, e results.Experiment) {
	if e.Question == "" {
		fmt.Fprintf(w, "%s\n\n", e.Name)
		return
	}
	paragraph(w, "", e.Name+": "+e.Question)
	fmt.Fprintln(w)
}

func textWarnings(w io.Writer, f results.Finding) {
	doubts := collect(f.Summaries)
	if len(doubts) == 0 {
		return
	}
	fmt.Fprintln(w, "Doubts")
	for _, d := range doubts {
		paragraph(w, "  ! ", d.text+": "+d.where)
	}
	fmt.Fprintln(w)
}

// textRun ends the report with what holds for all findings.
func textRun(w io.Writer, r *results.Report) {
	for _, warning := range r.Warnings {
		paragraph(w, "  ! ", warning.Text)
	}
	for _, p := range r.Problems {
		paragraph(w, "  ! ", fmt.Sprintf("%s:%d: skipped: %s", p.File, p.Line, p.Text))
	}
	for _, e := range r.Envs {
		for _, line := range provenance(e) {
			paragraph(w, "", line)
		}
	}
}

// textWidth is the width that terminals can be relied on to have.
const textWidth = 80

// paragraph writes text broken into lines, the first behind the mark, the
// others indented as far.
func paragraph(w io.Writer, mark, text string) {
	indent := spaces(width(mark))
	line, used := mark, width(mark)
	for i, word := range words(text) {
		n := width(word)
		if i > 0 && used+1+n > textWidth {
			fmt.Fprintln(w, line)
			line, used = indent, width(indent)
		} else if i > 0 {
			line += " "
			used++
		}
		line += word
		used += n
	}
	fmt.Fprintln(w, line)
}
