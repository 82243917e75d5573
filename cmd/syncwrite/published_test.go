package main_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/internal/paper"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

var update = flag.Bool("update", false, "render the published runs anew, into their folders and README.md")

// Every published run is what its results render to: page, figures, README.
func TestPublishedRunsAreRendered(t *testing.T) {
	for _, path := range publishedResults(t) {
		folder := filepath.Dir(path)
		r := reportOf(t, path)
		hold(t, filepath.Join(folder, "README.md"), rendered(t, r, report.Markdown))
		hold(t, filepath.Join(folder, "report.html"), rendered(t, r, report.HTML))
		figures, err := report.Figures(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range figures {
			hold(t, filepath.Join(folder, f.Name+".svg"), f.SVG)
		}
	}
}

// The output that the project's README shows is that of the newest published
// run, word for word.
func TestPublishedRunIsInTheReadme(t *testing.T) {
	const readme, open, end = "../../README.md", "```text\n", "```\n"
	files := publishedResults(t)
	want := rendered(t, reportOf(t, files[len(files)-1]), brief)
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := bytes.Cut(text, []byte(open))
	_, after, found := bytes.Cut(rest, []byte(end))
	if !found {
		t.Fatalf("README.md has no block that opens with %q", strings.TrimSpace(open))
	}
	folder := filepath.Base(filepath.Dir(files[len(files)-1]))
	after = figureLink.ReplaceAll(after, []byte("](published/"+folder+"/log-throughput.svg)"))
	before = reportLink.ReplaceAll(before, []byte("[the whole report](published/"+folder+"/README.md)"))
	hold(t, readme, bytes.Join([][]byte{before, []byte(open), excerpt(want), []byte(end), after}, nil))
}

var (
	figureLink = regexp.MustCompile(`\]\([^)]*log-throughput\.svg\)`)
	reportLink = regexp.MustCompile(`\[the whole report\]\([^)]*\)`)
)

// Why the documents' logs get no faster with goroutines is told in the words of the newest
// published run.
func TestPublishedReasonsAreInTheReadme(t *testing.T) {
	const readme, open, end = "../../README.md", "```text why\n", "```\n"
	files := publishedResults(t)
	var out bytes.Buffer
	w := paper.New(&out, 80, false)
	for _, f := range reportOf(t, files[len(files)-1]).Findings {
		for _, e := range f.Explained {
			if e.Goroutines == 16 && slices.Contains([]string{"naive-memory", "leveldb", "naive-file"}, e.Variant) {
				w.Paragraph("", e.Variant+" at N = 16: "+e.Text)
			}
		}
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := bytes.Cut(text, []byte(open))
	_, after, found := bytes.Cut(rest, []byte(end))
	if !found || out.Len() == 0 {
		t.Fatalf("README.md has no block that opens with %q, or nothing is told", strings.TrimSpace(open))
	}
	hold(t, readme, bytes.Join([][]byte{before, []byte(open), out.Bytes(), []byte(end), after}, nil))
}

// brief is what the command prints.
func brief(w io.Writer, r *results.Report) error { return report.Text(w, r, report.TextOptions{}) }

// excerpt is what the README has room for: the end of the output, which is the
// verdict.
func excerpt(text []byte) []byte {
	_, verdict, _ := strings.Cut(string(text), "\nVerdict")
	return []byte("Verdict" + strings.TrimRight(verdict, "\n") + "\n")
}

func publishedResults(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../published/*/results.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no published results: %v", err)
	}
	return files
}

func reportOf(t *testing.T, path string) *results.Report {
	t.Helper()
	return analysis.Analyze(runOf(t, path))
}

func runOf(t *testing.T, path string) *results.Run {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	run, err := results.Read(file, filepath.Base(path))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func rendered(t *testing.T, r *results.Report, render func(io.Writer, *results.Report) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := render(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// hold compares a committed file with what it should be; -update writes it.
func hold(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what its results render to; go test ./cmd/syncwrite -run Published -update writes it", path)
	}
}
