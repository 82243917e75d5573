package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/syncwrite/syncwrite/results"
)

// openRate is why nothing is told of rates in the open loop.
const openRate = "in the open loop the rate is what was asked for, and tells nothing of what the operation takes"

// isOpen reports whether trials are of the open loop.
func isOpen(trials []results.Trial) bool {
	return len(trials) > 0 && !slices.ContainsFunc(trials, func(t results.Trial) bool { return t.Open == nil })
}

// The generator is late from a millisecond on, if that is more than a tenth of what the
// operation takes.
const (
	latestNS  = 1e6
	lateShare = 0.1
)

// fullShare is how much of N is under way, on average, where N is what limits.
const fullShare = 0.9

// openSummary sums up what the open loop adds to the response, which sum has; nil for the
// closed one.
func openSummary(trials []results.Trial, sum results.Summary) *results.OpenSummary {
	if !isOpen(trials) {
		return nil
	}
	late := quantilesOf(trials, func(t results.Trial) results.Latency { return t.Open.Late })
	o := &results.OpenSummary{
		DuePerS:  median(trials, func(t results.Trial) float64 { return float64(t.Open.DuePerS()) }),
		DonePerS: median(trials, func(t results.Trial) float64 { return float64(t.Open.DonePerS(t.Ops)) }),
		ServeNS:  quantilesOf(trials, func(t results.Trial) results.Latency { return t.Open.Serve }).P99NS,
		LagNS:    quantilesOf(trials, func(t results.Trial) results.Latency { return t.Open.Lag }).P99NS,
		LateNS:   late.P99NS,
		FinishNS: median(trials, func(t results.Trial) float64 { return float64(t.Open.FinishNS) }),
	}
	mean := median(trials, func(t results.Trial) float64 { return float64(t.Open.Serve.MeanNS) })
	o.Full = o.DonePerS*mean/1e9 >= fullShare*results.Number(trials[0].Goroutines)
	if !o.LateNS.Known() {
		o.LateNS = late.MaxNS
	}
	o.Saturated = saturated(late, sum)
	var each []*results.Open
	for _, t := range trials {
		each = append(each, t.Open)
		o.Unsent += t.Open.Unsent
		kept, judged := t.Open.KeptUp()
		if judged {
			o.Judged++
		}
		if judged && kept {
			o.KeptUp++
		}
	}
	o.Behind = o.KeptUp == 0 && results.FellBehind(each, isDrawn(trials))
	return o
}

// isDrawn reports whether the moments at which operations were due were drawn.
func isDrawn(trials []results.Trial) bool {
	return strings.HasPrefix(trials[0].Factors[results.RateFactor], results.DrawnRate)
}

// quantilesOf are those of one latency over the operations of all trials.
func quantilesOf(trials []results.Trial, get func(results.Trial) results.Latency) results.Summary {
	of := slices.Clone(trials)
	for i := range of {
		of[i].Latency = get(of[i])
	}
	var sum results.Summary
	latencies(&sum, of)
	return sum
}

// saturated reports whether the generator was late, at the highest quantile that is known
// both of its lateness and of the response: an overloaded server answers too few for p99.
// Where none is known, the generator is not blamed.
func saturated(late, response results.Summary) bool {
	for _, at := range []struct{ late, response results.Number }{
		{late.P99NS, response.P99NS}, {late.P90NS, response.P90NS}, {late.P50NS, response.P50NS}, {late.MaxNS, response.MaxNS},
	} {
		if at.late.Known() && at.response.Known() {
			return at.late > latestNS && at.late >= lateShare*at.response
		}
	}
	return false
}

// spent reports whether what asked a service used the processors that it may. Of an
// operation in the same process the processors are its own; of processes that another program
// measured, those that they can use at once.
func spent(run *results.Run, trials []results.Trial) bool {
	if len(trials[0].Kinds) == 0 {
		return false
	}
	return median(trials, func(t results.Trial) float64 {
		may := results.Number(run.Processors(t))
		if quota := run.EnvOf(t).Machine.CPUQuota; quota > 0 {
			may = min(may, quota)
		}
		if may == 0 { // nobody knows
			return math.NaN()
		}
		used := t.Usage.UserNS + t.Usage.SystemNS
		if !used.Known() {
			used = cpuOf(t, results.Generator)
			if most := mostOf(t, results.Generator); most > 0 {
				may = min(may, most)
			}
		}
		return float64(used / results.Number(t.WallNS) / may)
	}) >= fullyBusy
}

// dueRate is the rate that a series of the open loop was asked for.
func dueRate(s *series) float64 { return float64(s.cells[0].trials[0].Open.DuePerS()) }

// judgeOpen says of each variant up to which rate it keeps up, and what the response
// takes there. Nobody is ranked: what is better depends on the rate that one has.
func judgeOpen(allSeries []*series, f results.Finding) results.Verdict {
	v := results.Verdict{At: "in the open loop"}
	all := ladders(allSeries, f.Summaries)
	for _, c := range promises(all) {
		line := results.Line{Promise: c.label()}
		for _, l := range all {
			if l.steps[0].Promise == c.promise {
				line.Text = joined(line.Text, l.text())
				line.Variants = append(line.Variants, l.name)
				line.Cells = append(line.Cells, l.cells()...)
			}
		}
		v.Lines = append(v.Lines, line)
	}
	v.Sentence = inOne(v.At, v.Lines)
	v.Details = handovers(all)
	for _, o := range f.Errors() {
		v.Details = append(v.Details, ended(o))
	}
	return v
}

