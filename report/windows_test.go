package report_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// Windows that lasted longer than planned are not told as planned.
func TestWindowsAreToldAsTheyWere(t *testing.T) {
	for _, c := range []struct {
		walls   []int64
		brief   string
		verbose string
	}{
		{[]int64{200e6, 220e6}, "windows of 220ms or less on average;", "about 220ms, less where a budget of 1m0s asked for it."},
		{[]int64{100e6, 340e6}, "windows of 220ms or less on average;", "about 220ms, less where a budget of 1m0s asked for it."},
		{[]int64{50e6, 5950e6}, "windows of 220ms or less on average (measured: 3.00 s);", "about 220ms, less where a budget of 1m0s asked for it (measured: 3.00 s)."},
	} {
		r := logReport(1)
		for i, wall := range c.walls {
			r.Findings[0].Trials = append(r.Findings[0].Trials, results.Trial{Experiment: "log", Variant: "memory", Goroutines: 1, Block: i + 1, WallNS: wall, Usage: results.MissingUsage()})
		}
		for name, text := range map[string]string{"brief": render(t, brief, r), "page": htmlOf(t, r)} {
			if !strings.Contains(plain(text), c.brief) {
				t.Errorf("%v: %s does not say %q", c.walls, name, c.brief)
			}
		}
		for name, text := range map[string]string{"text": render(t, verbose, r), "Markdown": render(t, report.Markdown, r), "page": strings.ReplaceAll(htmlOf(t, r), "</dd>", ".")} {
			if !strings.Contains(plain(text), c.verbose) {
				t.Errorf("%v: %s does not say %q", c.walls, name, c.verbose)
			}
		}
	}
}
