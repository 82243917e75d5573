package harness

import (
	"fmt"
	"runtime"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

const (
	effectiveShare = 0.9 // of N
	unlikePlan     = 3.0 // times as long as planned, or as short
)

// trialWarnings are the doubts that a single trial shows by itself, and beside
// its plan.
func trialWarnings(t results.Trial, p *planned) []results.Warning {
	var all []results.Warning
	warn := func(code, format string, args ...any) {
		all = append(all, results.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	if effective := t.EffectiveGoroutines(); t.Open == nil && effective < effectiveShare*float64(t.Goroutines) {
		warn(results.WarnEffective, "on average %.1f of %d goroutines were at work at once", effective, t.Goroutines)
	}
	if t.Ops < results.LeastOps {
		all = append(all, results.FewOps())
	}
	long := max(float64(t.WallNS)/1e9, p.inside()) >= floorWindow.Seconds()
	if long && slowStarted(t) {
		warn(results.WarnSlowStart, "first operations took on average %.0f %% of the window: the rate of those after them is higher", 100*float64(t.FirstNS)/float64(t.WallNS))
	}
	throttling, throttled := cause.Throttled(t.Usage, t.WallNS)
	if times := float64(t.WallNS) / 1e9 / p.inside(); long && t.Open == nil && !p.byTime && (times > unlikePlan || times < 1/unlikePlan) {
		why := ": the operation is not steady"
		if throttled { // that is the quota's doing, or may be
			why = ""
		}
		warn(results.WarnPlan, "the trial took %s times as long as its calibration had it%s", results.Number(times).Three(), why)
	}
	if t.WallNS < floorWindow.Nanoseconds() {
		warn(results.WarnShort, "the window lasted %v, less than %v", time.Duration(t.WallNS).Round(time.Millisecond), floorWindow)
	}
	if doubt, is := disturbance(t, p); is {
		all = append(all, doubt)
	}
	if throttled {
		all = append(all, throttling)
	}
	return all
}

// disturbance is the doubt of a trial in which others took much of the processors.
func disturbance(t results.Trial, p *planned) (doubt results.Warning, is bool) {
	usage := t.Usage
	switch {
	case p.beside && (len(t.Processes) == 0 || !usage.UserNS.Known()):
		usage.OthersNS = 0 // nobody knows what the trial's used, or what it took to start them
	case len(t.Processes) > 0: // what those used is of the trial
		usage.OthersNS = t.OthersNS()
	}
	return cause.Disturbed(usage, t.CoveredNS(), max(runtime.NumCPU(), len(results.HeldTo(t.Processes))))
}

// leftOver is the doubt of a trial that began while goroutines of others were at
// work.
func leftOver(n int) results.Warning {
	what := "a goroutine that an earlier trial started was"
	if n > 1 {
		what = fmt.Sprintf("%d goroutines that earlier trials started were", n)
	}
	return results.Warning{Code: results.WarnLeft, Text: what + " still at work when the trial began"}
}
