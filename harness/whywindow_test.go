package harness

import (
	"testing"

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
