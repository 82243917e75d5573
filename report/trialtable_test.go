package report_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/report"
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
			"plain, lost 4 374074 3000 6000 9000 12000 15000 18000 10500 2.81 %",
			"plain, lost 1 396078 0 0 0 0 0 0 0 0 %",
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

// The page sorts 950 µs before 1.06 ms.
func TestRunsSortByTime(t *testing.T) {
	page := htmlOf(t, lossyReport())
	for text, value := range map[string]string{"100 ms": "100000000", "261 ns": "261", "2.81 %": "2.81"} {
		if want := `data-v="` + value + `">` + text + "</td>"; !strings.Contains(page, want) {
			t.Errorf("the page has no cell %s", want)
		}
	}
}
