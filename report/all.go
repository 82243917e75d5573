package report

import (
	"github.com/syncwrite/syncwrite/results"
)

// drawings are the figures of one experiment, in the order of the page.
func drawings(finding results.Finding) []drawing {
	f, note := drawn(newSheet(finding))
	var all []drawing
	for _, d := range []drawing{throughput(f), percentOfSerial(f), latencies(f), distributions(f), trialPoints(f), causeBars(f)} {
		if !d.empty() {
			if note != "" {
				d.Notes = append(d.Notes, note)
			}
			all = append(all, d)
		}
	}
	return all
}
