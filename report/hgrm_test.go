package report_test

import (
	"bufio"
	"fmt"
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
