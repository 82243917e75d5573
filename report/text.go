package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// Text writes the report for a terminal: verdict, table, chart, causes and
// doubts of every finding. The table needs 80 columns.
func Text(w io.Writer, r *results.Report) error {
	out := bufio.NewWriter(w)
	if len(r.Findings) == 0 {
		fmt.Fprintln(out, nothing)
	}
	for i, f := range r.Findings {
		if i > 0 {
			fmt.Fprintln(out)
		}
		textFinding(out, f)
	}
	if r.Comparison != nil {
		textComparison(out, r.Comparison)
		fmt.Fprintln(out)
	}
	textRun(out, r)
	return out.Flush()
}

// nothing is what a report without findings says.
const nothing = "Nothing was measured."

func textFinding(w io.Writer, f results.Finding) {
	heading(w, f.Experiment)
	paragraph(w, "", f.Verdict.Sentence)
	for _, d := range f.Verdict.Details {
		paragraph(w, "  · ", d)
	}
	textClaims(w, f)
	textTallies(w, f)
	if len(f.Summaries) == 0 {
		fmt.Fprintln(w)
		return
	}
	s := newSheet(f)
	fmt.Fprintln(w)
	textTable(w, s)
	fmt.Fprintln(w)
	textRuns(w, s)
	chart(w, s)
	fmt.Fprintln(w)
	textCauses(w, s)
	textWarnings(w, s)
}

func heading(w io.Writer, e results.Experiment) {
	if e.Question == "" {
		paragraph(w, "", e.Name)
		fmt.Fprintln(w)
		return
	}
	paragraph(w, "", e.Name+": "+e.Question)
	fmt.Fprintln(w)
}

func textWarnings(w io.Writer, f sheet) {
	doubts := collect(f)
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
		paragraph(w, "  ! ", problem(p))
	}
	for _, e := range r.Envs {
		for _, line := range provenance(e) {
			paragraph(w, "", line)
		}
	}
}

// problem says which line of which file was skipped.
func problem(p results.Problem) string {
	if p.Line > 0 {
		p.Text = "skipped: " + p.Text
	}
	return p.String()
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

// words splits at spaces; a number stays with its unit.
func words(text string) []string {
	var all []string
	for _, word := range strings.Fields(results.OneLine(text)) {
		if last := len(all) - 1; last >= 0 && bound(all[last], word) {
			all[last] += " " + word
			continue
		}
		all = append(all, word)
	}
	return all
}

// bound reports whether a line must not end between the two words.
func bound(before, word string) bool {
	word = strings.TrimRight(word, ".,:;)")
	digit := strings.ContainsAny(before[len(before)-1:], "0123456789")
	return digit && slices.Contains([]string{"%", "ns", "µs", "ms", "s"}, word) || word == "=" || strings.HasSuffix(before, " =")
}
