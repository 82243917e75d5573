package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

const (
	// mostPerturbed is by how much of the trials' median a traced window's rate may differ
	// for its shares to be those of the trials.
	mostPerturbed = 0.10
	// leastAccounted is the part of the goroutines' time that must be explained.
	leastAccounted = 0.98
)

// explained says of each traced window of an experiment what it tells of its cell.
func explained(run *results.Run, f results.Finding) (all []results.Explanation) {
	for _, b := range run.Breakdowns {
		if b.Experiment != f.Experiment.Name {
			continue
		}
		e := results.Explanation{Breakdown: b, RateShare: rateShare(b, f.Trials)}
		e.Text = explain(e)
		all = append(all, e)
	}
	return all
}

// rateShare is the traced window's rate by the median of its cell's trials.
func rateShare(b results.Breakdown, trials []results.Trial) results.Number {
	var rates []float64
	for _, t := range trials {
		if t.Cell() == b.Cell() && t.Env == b.Env {
			rates = append(rates, t.OpsPerS())
		}
	}
	if len(rates) == 0 {
		return results.Missing()
	}
	return b.OpsPerS / results.Number(stats.Median(rates))
}

// explain says where the time went, or why that is not known. A window that tracing has
// slowed, or sped up, has its order of losses told and no shares.
func explain(e results.Explanation) string {
	if e.Reason != "" {
		return "not traced: " + e.Reason + "."
	}
	if e.TimeNS == 0 || len(e.Parts) == 0 {
		return "not traced: its goroutines did nothing."
	}
	if left := share(e, results.TimeUnknown); left > 1-leastAccounted {
		return fmt.Sprintf("not accounted for: of %.0f %% of the time nobody knows where it went.", 100*left)
	}
	parts := slices.Clone(e.Parts)
	slices.SortStableFunc(parts, func(a, b results.BreakdownPart) int { return cmp.Compare(b.NS, a.NS) })
	if off := e.RateShare - 1; !(off <= mostPerturbed && off >= -mostPerturbed) {
		return perturbed(e, parts)
	}
	return strings.TrimSpace(losses(e, parts) + " " + meaning(e, parts[0]))
}

// perturbed tells no share.
func perturbed(e results.Explanation, parts []results.BreakdownPart) string {
	var kinds []string
	for _, p := range parts[:min(len(parts), 3)] {
		kinds = append(kinds, p.Kind)
	}
	how := "by which nobody knows how much"
	if e.RateShare.Known() {
		how = fmt.Sprintf("to %.2f× the rate of its trials", float64(e.RateShare))
	}
	return fmt.Sprintf("perturbed: tracing changed it, %s. Traced, most of the time went, in this order: %s.", how, strings.Join(kinds, "; "))
}

func share(e results.Explanation, kind string) float64 {
	for _, p := range e.Parts {
		if p.Kind == kind {
			return float64(p.NS) / float64(e.TimeNS)
		}
	}
	return 0
}

// leastTold is the least share of the time that is told of.
const leastTold = 0.05

// losses tells the largest parts, and the place of each.
func losses(e results.Explanation, parts []results.BreakdownPart) string {
	var told []string
	for _, p := range parts[:min(len(parts), 3)] {
		if of := float64(p.NS) / float64(e.TimeNS); of >= leastTold {
			told = append(told, fmt.Sprintf("%.0f %% %s%s", 100*of, p.Kind, atPlace(p)))
		}
	}
	return strings.Join(told, "; ") + "."
}

// atPlace says where the most of a part was lost.
func atPlace(p results.BreakdownPart) string {
	if len(p.Places) == 0 {
		return ""
	}
	at := p.Places[0]
	text := ", in " + at.Call + " at " + at.Where
	if at.Call == "" {
		text = ", at " + at.Where
	}
	if part := float64(at.NS) / float64(max(p.NS, 1)); part < 0.95 {
		text += fmt.Sprintf(" (%.0f %% of that)", 100*part)
	}
	if at.Woken != "" && at.Doing != "" {
		text += fmt.Sprintf(", which ended at %s; who ended it was mostly %s", at.Woken, at.Doing)
	}
	return text
}

// meaning is one word for what the largest part says, where it says one.
func meaning(e results.Explanation, top results.BreakdownPart) string {
	if float64(top.NS) < 0.5*float64(e.TimeNS) {
		return "No single cause has half of it."
	}
	switch top.Kind {
	case results.TimeLock:
		if len(top.Places) > 0 && float64(top.Places[0].NS) >= 0.5*float64(e.TimeNS) {
			return "Most of the time is lost at that line; whether one lock is taken there or several, a trace does not tell."
		}
		return "It is held up at locks, no single line of which has half of the time."
	case results.TimeChannel, results.TimeCondition:
		return "Most of the time it waits for others, or for a timer."
	case results.TimeFlush:
		return "It is limited by the device."
	case results.TimeRunnable:
		return "There are more goroutines than processors; whether those on one do work, or spin, a trace does not tell."
	case results.TimeCollector:
		return "It is limited by the garbage collector."
	case results.TimeRunning:
		return "It is on a processor: a trace does not tell work from spinning or from waiting for memory."
	}
	return ""
}
