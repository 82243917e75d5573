package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// leastAccounted is the part of the goroutines' time that must be explained.
const leastAccounted = 0.98

// explained says of each cell of an experiment that was looked into what the window tells of
// it that speaks: the traced one, or one that was profiled where tracing changed too much.
func explained(run *results.Run, f results.Finding) (all []results.Explanation) {
	for _, b := range run.Breakdowns {
		if b.Experiment != f.Experiment.Name {
			continue
		}
		e := explanation(run, b, f.Trials)
		i := slices.IndexFunc(all, func(o results.Explanation) bool { return o.Cell() == b.Cell() && o.Env == b.Env })
		switch {
		case i < 0:
			all = append(all, e)
		case e.Source != results.SourceProfiles || all[i].Shares: // the first window speaks
		case e.Shares || e.Reason == "" && unexplained(e) <= unexplained(all[i]): // the profiles do, or tell no less of the order
			e.Text = whyNotTraced(all[i], trialsOf(f, e.Cell())) + "; by profiles: " + e.Text
			all[i] = e
		case e.Reason != "" && all[i].Reason != "":
			all[i].Text = notLookedInto + all[i].Reason + "; by profiles: " + e.Reason + "."
		default:
			all[i].Text = strings.TrimSuffix(all[i].Text, ".") + "; by profiles: " + e.Text
		}
	}
	return all
}

const notLookedInto = "not looked into: "

// whyNotTraced is why a traced window does not speak.
func whyNotTraced(e results.Explanation, trials []results.Trial) string {
	if e.Reason != "" {
		return "Not traced: " + e.Reason
	}
	if len(e.Warnings) > 0 { // that may be what changed it
		return "Its traced window was disturbed: " + e.Warnings[0].Text
	}
	return "Tracing" + orOutside(trials) + " changed it" + byHow(e.RateShare)
}

// measured is the trials of a cell that was looked into.
type measured struct {
	trials     []results.Trial
	processors int             // that its goroutines could be on at once; 0 where nobody knows
	others     map[int]float64 // median rates of the same with other numbers of goroutines
}

func explanation(run *results.Run, b results.Breakdown, trials []results.Trial) results.Explanation {
	var of measured
	others := map[int][]results.Trial{}
	cell := b.Cell()
	for _, t := range trials {
		if cell.Goroutines = t.Goroutines; t.Cell() != cell || t.Env != b.Env {
			continue
		}
		if t.Goroutines != b.Goroutines {
			others[t.Goroutines] = append(others[t.Goroutines], t)
			continue
		}
		of.trials, of.processors = append(of.trials, t), run.Processors(t)
	}
	of.trials, of.others = calm(of.trials), map[int]float64{}
	for n, some := range others {
		of.others[n] = measured{trials: calm(some)}.rate()
	}
	e := results.Explanation{Breakdown: b, RateShare: results.Missing()}
	if len(of.trials) > 0 {
		e.RateShare = b.OpsPerS / results.Number(of.rate())
	}
	e.Text, e.Shares = explain(e, of)
	return e
}

func (m measured) rates() []float64 { return each(m.trials, results.Trial.OpsPerS) }

func (m measured) each(of func(results.Trial) results.Number) []float64 {
	return each(m.trials, func(t results.Trial) float64 { return float64(of(t)) })
}

// rate is the median of the cell's trials.
func (m measured) rate() float64 { return stats.Median(m.rates()) }

// explain says where the time went, or why that is not known. Of a window that is unlike its
// cell's trials the order of losses is told and no shares.
func explain(e results.Explanation, of measured) (text string, shares bool) {
	if e.Reason != "" {
		return notLookedInto + e.Reason + ".", false
	}
	if e.TimeNS == 0 || len(e.Parts) == 0 {
		return notLookedInto + "its goroutines did nothing.", false
	}
	parts := slices.Clone(e.Parts)
	slices.SortStableFunc(parts, func(a, b results.BreakdownPart) int { return cmp.Compare(b.NS, a.NS) })
	if len(e.Warnings) > 0 {
		return "disturbed: " + e.Warnings[0].Text + " in the window that was looked into. There, " + order(e, parts) + ".", false
	}
	if e.Unlike(of.rates()) {
		return perturbed(e, parts, of.trials), false
	}
	if text := offProcessor(e); text != "" {
		return "not to be believed: " + text + ".", false
	}
	if e.OtherWork(of.each(results.Trial.OpNS)) {
		return fmt.Sprintf("not of its trials: in the window that was looked into an operation took its goroutines %.3g× as long as in those, as fewer of them, or more, were under way at once. There, %s; as many operations in both would tell.",
			float64(e.OpNS)/stats.Median(of.each(results.Trial.OpNS)), order(e, parts)), false
	}
	if unlike := disagreement(e, of.trials); unlike != "" {
		return "not to be believed: " + unlike + ". Traced, " + order(e, parts) + ".", false
	}
	text = losses(e, parts) + meaning(e, parts[0], of) + unlikeMost(e, of)
	if left := unexplained(e); left > 1-leastAccounted {
		text = fmt.Sprintf("not accounted for: of %.0f %% of the time nobody knows where it went. Of all of it: ", 100*left) + text
	}
	return text, true
}

