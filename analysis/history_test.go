package analysis_test

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// The change is that from the first run to the last, whatever lies between; a run
// that lacks a cell has no figure of it.
func TestHistoryGoesFromTheFirstToTheLast(t *testing.T) {
	first, between, last := runOf(spread(1e6)...), runOf(), runOf(spread(0.5e6)...)
	first.Envs[0].Start = time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	h := analysis.History(first, between, last)
	if len(h.Rows) != 1 || len(h.Rows[0].Rates) != 3 || h.Rows[0].Rates[1].Median.Known() || h.Rows[0].Change.Call != results.Worse {
		t.Fatalf("%+v", h.Rows)
	}
	if h.Runs[0] != "11-01 10:00" || h.Runs[2] != "run 3" {
		t.Errorf("runs %q", h.Runs)
	}
	if h := analysis.History(first); len(h.Rows) > 0 {
		t.Errorf("one run has changed: %+v", h.Rows)
	}
}
