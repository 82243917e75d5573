package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// Markdown writes the report for a page or a pull request: the same findings,
// table, causes and doubts as Text.
func Markdown(w io.Writer, r *results.Report) error {
	out := bufio.NewWriter(w)
	if len(r.Findings) == 0 {
		fmt.Fprintf(out, "%s\n\n", nothing)
	}
	for _, f := range r.Findings {
		markdownFinding(out, f)
	}
	if r.Comparison != nil {
		markdownComparison(out, r.Comparison)
	}
	markdownRun(out, r)
	return out.Flush()
}

func markdownFinding(w io.Writer, f results.Finding) {
	fmt.Fprintf(w, "## %s\n\n", escape(f.Experiment.Name))
	if f.Experiment.Question != "" {
		fmt.Fprintf(w, "%s\n\n", escape(f.Experiment.Question))
	}
	f.Verdict.At = sheet.At(f)
	markdownVerdict(w, f.Verdict)
	list(w, details(f.Verdict))
	markdownClaims(w, f)
	markdownTallies(w, f)
	if len(f.Summaries) == 0 {
		return
	}
	of := sheet.New(f)
	if text := sheet.Shared(of); text != "" {
		fmt.Fprintf(w, "%s\n\n", escape(text))
	}
	cols := columns(of)
	head, right := heads(cols)
	var rows [][]string
	for _, s := range f.Summaries {
		rows = append(rows, cells(cols, s))
	}
	markdownTable(w, head, right, rows)
	markdownKinds(w, of)
	markdownCycles(w, of)
	markdownRuns(w, of)
	if head, right, rows := scalingTable(of); len(rows) > 0 {
		fmt.Fprintf(w, "%s:\n\n", scalingTitle)
		markdownTable(w, head, right, rows)
		list(w, scalingNotes(of))
	}
	if head, right, rows := whyTable(of); len(rows) > 0 {
		fmt.Fprintf(w, "%s:\n\n", whyTitle)
		markdownTable(w, head, right, rows)
	}
	if rows := sheet.CauseRows(of); len(rows) > 0 {
		fmt.Fprint(w, "Where goroutine time went, at each variant's highest N:\n\n")
		markdownTable(w, sheet.CauseHead, sheet.CauseRight, rows)
		fmt.Fprintf(w, "%s\n\n", escape(sheet.CauseNotes(of)))
	}
	var doubts []string
	for _, d := range sheet.Collect(of) {
		doubts = append(doubts, d.Text+": "+of.Where(d.Cells))
	}
	if text := sheet.Footnote(of); text != "" {
		doubts = append(doubts, text)
	}
	list(w, doubts)
}

func markdownVerdict(w io.Writer, v results.Verdict) {
	if len(v.Lines) == 0 {
		fmt.Fprintf(w, "**%s**\n\n", escape(v.Sentence))
		return
	}
	fmt.Fprintf(w, "**Verdict, %s**\n\n", escape(v.At))
	var lines []string
	for _, l := range v.Lines {
		lines = append(lines, verdictLine(l))
	}
	list(w, lines)
	for _, text := range slices.Concat(after(v), limits(v)) {
		fmt.Fprintf(w, "%s\n\n", escape(text))
	}
}

func markdownRun(w io.Writer, r *results.Report) {
	var lines []string
	for _, warning := range r.Warnings {
		lines = append(lines, warning.Text)
	}
	for _, p := range r.Problems {
		lines = append(lines, p.Skipped())
	}
	for i, e := range r.Envs {
		lines = append(lines, provenance(e, trialsOfEnv(r, i))...)
		if len(e.Command) > 0 {
			list(w, lines)
			lines = nil
			fmt.Fprintf(w, "%s\n\n", repeat)
			fenced(w, commandLine(e.Command))
		}
	}
	list(w, lines)
}

// fenced writes a line as it is, whatever it holds.
func fenced(w io.Writer, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(w, "%s\n%s\n%s\n\n", fence, results.Printable(text), fence)
}

func list(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(w, "- %s\n", escape(line))
	}
	if len(lines) > 0 {
		fmt.Fprintln(w)
	}
}

func markdownTable(w io.Writer, head []string, right []bool, rows [][]string) {
	rule := make([]string, len(head))
	for i := range head {
		rule[i] = "---"
		if right[i] {
			rule[i] = "---:"
		}
	}
	for _, row := range append([][]string{head, rule}, rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = escape(cell)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
	fmt.Fprintln(w)
}

// escaper keeps names and errors from being read as markup.
var escaper = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`,
	"[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;")

func escape(text string) string {
	return escaper.Replace(results.OneLine(text))
}
