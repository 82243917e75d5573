package harness

import (
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// A window that is looked into is long enough, but no goroutine does another number of
// operations than the variant says: they may meet in each.
func TestWhyWindow(t *testing.T) {
	for perGoroutine, want := range map[int]int{0: 2000, 21: 84} {
		p := &planned{
			cell:      cell{variant: Variant{PerGoroutine: perGoroutine}, goroutines: 4},
			cellState: &cellState{Ops: 84, Rate: 10_000}, series: &series{seriesState: new(seriesState)},
		}
		r := &runner{allSeries: []*series{p.series}, state: new(state)}
		r.state.Overhead = new(results.Overhead)
		if w := r.whyWindow(p); w.ops != want {
			t.Errorf("%d of each: %d operations, want %d", perGoroutine, w.ops, want)
		}
	}
}

// What the trials took says how many operations are enough, and what a window by time lasts is as planned.
func TestWhyWindowByItsTrials(t *testing.T) {
	for byTime, want := range map[bool]int{false: 4000, true: 84} {
		p := &planned{
			cell: cell{goroutines: 4}, byTime: byTime,
			cellState: &cellState{Ops: 84, Rate: 10_000, Rates: []float64{15_000, 20_000}}, series: &series{byTime: byTime, seriesState: new(seriesState)},
		}
		r := &runner{allSeries: []*series{p.series}, state: new(state)}
		r.state.Overhead = new(results.Overhead)
		if w := r.whyWindow(p); w.ops != want || w.span != 8400*time.Microsecond {
			t.Errorf("by time %v: %d operations in %v, want %d in 8.4ms", byTime, w.ops, w.span, want)
		}
	}
}
