package analysis_test

import (
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// What is called worse at the level of all is held to the threshold for itself, as what passes is.
func TestGateOfOneOfMany(t *testing.T) {
	for name, c := range map[string]struct {
		sure, ratio, margin float64 // upper ends of the intervals
		want                string
	}{
		"worse, and beyond it for itself":         {0.99, 0.94, 0, results.GateFailed},
		"worse, and within it for all one knows":  {0.99, 0.96, 0, results.GateUnseen},
		"beyond it, but one of so many":           {1.01, 0.94, 0, results.GateUnseen},
		"beyond it, but within what layout makes": {0.99, 0.94, 0.02, results.GateUnseen},
		"beyond all": {0.9, 0.89, 0.02, results.GateFailed},
	} {
		change := results.Change{Experiment: "log", Variant: "file", Goroutines: 8, Margin: results.Number(c.margin),
			Ratio: results.Interval{Median: 0.88, Low: 0.85, High: results.Number(c.ratio)}, Sure: results.Interval{Median: 0.88, Low: 0.8, High: results.Number(c.sure)}}
		alone := &results.Comparison{Changes: []results.Change{change}}
		whole := &results.Comparison{Pooled: []results.Pooled{{Change: change, Levels: []int{1, 8}}}}
		for _, comparison := range []*results.Comparison{alone, whole} {
			if got := analysis.GateChanges(comparison, 0.05)[0]; got.Status != c.want {
				t.Errorf("%s: %s: %s, want %s", name, got.Status, got.Text, c.want)
			}
		}
	}
}
