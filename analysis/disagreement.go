package analysis

import (
	"fmt"
	"math"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// mostDisagreed is by how much of the goroutines' time a traced window and the counters of the
// trials may differ.
const mostDisagreed = 0.05

// offProcessor says of a traced window that its goroutines, by the trace, ran for longer than the whole
// process used processors: a system call that the runtime does not know of, such as the start of another process,
// is no other state of theirs, and neither is a thread that the system takes off its processor.
func offProcessor(e results.Explanation) string {
	ran := share(e, results.TimeRunning)
	used := float64(e.UsedNS) / float64(max(e.TimeNS, 1))
	if e.Source == results.SourceProfiles || !(e.UsedNS > 0) || ran <= used+mostDisagreed {
		return ""
	}
	return fmt.Sprintf("by the trace its goroutines were on a processor for %.0f %% of the time, and the whole process used %.0f %%: they were taken off it, or in system calls that the runtime does not know of, such as the start of a process", 100*ran, 100*used)
}

// disagreement says what the counters of a cell's trials have otherwise than its traced window,
// which has the trials' rate: waits for locks and for processors, and the time on processors,
// of which a trace cannot have less, but for what it does not account for. Counters that are estimates have
// their own doubt on top. Profiles are counters in part, and not held to them.
func disagreement(e results.Explanation, trials []results.Trial) string {
	if e.Source == results.SourceProfiles || len(trials) == 0 || isOpen(trials) {
		return ""
	}
	left := max(0, unexplained(e))
	c := causes(trials)
	if c.Shared { // other goroutines of the process are counted, too
		return ""
	}
	for _, k := range []struct {
		name            string
		counted, traced float64
		get             func(results.Usage) results.Number
	}{
		{results.TimeLock, float64(c.Lock), share(e, results.TimeLock) - fileLocks(e), func(u results.Usage) results.Number { return u.MutexWaitNS }},
		{results.TimeRunnable, float64(c.Scheduler), share(e, results.TimeRunnable), func(u results.Usage) results.Number { return u.SchedWaitNS }},
	} {
		doubt := 2 * standardError(each(trials, func(t results.Trial) float64 { return float64(k.get(t.Usage)) / float64(t.GoroutineNS) }))
		if less := k.counted - k.traced; less > mostDisagreed+doubt+left || -less > mostDisagreed+doubt { // false where it is missing
			return fmt.Sprintf("the counters of its trials have %.0f %% %s, the trace %.0f %%", 100*k.counted, k.name, 100*k.traced)
		}
	}
	on := share(e, results.TimeRunning) + share(e, results.TimeSystem) + share(e, results.TimeFlush) + share(e, results.TimeForeign) + share(e, results.TimeCollector)
	collector := float64(median(trials, func(t results.Trial) float64 { return float64(t.Usage.GCCPUNS) / float64(t.GoroutineNS) }))
	if used := float64(c.CPU) - collector; used > on+mostDisagreed+left {
		return fmt.Sprintf("its trials used processors for %.0f %% of the time, the trace has %.0f %%", 100*used, 100*on)
	}
	return ""
}

// fileLocks is the share of the time that went to locks inside files, which the counter of
// waits for mutexes does not have.
func fileLocks(e results.Explanation) (share float64) {
	for _, p := range e.Parts {
		for _, place := range p.Places {
			if p.Kind == results.TimeLock && place.Call == results.FileLock {
				share += float64(place.NS) / float64(e.TimeNS)
			}
		}
	}
	return share
}

// standardError is that of the mean of a few values; 0 of one.
func standardError(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	return math.Sqrt(stats.Variance(values) / float64(len(values)))
}
