package analysis

import (
	"math"

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
// min(N, processors, the cgroup's quota of them) ÷ X, so that a thousand
// goroutines behind a lock do not pass for an operation of a nanosecond.
func margin(run *results.Run, trials []results.Trial) float64 {
	running := float64(min(trials[0].Goroutines, max(processors(run, trials), 1)))
	perOp := min(running, granted(run, trials)) / middle(trials) * 1e9
	return min(max(layoutNS/perOp, leastMargin), mostMargin)
}

// granted is the least quota of processors that a control group set to any of the
// trials; infinite without one.
func granted(run *results.Run, trials []results.Trial) float64 {
	least := math.Inf(1)
	for _, t := range trials {
		if quota := run.EnvOf(t).Machine.CPUQuota; quota > 0 {
			least = min(least, float64(quota))
		}
	}
	return least
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
