package analysis

import (
	"fmt"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Rules of the warnings; docs/method.md gives their reasons.
const (
	minTrials   = 6    // fewer carry no 95 % interval
	wide        = 0.25 // half-width of an interval that should not be acted on
	busyGC      = 0.05 // share of CPU time from which the collector is suspected
	effective   = 0.9  // of N
	shortWindow = 50 * time.Millisecond
	disturbed   = 3 // one trial in so many
)

// doubts are the warnings of one summary.
func doubts(s results.Summary, trials []results.Trial, run *results.Run, outcomes []results.Outcome) []results.Warning {
	var all []results.Warning
	warn := func(code, format string, args ...any) {
		all = append(all, results.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	if s.Trials < minTrials {
		warn(results.WarnTrials, "fewer than %d trials carry no 95 %% interval", minTrials)
	}
	if varies(s.OpsPerS) {
		if s.GCShare > busyGC {
			warn(results.WarnGC, "inconclusive: GC — throughput varies by more than ±%.0f %% while the garbage collector is at work", 100*wide)
		} else {
			warn(results.WarnWide, "throughput varies by more than ±%.0f %%: do not decide by it", 100*wide)
		}
	}
	if float64(s.Effective) < effective*float64(s.Goroutines) {
		warn(results.WarnEffective, "goroutines were not all at work at once: fewer than 0.9 N on average")
	}
	if procs := processors(run, trials); procs > 0 && s.Goroutines > procs {
		warn(results.WarnProcessors, "more goroutines than the %d processors: latency includes waiting for one", procs)
	}
	if wall := median(trials, func(t results.Trial) float64 { return float64(t.WallNS) }); time.Duration(wall) < shortWindow {
		warn(results.WarnShort, "windows shorter than %v", shortWindow)
	}
	if disturbances(trials)*disturbed >= len(trials) {
		warn(results.WarnDisturbed, "other processes or the hypervisor took processor time in a third of the trials or more")
	}
	if slices.ContainsFunc(outcomes, func(o results.Outcome) bool { return sameGroup(o, s) }) {
		warn(results.WarnEnded, "the variant ended by an error; these are the trials before it")
	}
	return append(all, remaining(trials)...)
}

// varies reports an interval too wide to act on. Around a median of zero every
// width is.
func varies(i results.Interval) bool {
	if !i.Bounded() {
		return false
	}
	return i.HalfWidth() > wide || i.Median == 0 && i.High > i.Low
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

// remaining are the trials' own warnings that no rule here sums up, each once.
func remaining(trials []results.Trial) []results.Warning {
	var all []results.Warning
	for _, t := range trials {
		for _, w := range t.Warnings {
			switch w.Code {
			case results.WarnEffective, results.WarnShort, results.WarnDisturbed:
				continue
			}
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	return all
}

func disturbances(trials []results.Trial) int {
	n := 0
	for _, t := range trials {
		if slices.ContainsFunc(t.Warnings, func(w results.Warning) bool { return w.Code == results.WarnDisturbed }) {
			n++
		}
	}
	return n
}

func sameGroup(o results.Outcome, s results.Summary) bool {
	return o.Variant == s.Variant && results.FactorKey(o.Factors) == results.FactorKey(s.Factors)
}
