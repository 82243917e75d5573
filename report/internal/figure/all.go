package figure

import (
	"github.com/syncwrite/syncwrite/report/internal/sheet"
	"github.com/syncwrite/syncwrite/results"
)

// All are the figures of one experiment, in the order of the page.
func All(finding results.Finding) []Drawing {
	f, note := Drawn(sheet.New(finding))
	var all []Drawing
	drawings := []Drawing{Main(sheet.New(finding), f), PercentOfSerial(f), Latencies(f), Distributions(f), TrialPoints(f), WhyBars(f), CauseBars(f)}
	if sheet.Open(f) {
		drawings = []Drawing{OverRate(f), Distributions(f)}
	}
	drawings = append(drawings, OverTime(f)...)
	for _, d := range drawings {
		if !d.Empty() {
			if note != "" {
				d.Notes = append(d.Notes, note)
			}
			all = append(all, d)
		}
	}
	return all
}
