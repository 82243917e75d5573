package report_test

import (
	"html"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// hardCommand holds what prose would break or squeeze, and what markup would take for
// its own; it is longer than any line.
var hardCommand = []string{"syncwrite", "run", "a  b", "", "` ``` ~~~ ````", "<b>&amp;</b>", "12 ms = |", "-p", "payload=3", "--dir", strings.Repeat("long  name ", 30), "\\*_[x](y)"}

// repeatedIn are the words that a shell reads of the line between two marks, the last of
// which is of the text as it is rendered.
func repeatedIn(t *testing.T, text, from, to string) []string {
	t.Helper()
	_, rest, ok := strings.Cut(text, from)
	line, _, closed := strings.Cut(rest, to)
	if !ok || !closed {
		t.Fatalf("no command in\n%s", text)
	}
	out, err := exec.Command("sh", "-c", `printf '%s\0' `+line).Output()
	if err != nil {
		t.Fatalf("%v: %q", err, line)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// The command that is pasted from a report is the one that was run.
func TestTheCommandThatIsPastedWasRun(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	r := logReport(1)
	r.Envs[0].Command = hardCommand
	narrow := func(w io.Writer, r *results.Report) error {
		return report.Text(w, r, report.TextOptions{Verbose: true, Width: 60})
	}
	for name, got := range map[string][]string{
		"text":     repeatedIn(t, render(t, narrow, r), "\nRepeat:\n", "\n"),
		"Markdown": repeatedIn(t, render(t, report.Markdown, r), "\nRepeat:\n\n`````\n", "\n`````\n"),
		"page":     repeatedIn(t, html.UnescapeString(htmlOf(t, r)), `<pre tabindex="0">`, "</pre>"),
	} {
		if !slices.Equal(got, hardCommand) {
			t.Errorf("%s: %q, want %q", name, got, hardCommand)
		}
	}
	if !strings.Contains(htmlOf(t, r), "white-space: pre-wrap") {
		t.Error("the page squeezes blanks")
	}
	r.Envs[0].Command = []string{"a", "\x1b[31m\n"}
	if text := render(t, narrow, r); strings.Contains(text, "\x1b") || !strings.Contains(text, `  a '\x1b[31m\n'`) {
		t.Errorf("what comes from a file reaches the terminal:\n%s", text)
	}
}