// perturbed tells no share.
func perturbed(e results.Explanation, parts []results.BreakdownPart, trials []results.Trial) string {
	how := "tracing"
	if e.Source == results.SourceProfiles {
		how = "profiling"
	}
	return fmt.Sprintf("perturbed: %s%s changed it%s. With it, %s.", how, orOutside(trials), byHow(e.RateShare), order(e, parts))
}

// orOutside is what may have changed a window's rate besides looking into it: it is not as long as a trial's.
func orOutside(trials []results.Trial) string {
	if warned(trials, results.WarnOutside) == 0 {
		return ""
	}
	return ", or timed work outside RunParallel, of which a window of another length has another part,"
}

// calm are the trials that others did not disturb, or all where they disturbed all: what one was
// disturbed by is no way in which trials differ.
func calm(trials []results.Trial) []results.Trial {
	some := slices.DeleteFunc(slices.Clone(trials), func(t results.Trial) bool { return hasWarning(t, results.WarnDisturbed) })
	if len(some) == 0 {
		return trials
	}
	return some
}

// unlikeMost says of a window that is like one of the cell's trials, and not like most, that it is.
func unlikeMost(e results.Explanation, of measured) string {
	if !e.Unlike([]float64{of.rate()}) {
		return ""
	}
	return fmt.Sprintf(" This window had %.2f× the rate of most trials, of which some are as far off.", float64(e.RateShare))
}

func byHow(share results.Number) string {
	if !share.Known() {
		return ", by which nobody knows how much"
	}
	return fmt.Sprintf(", to %.2f× the rate of its trials", float64(share))
}

// mentioned is the least share of a part that is named where shares are not told.
const mentioned = 0.05

// order names the three largest parts, unless nobody knows of most of the time.
func order(e results.Explanation, parts []results.BreakdownPart) string {
	var kinds []string
	for _, p := range parts {
		if p.Kind != results.TimeUnknown && len(kinds) < 3 && float64(p.NS) >= mentioned*float64(e.TimeNS) {
			kinds = append(kinds, p.Kind)
		}
	}
	if unexplained(e) > 0.5 || len(kinds) == 0 {
		return "nobody knows where most of the time went"
	}
	if left := unexplained(e); left > 1-leastAccounted {
		return fmt.Sprintf("%.0f %% of the time is not accounted for, and most of the rest went, in this order: ", 100*left) + strings.Join(kinds, "; ")
	}
	return "most of the time went, in this order: " + strings.Join(kinds, "; ")
}

func share(e results.Explanation, kind string) float64 {
	for _, p := range e.Parts {
		if p.Kind == kind {
			return float64(p.NS) / float64(e.TimeNS)
		}
	}
	return 0
}

// unexplained is the share of the time of which nothing is told.
func unexplained(e results.Explanation) float64 {
	left := 1.0
	for _, p := range e.Parts {
		if p.Kind != results.TimeUnknown {
			left -= float64(p.NS) / float64(e.TimeNS)
		}
	}
	return left
}

// leastTold is the least share of the time that is told of.
const leastTold = 0.05

// losses tells the largest parts, and the place of each.
func losses(e results.Explanation, parts []results.BreakdownPart) string {
	var told []string
	for _, p := range parts {
		if of := float64(p.NS) / float64(e.TimeNS); of >= leastTold && p.Kind != results.TimeUnknown && len(told) < 3 {
			told = append(told, fmt.Sprintf("%s%.0f %% %s%s", atLeast(e, p.Kind), 100*of, p.Kind, atPlace(p, e.Source)))
		}
	}
	return cmp.Or(strings.Join(told, "; "), "nothing has a twentieth") + "."
}

// atLeast is said of what profiles know the time on a processor of alone, while some time is not accounted for.
func atLeast(e results.Explanation, kind string) string {
	if e.Source == results.SourceProfiles && (kind == results.TimeFlush || kind == results.TimeSystem) && unexplained(e) > 1-leastAccounted {
		return "at least "
	}
	return ""
}

// notYetHolding reports that who ended waits for a mutex was mostly waiting for a processor: whoever is woken has no
// mutex yet, which another may take and hold meanwhile without a wait that a trace could show.
func notYetHolding(at results.BreakdownPlace) bool {
	return at.Doing == results.TimeRunnable && (at.Call == "sync.(*Mutex).Lock" || at.Call == "sync.(*RWMutex).Lock")
}

// atPlace says where the most of a part was lost. A trace knows who ended a wait; the profile of mutexes
// charges an unlock with the waits of all that still queue, so that it knows who held them up.
func atPlace(p results.BreakdownPart, source string) string {
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
	switch {
	case at.Woken == "":
	case source == results.SourceProfiles:
		text += ", held up mostly by who unlocks at " + at.Woken
	default:
		text += ", which ended at " + at.Woken
	}
	if at.Woken != "" && at.Doing != "" && !notYetHolding(at) {
		text += "; who ended it was mostly " + at.Doing
	}
	return text
}
