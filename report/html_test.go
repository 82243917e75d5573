package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

func htmlOf(t *testing.T, r *results.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.HTML(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGoldenPage(t *testing.T) {
	r := usual("memory", "file").report()
	golden(t, "page.html", htmlOf(t, r))
	figures, err := report.Figures(r)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "throughput.svg", string(figures[0].SVG))
}

// The default sweep: 8 variants, 5 levels, 6 trials, full histograms.
func TestPageStaysSmall(t *testing.T) {
	x := usual(numbered(8)...)
	x.levels, x.coarse = []int{1, 2, 4, 8, 16}, false
	if size := len(htmlOf(t, x.report())); size > 600_000 {
		t.Errorf("%d bytes, want at most 600,000", size)
	}
}

// Many variants leave a page that can be read: the fastest are drawn, all are tabled.
func TestPageOfManyVariantsStaysSmall(t *testing.T) {
	x := usual(numbered(64)...)
	x.levels, x.coarse = []int{1, 2, 4, 8, 16}, false
	page := htmlOf(t, x.report())
	if len(page) > 1_000_000 {
		t.Errorf("%d bytes, want at most 1,000,000", len(page))
	}
	text := bareText(page)
	if !strings.Contains(text, "Drawn are the 15 fastest of 64 variants, 5 of each promise") {
		t.Error("the page does not say what is drawn")
	}
	for _, name := range x.variants {
		if !strings.Contains(text, name) {
			t.Errorf("%s is not on the page", name)
		}
	}
}

func TestPageFetchesNothing(t *testing.T) {
	for name, r := range fixtures() {
		page := htmlOf(t, r)
		for _, bad := range []string{"http://", "https://", "url(", "@import", "src=", "<link rel=\"style", "<iframe"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: the page holds %s", name, bad)
			}
		}
	}
}

func TestSectionsStandInOrder(t *testing.T) {
	r := usual("memory", "file").report()
	all := r.Findings[0].Summaries
	all[len(all)-1].Warnings = []results.Warning{{Code: results.WarnWide, Text: "throughput varies"}}
	page := htmlOf(t, r)
	at := 0
	for _, mark := range []string{
		`class="verdict"`, "Before you act on it", `id="e1-figures"`, "Operations a second over goroutines", "Percent of serial rate over goroutines",
		"A detail of the verdict.", `id="e1-cells"`, `id="e1-latency"`, "Latency of an operation", "Distribution of latency", `id="e1-trials"`, `id="e1-causes"`, `id="e1-doubts"`, `id="trust"`, `id="words"`,
	} {
		next := strings.Index(page[at:], mark)
		if next < 0 {
			t.Fatalf("%s is missing, or stands too early", mark)
		}
		at += next
	}
}

// Every warning, error and skipped line of a report is on its page.
func TestNoDoubtIsLeftOut(t *testing.T) {
	for name, r := range fixtures() {
		text := bareText(htmlOf(t, r))
		for _, want := range statements(r) {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page leaves out %q", name, want)
			}
		}
	}
}

// bareText is the text of a page as a reader sees it.
func bareText(page string) string {
	page = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`).ReplaceAllString(page, "")
	page = regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, "")
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&#43;", "+", "&amp;", "&", "\u00a0", " ").Replace(page)
}

func TestEverythingIsEscaped(t *testing.T) {
	r := failedVariant()
	if page := htmlOf(t, r); strings.Contains(page, "<script>alert") || strings.Contains(page, "<b onload") || strings.Count(page, "</style>") != 1 {
		t.Error("the page holds a name or an error as markup")
	}
	figures, err := report.Figures(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		if bytes.Contains(f.SVG, []byte("<b onload")) {
			t.Errorf("%s holds a name as markup", f.Name)
		}
	}
}

func TestFiguresAreXML(t *testing.T) {
	fixtures := fixtures()
	fixtures["control"] = usual("bell\x07null\x00\ufffe", "new\nline").report()
	for name, r := range fixtures {
		figures, err := report.Figures(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range figures {
			for in := xml.NewDecoder(bytes.NewReader(f.SVG)); ; {
				if _, err := in.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Errorf("%s, %s: %v", name, f.Name, err)
					break
				}
			}
			if bytes.Contains(f.SVG, []byte("NaN")) || bytes.Contains(f.SVG, []byte("Inf")) {
				t.Errorf("%s, %s: a coordinate is no number", name, f.Name)
			}
		}
	}
}

// Where a number cannot be given a sentence says so.
func TestMissingNumbersAreSaid(t *testing.T) {
	for name, want := range map[string]string{
		"zero":        "Not drawn, no throughput above zero, which a log axis cannot show: stuck at N = 1, 4, 16.",
		"two trials":  "No interval is drawn: there are too few trials to carry one.",
		"one level":   "One bar a variant",
		"no trials":   "Inconclusive: no trial was finished.",
		"no findings": "No experiment and no trial is in these results.",
	} {
		if !strings.Contains(bareText(htmlOf(t, fixtures()[name])), want) {
			t.Errorf("%s: the page does not say %q", name, want)
		}
	}
}

func TestPageHasNoHolesInNumbers(t *testing.T) {
	for name, r := range fixtures() {
		if text := bareText(htmlOf(t, r)); strings.Contains(text, "NaN") || strings.Contains(text, "Inf ") || strings.Contains(text, "%!") {
			t.Errorf("%s: the page writes a number that is none", name)
		}
	}
}

// Figure names become file names, whatever a results file calls its experiments.
func TestFigureNamesAreHarmless(t *testing.T) {
	r := usual("memory").report()
	other := usual("memory").report().Findings[0]
	other.Experiment.Name = "../../Etc/x y"
	r.Findings = append(r.Findings, other)
	figures, err := report.Figures(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range figures {
		if !regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(f.Name) {
			t.Errorf("figure %q", f.Name)
		}
	}
	if figures[0].Name != "log-throughput" {
		t.Errorf("first figure %q, want log-throughput", figures[0].Name)
	}
}

// The words of the page are those of docs/terms.md.
func TestGlossaryAgreesWithTerms(t *testing.T) {
	terms, err := os.ReadFile("../docs/terms.md")
	if err != nil {
		t.Fatal(err)
	}
	text := bareText(htmlOf(t, &results.Report{}))
	for line := range strings.Lines(string(terms)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		meaning := strings.ReplaceAll(strings.TrimSpace(cells[len(cells)-1]), "`", "")
		if !strings.HasPrefix(line, "|") || meaning == "meaning" || strings.HasPrefix(meaning, "---") {
			continue
		}
		if !strings.Contains(text, meaning) {
			t.Errorf("the page does not explain %s", strings.TrimSpace(line))
		}
	}
}