// A ladder is one variant at the levels of its rate, as the run has them.
type ladder struct {
	name  string
	steps []results.Summary
}

// ladders gathers the cells of the open loop by variant, other factors and N.
func ladders(allSeries []*series, summaries []results.Summary) []ladder {
	var all []ladder
	several := levelsOf(summaries) > 1
	for _, g := range allSeries {
		others := sweptOf(g, allSeries)
		delete(others, results.RateFactor)
		for _, s := range summaries {
			if s.Variant != g.variant.Name || results.FactorKey(s.Factors) != g.key || s.Open == nil {
				continue
			}
			name := strings.TrimSpace(s.Variant + " " + results.FactorKey(others))
			if several {
				name += fmt.Sprintf(" with %d at once", s.Goroutines)
			}
			at := slices.IndexFunc(all, func(l ladder) bool { return l.name == name })
			if at < 0 {
				at = len(all)
				all = append(all, ladder{name: name})
			}
			all[at].steps = append(all[at].steps, s)
		}
	}
	return all
}

// promises are those that were made, the strongest first.
func promises(all []ladder) []class {
	var made []class
	for _, l := range all {
		promise := l.steps[0].Promise
		if !slices.ContainsFunc(made, func(c class) bool { return c.promise == promise }) {
			made = append(made, class{promise: promise})
		}
	}
	return inOrder(made)
}

func levelsOf(summaries []results.Summary) int {
	levels := map[int]bool{}
	for _, s := range summaries {
		levels[s.Goroutines] = true
	}
	return len(levels)
}

func (l ladder) cells() []results.Cell {
	var all []results.Cell
	for _, s := range l.steps {
		all = append(all, s.Cell())
	}
	return all
}

// text says where the variant keeps up, and where it does not.
func (l ladder) text() string {
	var keeps, behind, unsure, late, spent, short, failed []string
	for _, s := range l.steps {
		rate := s.Factors[results.RateFactor] + "/s"
		switch o := s.Open; {
		case o.Saturated:
			late = append(late, rate)
		case s.Spent && o.KeptUp < s.Trials: // whoever keeps up does, whatever asks
			spent = append(spent, rate)
		case failedPart(s) >= failing:
			failed = append(failed, fmt.Sprintf("%s (%s of all)", rate, failedPart(s).Share()))
		case o.Judged < s.Trials:
			short = append(short, rate)
		case o.KeptUp == s.Trials:
			keeps = append(keeps, fmt.Sprintf("%s (p99 %s%s)", rate, responseText(s), lostOf(s)))
		case o.Behind:
			behind = append(behind, fmt.Sprintf("%s (%s/s done%s%s)", rate, o.DonePerS.Rate(), fullOf(s), lostOf(s)))
		default:
			unsure = append(unsure, fmt.Sprintf("%s (in %d of %s)", rate, s.Trials-o.KeptUp, results.Count(s.Trials, "trial")))
		}
	}
	var parts []string
	if len(keeps) > 0 {
		parts = append(parts, "keeps up with "+listed(keeps))
	}
	if len(behind) > 0 {
		parts = append(parts, "falls behind at "+listed(behind))
	}
	if len(unsure) > 0 {
		parts = append(parts, "may fall behind at "+listed(unsure))
	}
	if len(failed) > 0 {
		parts = append(parts, "fails at "+listed(failed))
	}
	if len(late) > 0 {
		parts = append(parts, "is not judged at "+listed(late)+", where the generator itself was late")
	}
	if len(spent) > 0 {
		parts = append(parts, "is not judged at "+listed(spent)+", where the generator had no processors left")
	}
	if len(short) > 0 {
		parts = append(parts, "is not judged at "+listed(short)+", where fewer than two are due in a trial, or one takes a quarter of it or more: longer trials tell, unless far more is due than is done")
	}
	return l.name + " " + strings.Join(parts, ", ")
}

// handsOver reports whether operations of a cell were finished behind their latencies: whoever
// was waited for leaves nothing that takes longer than one of them.
func handsOver(s results.Summary) bool {
	return s.Open != nil && s.Open.FinishNS > latestNS && !(s.Open.FinishNS <= s.Open.ServeNS)
}

// handovers names the variants of which the latency is none of the work.
func handovers(all []ladder) (said []string) {
	for _, l := range all {
		if slices.ContainsFunc(l.steps, handsOver) {
			said = append(said, l.name+" hands operations over, which are done later: their latencies end where they are handed over.")
		}
	}
	return said
}

// failedPart is how much of what was asked failed.
func failedPart(s results.Summary) results.Number {
	all := s.Failed
	for _, k := range s.Kinds {
		all += k.Ops
	}
	if s.Failed == 0 {
		return 0
	}
	return results.Number(s.Failed) / results.Number(all)
}

// fullOf says so where N is all that can be under way.
func fullOf(s results.Summary) string {
	if !s.Open.Full {
		return ""
	}
	return fmt.Sprintf(", as many as %d at once do: more may do more", s.Goroutines)
}

// lostOf says what was lost, if anything was.
func lostOf(s results.Summary) string {
	if s.LostShare == nil || !(s.LostShare.High > 0) {
		return ""
	}
	return ", " + s.LostShare.Median.Share() + " of it lost"
}

// responseText is the 99th percentile of the response, of all trials.
func responseText(s results.Summary) string {
	if !s.P99NS.Known() {
		return "not known of so few"
	}
	return s.P99NS.Nanoseconds()
}
