package harness

import (
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// fit sets the operations of every series so that the windows of a series last
// the configured mean, its fastest cell the floor, and the run its budget. What is
// outside of windows can take more than that: then the budget gives way.
func (r *runner) fit(allSeries []*series, spent time.Duration) {
	share := 1.0 // of each series's window
	budget := (1 - againReserve) * r.config.Budget.Seconds()
	// Shrinking the window does not shrink what is outside of it or above the
	// floor, so a few rounds are needed.
	for range 8 {
		for _, g := range allSeries {
			if !g.Failed {
				r.fitSeries(g, max(g.window.Seconds()*share, min(g.window, leastWindow).Seconds()))
			}
		}
		left := budget - spent.Seconds()
		inside, outside := r.expected(allSeries)
		if budget == 0 || inside+outside <= left {
			return
		}
		share *= max((left-outside)/inside, 0.1)
	}
}

func (r *runner) fitSeries(g *series, window float64) {
	if r.fixed(g.cells[0]) > 0 || g.byTime {
		return
	}
	if !g.arrivals.Closed() {
		for _, p := range g.cells {
			p.due(time.Duration(window * 1e9))
		}
		return
	}
	perOp, fastest := 0.0, 0.0
	for _, p := range g.cells {
		perOp += 1 / p.Rate
		fastest = max(fastest, p.Rate)
	}
	ops := window * float64(len(g.cells)) / perOp
	ops = max(ops, fastest*min(floorWindow.Seconds(), window))
	ops = max(ops, min(results.LeastOps, 2*ops)) // where that does not make its window twice as long
	for _, p := range g.cells {
		p.Ops = max(int(ops), g.most())
	}
}

// most is the highest level of N: every goroutine does at least one operation.
func (g *series) most() int {
	most := 0
	for _, p := range g.cells {
		most = max(most, p.goroutines)
	}
	return most
}

// expected is the time that all blocks will take inside and outside windows,
// in seconds, the warm-up included.
func (r *runner) expected(allSeries []*series) (inside, outside float64) {
	for _, p := range cells(allSeries) {
		if p.series.Failed {
			continue
		}
		inside += float64(p.Ops) / p.Rate * float64(r.config.Trials)
		outside += (p.Outside + p.Startup) * float64(r.config.Trials)
	}
	return inside, outside
}
