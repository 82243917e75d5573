package report_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
	"github.com/syncwrite/syncwrite/results"
)

// Every trial of a tabled experiment is in its report, with what it lost, in
// all renderers alike; one that does not ask for it has no such table.
func TestRunsAreTabled(t *testing.T) {
	r := lossyReport()
	for name, text := range map[string]string{
		"text":     plain(render(t, verbose, r)),
		"Markdown": plain(strings.ReplaceAll(render(t, report.Markdown, r), "|", "")),
		"page":     plain(bareText(strings.NewReplacer("</td>", " ", "</th>", " ").Replace(htmlOf(t, r)))),
	} {
		for _, want := range []string{
			"plain, lost 4 374074–392592 3000 6000 9000 12000 15000 18000 10500 2.74 %",
			"plain, lost 1 396078–415686 0 0 0 0 0 0 0 0 %",
		} {
			text, want = strings.ReplaceAll(text, " %", "%"), strings.ReplaceAll(want, " %", "%")
			if !strings.Contains(text, want) {
				i := strings.Index(text, "plain, lost")
				t.Errorf("%s lacks %q: %.300s", name, want, text[max(i, 0):])
			}
		}
	}
	r.Findings[0].Experiment.Tabled = false
	if text := render(t, verbose, r); strings.Contains(text, "Run by run") {
		t.Error("a table that nobody asked for")
	}
}

// Runs that were merged differ in how many operations a trial had, and one may not have
// counted what was lost.
func TestRunsOfMergedTrials(t *testing.T) {
	for _, c := range []struct {
		name  string
		merge func(t *results.Trial)
		want  string
	}{
		{"as many", func(*results.Trial) {}, "plain, lost 4 3000 6000 9000 12000 15000 18000 10500 2.62%"},
		{"of unlike numbers", func(t *results.Trial) { t.Ops *= 10 }, "plain, lost 4 400000–4000000 3000 6000 9000 12000 15000 18000 10500 0.477%"},
		{"not counted", func(t *results.Trial) { t.Lost = nil }, "plain, lost 4 – – – 12000 15000 18000 15000 3.75%"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := lossyReport()
			for i := range r.Findings[0].Trials {
				t := &r.Findings[0].Trials[i]
				if t.Ops = 400_000; t.Variant == "plain" && t.Block <= 3 {
					c.merge(t)
				}
			}
			if text := strings.ReplaceAll(plain(render(t, verbose, r)), " %", "%"); !strings.Contains(text, c.want) {
				t.Errorf("no %q in %s", c.want, text[strings.Index(text, "Run by run"):])
			}
		})
	}
}

// The page sorts 950 µs before 1.06 ms.
func TestRunsSortByTime(t *testing.T) {
	page := htmlOf(t, lossyReport())
	for text, value := range map[string]string{"100 ms": "100000000", "261 ns": "261", "2.74 %": "2.74"} {
		if want := `data-v="` + value + `">` + text + "</td>"; !strings.Contains(page, want) {
			t.Errorf("the page has no cell %s", want)
		}
	}
}
