package report_test

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// What is written rises in every column, ends with all operations, and places the
// quantiles where they are.
func TestHgrm(t *testing.T) {
	h := new(hist.Histogram)
	for i := range 10_000 {
		h.Record(int64(1e6 + i*1e3)) // 1 to 11 ms
	}
	s := summary("file", "nothing", 8, 1000, 100)
	s.Hist = h
	r := &results.Report{Findings: []results.Finding{{Summaries: []results.Summary{s, s, summary("none", "nothing", 1, 1, 1)}}}}
	all := report.Distributions(r)
	if len(all) != 2 || all[0].Name != "log-file-8" || all[1].Name != "log-file-8-2" {
		t.Fatalf("%+v", all)
	}
	var text strings.Builder
	if err := all[0].Hgrm(&text); err != nil {
		t.Fatal(err)
	}
	var value, share, last, median float64
	var count, before int
	lines := bufio.NewScanner(strings.NewReader(text.String()))
	for lines.Scan() {
		var beyond string
		if n, _ := fmt.Sscan(lines.Text(), &value, &share, &count, &beyond); n < 4 {
			continue
		}
		if value <= last || count <= before || share < 0 || share > 1 {
			t.Errorf("%q behind %v ms, %d operations", lines.Text(), last, before)
		}
		if median == 0 && share >= 0.5 {
			median = value
		}
		last, before = value, count
	}
	if before != 10_000 || share != 1 || median < 5.9 || median > 6.1 || last < 10.9 || last > 11.1 {
		t.Errorf("%d operations, share %v, median %v, largest %v ms\n%s", before, share, median, last, text.String())
	}
	if !strings.Contains(text.String(), "#[Max     =") || !strings.HasPrefix(text.String(), "#[log/file@8, 10000 operations timed]") {
		t.Error(strings.SplitN(text.String(), "\n", 2)[0])
	}
}

// Every cell has a file of its own, on file systems too that take capitals for small
// letters. What is called like a file with a number keeps its name.
func TestEveryDistributionHasAFileOfItsOwn(t *testing.T) {
	cell := func(variant string, n int) results.Summary {
		s := summary(variant, "nothing", n, 1000, 100)
		s.Experiment, s.Hist = "S", new(hist.Histogram)
		s.Hist.Record(1)
		return s
	}
	cells := []results.Summary{cell("A", 1), cell("a", 1), cell("a-1", 2), cell("a_1", 2), cell("a", 12), cell("a", 1)}
	var names []string
	for _, d := range report.Distributions(&results.Report{Findings: []results.Finding{{Summaries: cells}}}) {
		names = append(names, d.Name)
	}
	if want := []string{"s-a-1", "s-a-1-3", "s-a-1-2", "s-a-1-2-2", "s-a-12", "s-a-1-4"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

// Figures of experiments that differ in what no file name holds do not overwrite each
// other.
func TestEveryFigureHasAFileOfItsOwn(t *testing.T) {
	r := &results.Report{}
	for _, name := range []string{"mod/A", "mod/a", "mod-a-2"} {
		s := summary("file", "nothing", 1, 1000, 100)
		s.Experiment = name
		r.Findings = append(r.Findings, results.Finding{Experiment: results.Experiment{Name: name, Unit: "operation"}, Summaries: []results.Summary{s}})
	}
	figures, err := report.Figures(r)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range figures {
		if seen[f.Name] {
			t.Errorf("two figures are %s", f.Name)
		}
		seen[f.Name] = true
	}
	if !seen["mod-a-throughput"] || !seen["mod-a-2-throughput"] || !seen["mod-a-3-throughput"] {
		t.Errorf("%v", seen)
	}
}
