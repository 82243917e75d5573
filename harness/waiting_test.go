package harness

import (
	"runtime"
	"testing"
)

// A short operation is not timed each time because hundreds of goroutines wait for
// each other: that would take longer than the operation.
func TestWaitingIsNoReasonToTimeEach(t *testing.T) {
	processors := min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	for _, c := range []struct {
		n    int
		rate float64 // of all goroutines, operations a second
		each bool
	}{
		{1, 1e7, false}, {1, 1e5, true},
		{500, 1e7, false}, {500, float64(processors) * 1e6, false}, {500, float64(processors) * 1e5, true},
	} {
		p := &planned{cell: cell{goroutines: c.n}, cellState: &cellState{Rate: c.rate}}
		if got := p.took() >= eachFrom; got != c.each {
			t.Errorf("N = %d, %v/s: a processor has %v ns for an operation, each timed: %v", c.n, c.rate, p.took(), got)
		}
	}
}
