package analysis

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// Rules of the warnings; docs/method.md gives their reasons.
const (
	minTrials   = 6         // fewer carry no 95 % interval
	fiveTrials  = 5         // their extremes hold the median
	ofFive      = 1 - 2./32 // so often
	wide        = 0.25      // half-width of an interval that should not be acted on
	busyGC      = 0.05      // share of CPU time from which the collector is suspected
	effective   = 0.9       // of N
	shortWindow = 50 * time.Millisecond
	disturbed   = 3 // one trial in so many
)

// doubts are the warnings of one summary.
func doubts(s results.Summary, trials []results.Trial, run *results.Run, outcomes []results.Outcome) []results.Warning {
	var all []results.Warning
	warn := func(code, format string, args ...any) {
		all = append(all, results.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	if s.Trials == fiveTrials {
		warn(results.WarnTrials, "of five trials the interval of throughput is at 93.8 %%, not at 95 %%: nothing is told apart by them")
	} else if s.Trials < minTrials {
		warn(results.WarnTrials, "fewer than %d trials carry no 95 %% interval", minTrials)
	}
	if s.Open == nil && varies(s.OpsPerS) {
		if s.GCShare > busyGC {
			warn(results.WarnGC, "throughput varies by more than ±%.0f %% while the garbage collector is at work: the figure is loose, ratios within a block may still hold", 100*wide)
		} else {
			warn(results.WarnWide, "throughput varies by more than ±%.0f %%: the figure is loose, ratios within a block may still hold", 100*wide)
		}
	}
	if fails(trials) {
		warn(results.WarnFailed, "a hundredth or more of what was asked failed: it is in no rate and no latency")
	}
	if s.Spent {
		warn(results.WarnSpent, "the generator used nine tenths or more of the processors that it may: what it measured is not of the service alone")
	}
	if s.Open != nil && s.Open.Saturated {
		warn(results.WarnSaturated, "the generator itself was late, by over 1 ms and a tenth of the response: what it measured is not of the operation alone")
	}
	if s.Open == nil && float64(s.Effective) < effective*float64(s.Goroutines) {
		warn(results.WarnEffective, "goroutines were not all at work at once: fewer than 0.9 N on average")
	}
	if procs := processors(run, trials); s.Open == nil && procs > 0 && s.Goroutines > procs {
		warn(results.WarnProcessors, "more goroutines than %s: latency includes waiting for a processor", processorsText(procs))
	}
	if s.Open == nil && slices.ContainsFunc(trials, run.BeyondCores) {
		warn(results.WarnCores, "GOMAXPROCS is above the cores: what the runtime counts as running may wait for one")
	}
	if wall := median(trials, func(t results.Trial) float64 { return float64(t.WallNS) }); time.Duration(wall) < shortWindow {
		if least, most := plannedWindows(run, trials); most < 2*shortWindow && time.Duration(wall) >= least/2 {
			warn(results.WarnBrief, "windows shorter than %v, where %v or less were asked for", shortWindow, most)
		} else {
			warn(results.WarnShort, "windows shorter than %v", shortWindow)
		}
	}
	if warned(trials, results.WarnThrottled)*disturbed >= len(trials) {
		warn(results.WarnThrottled, "throttled: the cgroup's quota of processors held the process back in a third of the trials or more")
	}
	if slowStarts(trials) {
		warn(results.WarnSlowStart, "first operations took on average more than 5 %% of the window: the rate of those after them is higher")
	}
	if warned(trials, results.WarnPlan)*disturbed >= len(trials) {
		warn(results.WarnPlan, "%s", unlikePlan(trials))
	}
	if g := slowing(trials); math.Abs(g) > unsteady {
		warn(results.WarnUnsteady, "%s: the rate depends on how many operations it has (--ops gives each as many)", tookLonger(g))
	}
	if text := regimes(trials); text != "" {
		warn(results.WarnRegimes, "%s", text)
	}
	if text := risesOrFalls(trials); text != "" {
		warn(results.WarnTrend, "%s", text)
	}
	if text := beyondLaw(trials); text != "" {
		warn(results.WarnSamples, "%s", text)
	}
	if warned(trials, results.WarnLeft)*disturbed >= len(trials) {
		warn(results.WarnLeft, "goroutines that earlier trials started were at work beside a third of the trials or more")
	}
	if warned(trials, results.WarnDisturbed)*disturbed >= len(trials) {
		warn(results.WarnDisturbed, "other processes or the hypervisor took processor time in a third of the trials or more")
	}
	if idle(trials) {
		warn(results.WarnEmpty, "a trial or more %s", didNothing(trials))
	}
	if text := endedText(s, trials, outcomes); text != "" {
		warn(results.WarnEnded, "%s", text)
	}
	return append(all, remaining(trials)...)
}

// slowStarts reports that the middle trial had a slow start. Of fewer it is not said: by chance alone the second
// half of one in three trials can be faster by as much.
func slowStarts(trials []results.Trial) bool {
	return 2*warned(trials, results.WarnSlowStart) >= len(trials)
}

// unlikePlan says that trials took longer or shorter than planned, and of whom that is
// said: where a quota held them back it is nothing of the operation.
func unlikePlan(trials []results.Trial) string {
	text := "trials took three times as long as their calibration had it, or a third"
	free := slices.DeleteFunc(slices.Clone(trials), func(t results.Trial) bool { return hasWarning(t, results.WarnThrottled) })
	if warned(free, results.WarnPlan)*disturbed >= len(trials) {
		text += ": the operation is not steady"
	}
	return text
}

// cutWindow is the mean to which a budget can cut the windows of a variant.
const cutWindow = 30 * time.Millisecond

// plannedWindows are the shortest and the longest mean window that a plan of the trials
// asked for; longer than any where one of them does not say.
func plannedWindows(run *results.Run, trials []results.Trial) (least, most time.Duration) {
	least = math.MaxInt64
	for _, t := range trials {
		s := run.EnvOf(t).Settings
		if s.WindowNS <= 0 || s.Ops > 0 || s.Loop == results.GoTest {
			return math.MaxInt64, math.MaxInt64
		}
		window := time.Duration(s.WindowNS)
		most = max(most, window)
		if s.BudgetNS > 0 {
			window = min(window, cutWindow)
		}
		least = min(least, window)
	}
	return least, most
}

// endedText says of which trials the figures are if the variant ended by an error;
// empty if it did not.
func endedText(s results.Summary, trials []results.Trial, outcomes []results.Outcome) string {
	errors := slices.DeleteFunc(slices.Clone(outcomes), func(o results.Outcome) bool { return !o.Cell().SameSeries(s.Cell()) })
	before, elsewhere := 0, 0 // trials
	for _, t := range trials {
		inRun := func(o results.Outcome) bool { return o.Env == t.Env }
		switch {
		case t.Env < 0: // nobody knows
		case !slices.ContainsFunc(errors, inRun):
			elsewhere++
		case slices.ContainsFunc(errors, func(o results.Outcome) bool { return inRun(o) && t.Block <= o.Block }):
			before++
		}
	}
	switch {
	case len(errors) == 0:
		return ""
	case errors[0].Kind == results.OutcomeFailed:
		return "the benchmark did not pass every repetition; these it passed"
	case before == len(trials):
		return "the variant ended by an error; these are the trials before it"
	case before+elsewhere < len(trials) || slices.ContainsFunc(errors, func(o results.Outcome) bool { return o.Env < 0 }):
		return "the variant ended by an error"
	case elsewhere == len(trials):
		return "the variant ended by an error in another run; these are trials of runs that it did not end"
	}
	return "the variant ended by an error in one of the runs; trials of runs that it did not end are among these"
}

func processorsText(n int) string {
	if n == 1 {
		return "the one processor"
	}
	return fmt.Sprintf("the %d processors", n)
}

// varies reports an interval too wide to act on. Around a median of zero every
// width is.
func varies(i results.Interval) bool {
	if !i.Bounded() {
		return false
	}
	return i.HalfWidth() > wide || i.Median == 0 && i.High > i.Low
}

// remaining are the trials' own warnings that no rule here sums up, each once.
func remaining(trials []results.Trial) []results.Warning {
	var all []results.Warning
	for _, t := range trials {
		for _, w := range t.Warnings {
			switch w.Code {
			case results.WarnEffective, results.WarnShort, results.WarnBrief, results.WarnDisturbed, results.WarnThrottled, results.WarnSlowStart, results.WarnPlan, results.WarnLeft:
				continue
			}
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	return all
}

// warned counts the trials with a warning.
func warned(trials []results.Trial, code string) int {
	n := 0
	for _, t := range trials {
		if hasWarning(t, code) {
			n++
		}
	}
	return n
}

func hasWarning(t results.Trial, code string) bool {
	return slices.ContainsFunc(t.Warnings, func(w results.Warning) bool { return w.Code == code })
}
