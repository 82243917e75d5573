package report_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

var update = flag.Bool("update", false, "write the golden files anew")

func render(t *testing.T, to func(io.Writer, *results.Report) error, r *results.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := to(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func verbose(w io.Writer, r *results.Report) error {
	return report.Text(w, r, report.TextOptions{Verbose: true})
}

func brief(w io.Writer, r *results.Report) error { return report.Text(w, r, report.TextOptions{}) }

func TestGolden(t *testing.T) {
	for name, r := range reports() {
		golden(t, name+".txt", render(t, verbose, r))
		golden(t, name+".brief.txt", render(t, brief, r))
		golden(t, name+".md", render(t, report.Markdown, r))
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s(-update writes it anew)", name, got, want)
	}
}

func TestTextKeepsToEightyColumns(t *testing.T) {
	for name, r := range reports() {
		for i, line := range strings.Split(render(t, verbose, r), "\n") {
			if n := utf8.RuneCountInString(line); n > 80 && name != "long-name" {
				t.Errorf("%s: line %d has %d columns: %s", name, i+1, n, line)
			}
		}
	}
}

func TestColumnsOfTheLogReport(t *testing.T) {
	text := render(t, verbose, reports()["log"])
	head := regexp.MustCompile(`(?m)^variant +N +ops/s +interval +mean +p50 +p99 +serial +survives$`)
	if !head.MatchString(text) {
		t.Errorf("no head of the table in\n%s", text)
	}
}

func TestNoNumberIsMadeUp(t *testing.T) {
	for name, r := range reports() {
		for _, text := range []string{render(t, verbose, r), render(t, report.Markdown, r)} {
			for _, bad := range []string{"NaN", "Inf", "%!", "0001-01-01", " 0 cores", "/ ,"} {
				if strings.Contains(text, bad) {
					t.Errorf("%s: %q in\n%s", name, bad, text)
				}
			}
		}
	}
}

func TestNothingReachesTheTerminalButText(t *testing.T) {
	for name, r := range reports() {
		for _, c := range render(t, verbose, r) + render(t, report.Markdown, r) {
			if c != '\n' && unicode.IsControl(c) {
				t.Errorf("%s: control character %q", name, c)
			}
		}
	}
}

// plain takes off what Markdown needs and what breaking lines added.
func plain(text string) string {
	text = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", `\`, "").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

func TestTextAndMarkdownTellTheSame(t *testing.T) {
	for name, r := range reports() {
		text, markdown := plain(render(t, verbose, r)), plain(render(t, report.Markdown, r))
		for _, said := range statements(r) {
			if said = plain(said); !strings.Contains(text, said) {
				t.Errorf("%s: text lacks %q", name, said)
			} else if !strings.Contains(markdown, said) {
				t.Errorf("%s: Markdown lacks %q", name, said)
			}
		}
	}
}

// statements are the words of a report that no renderer may leave out.
func statements(r *results.Report) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(append(all, spoken(f.Verdict)...), f.Verdict.Details...)
		for _, o := range f.Outcomes {
			all = append(all, o.Text)
		}
		for _, t := range f.Tallies {
			all = append(all, t.Kind+": "+t.Text)
		}
		for _, c := range f.Verdict.Claims {
			all = append(all, c.Sentence)
		}
		for _, s := range f.Summaries {
			for _, w := range s.Warnings {
				all = append(all, w.Text)
			}
		}
	}
	for _, w := range r.Warnings {
		all = append(all, w.Text)
	}
	for _, p := range r.Problems {
		all = append(all, p.Text)
	}
	if r.Comparison != nil {
		all = append(all, comparisonStatements(r.Comparison)...)
	}
	for _, e := range r.Envs {
		all = append(append(all, e.Command...), e.Machine.CPU, e.Disk.FileSystem)
	}
	return all
}

// spoken are the words of a verdict.
func spoken(v results.Verdict) []string {
	if len(v.Lines) == 0 {
		return []string{v.Sentence}
	}
	all := []string{v.At, v.Scaling, v.Advice, v.Limits}
	for _, l := range v.Lines {
		all = append(all, l.Promise, l.Text, l.Note)
	}
	return all
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestAFullDiskIsAnError(t *testing.T) {
	for _, to := range []func(io.Writer, *results.Report) error{verbose, brief, report.Markdown} {
		if err := to(full{}, reports()["log"]); err == nil {
			t.Error("no error")
		}
	}
}
