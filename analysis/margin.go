package analysis

import (
	"github.com/syncwrite/syncwrite/results"
)

// Two cells whose ratio lies within the margin are not told apart, however
// narrow its interval: where code happens to lie moves an operation by some
// 3 ns, which is up to 30 % of one that takes 10.
const (
	leastMargin = 0.05
	mostMargin  = 0.30
	layoutNS    = 3.0
)

// margin is the least ratio, less one, that is called a difference to this
// cell: 3 ns as a share of the processor time of one operation, at least 5 %
// and at most 30 %. Of X operations a second by N goroutines each takes
// min(N, processors) ÷ X, so that a thousand goroutines behind a lock do not
// pass for an operation of a nanosecond.
func margin(run *results.Run, trials []results.Trial) float64 {
	running := min(trials[0].Goroutines, max(processors(run, trials), 1))
	perOp := float64(running) / middle(trials) * 1e9
	return min(max(layoutNS/perOp, leastMargin), mostMargin)
}

// processors is the fewest that any of the trials had; 0 where nobody knows.
func processors(run *results.Run, trials []results.Trial) int {
	fewest := 0
	for _, t := range trials {
		if procs := run.Processors(t); procs > 0 && (fewest == 0 || procs < fewest) {
			fewest = procs
		}
	}
	return fewest
}
