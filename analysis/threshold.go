package analysis

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// A Threshold is a bound that cells are held to: p99<50ms, rate>1000/s, failures<1%.
type Threshold struct {
	Text  string
	of    string // p50 … p99.9, mean, rate or failures
	below bool
	bound float64 // ns, operations a second, or a share
}

var thresholdForm = regexp.MustCompile(`^(p[0-9.]+|mean|rate|failures)([<>])(\S+)$`)

// ParseThreshold reads one.
func ParseThreshold(text string) (t Threshold, err error) {
	parts := thresholdForm.FindStringSubmatch(strings.ReplaceAll(text, " ", ""))
	if parts == nil {
		return t, fmt.Errorf("%q is no threshold, such as p99<50ms, rate>1000/s or failures<1%%", text)
	}
	t = Threshold{Text: parts[0], of: parts[1], below: parts[2] == "<"}
	switch t.of {
	case "rate":
		t.bound, err = parseRate(parts[3])
	case "failures":
		share, hundredths := strings.CutSuffix(parts[3], "%")
		if t.bound, err = strconv.ParseFloat(share, 64); hundredths {
			t.bound /= 100
		}
	default:
		var d time.Duration
		d, err = time.ParseDuration(parts[3])
		t.bound = float64(d)
	}
	if err != nil || !(t.bound > 0) || math.IsInf(t.bound, 0) {
		return t, fmt.Errorf("%q: %q is no bound of %s above 0", text, parts[3], t.of)
	}
	if t.of == "failures" && t.bound >= 1 {
		return t, fmt.Errorf("%q: a share below 100%%, such as failures<1%%", text)
	}
	if q, is := t.quantile(); is && !(q >= 0.01 && q < 1) {
		return t, fmt.Errorf("%q: %s is no percentile from 1 on, such as p99", text, t.of)
	}
	return t, nil
}

// parseRate reads 1000/s, 1000, 1k/s and 1M/s, as rates are written that are asked for.
func parseRate(text string) (float64, error) {
	number, times := strings.TrimSuffix(text, "/s"), 1.0
	if of, is := strings.CutSuffix(number, "k"); is {
		number, times = of, 1e3
	} else if of, is := strings.CutSuffix(number, "M"); is {
		number, times = of, 1e6
	}
	rate, err := strconv.ParseFloat(number, 64)
	return rate * times, err
}

func (t Threshold) quantile() (q float64, is bool) {
	number, is := strings.CutPrefix(t.of, "p")
	if !is {
		return 0, false
	}
	percent, _ := strconv.ParseFloat(number, 64)
	return percent / 100, true
}

// in is what a trial has of it, at least and at most; missing where it cannot be told. They
// differ where operations were never sent, and by what a histogram does not tell apart.
func (t Threshold) in(trial results.Trial) (least, most results.Number) {
	q, is := t.quantile()
	switch left := leftOver(trial); {
	case is && trial.Latency.Hist == nil, t.of == "mean" && trial.Failed > 0:
		return results.Missing(), results.Missing()
	case is:
		return t.percentile(trial, q)
	case t.of == "mean" && left.n > 0:
		return left.mean(trial), results.Number(math.Inf(1))
	case t.of == "mean":
		least = trial.Latency.MeanNS
	default:
		most = results.Number(keptPerS(trial))
		return most / results.Number(1+trial.Alone), most
	}
	return least, least
}

// GateThreshold holds every cell that was asked for to the threshold. If there is none, that
// cannot be told. Where a variant was measured at several rates of the open loop, the highest
// rate is looked for up to which it holds.
func GateThreshold(r *results.Report, t Threshold) []results.Gate {
	var gates []results.Gate
	for _, f := range r.Findings {
		if f.Experiment.Along {
			continue
		}
		for _, ladder := range byRate(f.Summaries) {
			var steps []results.Gate
			for _, sum := range ladder {
				steps = append(steps, t.gate(f, sum))
			}
			if len(steps) > 1 {
				steps = []results.Gate{t.highest(ladder, steps)}
			}
			gates = append(gates, steps...)
		}
		for _, o := range f.Errors() {
			gates = append(gates, results.Gate{Threshold: o.Cell().Name() + ": " + t.Text, Status: results.GateUnseen, Text: "it ended by an error"})
		}
	}
	if len(gates) == 0 {
		gates = []results.Gate{{Threshold: t.Text, Status: results.GateUnseen, Text: "nothing in this run has a figure that it is of"}}
	}
	return gates
}

// byRate gathers the cells that differ in their rate alone, the lowest peak first. A cell of
// the closed loop is alone.
func byRate(summaries []results.Summary) [][]results.Summary {
	var all [][]results.Summary
	var names []string
	for _, sum := range summaries {
		name := withoutRate(sum)
		at := slices.Index(names, name)
		if at < 0 || sum.Open == nil {
			names, all = append(names, name), append(all, nil)
			at = len(all) - 1
		}
		all[at] = append(all[at], sum)
	}
	for _, ladder := range all {
		if ladder[0].Open != nil {
			slices.SortStableFunc(ladder, lessDue)
		}
	}
	return all
}

func withoutRate(sum results.Summary) string {
	c := sum.Cell()
	if sum.Open != nil {
		factors := map[string]string{}
		for name, level := range sum.Factors {
			if name != results.RateFactor {
				factors[name] = level
			}
		}
		c.Factors = results.FactorKey(factors)
	}
	return c.Name()
}

// gate holds one cell to the threshold, by the interval of the median over its trials.
func (t Threshold) gate(f results.Finding, sum results.Summary) results.Gate {
	g := results.Gate{Threshold: sum.Cell().Name() + ": " + t.Text, Status: results.GateUnseen}
	if sum.Open != nil {
		if g.Text = openDoubt(sum, t); g.Text != "" {
			return g
		}
	}
	trials := trialsOf(f, sum.Cell())
	if t.of == "failures" {
		g = t.gateFailures(g, trials)
		if doubt := uncounted(sum); doubt != "" && g.Status == results.GatePassed {
			g.Status, g.Text = results.GateUnseen, g.Text+", but "+doubt
		}
		return g
	}
	least := each(trials, func(trial results.Trial) float64 { least, _ := t.in(trial); return float64(least) })
	most := each(trials, func(trial results.Trial) float64 { _, most := t.in(trial); return float64(most) })
	if slices.ContainsFunc(least, math.IsNaN) {
		g.Text = t.unknown(trials)
		return g
	}
	low, high := stats.MedianInterval(least, Confidence), stats.MedianInterval(most, Confidence)
	if enough(low) {
		g.Status = t.holds(low.Low, high.High)
	}
	unsent := unsentText(trials)
	if unsent == "" { // they differ by what a histogram does not tell apart alone: its estimate is between
		low = stats.MedianInterval(middles(least, most), Confidence)
	}
	g.Text = t.words(g.Status, low, high, unsent)
	if t.of != "rate" && handsOver(sum) {
		g.Text += " until operations were handed over, which were done later"
	}
	if t.of == "rate" && lostSome(lostShares(trials)) {
		g.Text += " of operations that had their effect"
	}
	if !enough(low) {
		g.Text += ": too few trials for an interval"
	}
	if text := t.unlike(g.Status, trials); text != "" {
		g.Status, g.Text = results.GateUnseen, g.Text+", but "+text
	}
	if late := t.lateness(trials); late > 0 && (g.Status == results.GateFailed) == t.below && low.Low-late < t.bound {
		g.Status, g.Text = results.GateUnseen, fmt.Sprintf("%s, of which the generator itself was late by %s", g.Text, results.Number(late).Nanoseconds())
	}
	if sum.Open != nil && sum.Open.Behind && g.Status != results.GateUnseen && (g.Status == results.GatePassed) == t.below {
		g.Status, g.Text = results.GateUnseen, g.Text+", but it falls behind there: what waits would make it longer in a longer window"
	}
	if g.Status == results.GateFailed && sum.Spent {
		g.Status, g.Text = results.GateUnseen, g.Text+", but the generator had no processors left"
	}
	if t.of == "rate" && (g.Status == results.GatePassed) == t.below && warned(trials, results.WarnFewCycles) > 0 {
		g.Status, g.Text = results.GateUnseen, g.Text+", which is a lower bound: users asked once in a window and no second time"
	}
	if g.Status != results.GateUnseen {
		if doubt := t.disturbance(sum); doubt != "" {
			g.Status, g.Text = results.GateUnseen, doubt
		}
	}
	return g
}

// unlike says so where a figure of all trials together is not as those of most of them are: of
// many trials the interval of the median leaves out whole ones that stalled.
func (t Threshold) unlike(status string, trials []results.Trial) string {
	switch {
	case status == results.GateUnseen:
		return ""
	case t.of == "rate":
		return t.unlikeRate(status, trials)
	}
	merged, whole := results.MergeLatencies(trials)
	if !whole && t.of != "mean" {
		return ""
	}
	all := results.Trial{Latency: merged, Open: &results.Open{BegunNS: math.MaxInt64}}
	all.Latency.MeanNS = together(trials) // that of samples is none of all
	for _, trial := range trials {
		left := leftOver(trial)
		all.Ops, all.Failed = all.Ops+trial.Ops, all.Failed+trial.Failed
		all.Open.Unsent, all.Open.BegunNS = all.Open.Unsent+left.n, min(all.Open.BegunNS, int64(left.waited))
	}
	low, high := t.in(all)
	if math.IsNaN(float64(low)) || t.holds(float64(low), float64(high)) == status { // what failed is longer than any bound
		return ""
	}
	return "of all trials together it is " + t.figure(stats.Interval{Median: float64(low), Low: math.NaN(), High: math.NaN()})
}

// unlikeRate is unlike of a rate: what all trials kept in the time that they took for it.
func (t Threshold) unlikeRate(status string, trials []results.Trial) string {
	most := 0.0
	for _, trial := range trials {
		most = max(most, trial.Alone)
	}
	rate := rateOfAll(trials)
	if t.holds(rate/(1+most), rate) == status {
		return ""
	}
	return "of all trials together it is " + t.figure(stats.Interval{Median: rate, Low: math.NaN(), High: math.NaN()})
}

// together is the mean of the operations of all trials.
func together(trials []results.Trial) results.Number {
	sum, ops := results.Number(0), 0
	for _, t := range trials {
		sum, ops = sum+t.Latency.MeanNS*results.Number(t.Ops), ops+t.Ops
	}
	return sum / results.Number(ops)
}

// lateness is how late the generator of the open loop was, at the threshold's percentile or on
// average: so much of the response may be none of the operation's. 0 in the closed loop.
func (t Threshold) lateness(trials []results.Trial) float64 {
	if !isOpen(trials) {
		return 0
	}
	q, is := t.quantile()
	return float64(median(trials, func(trial results.Trial) float64 {
		switch late := trial.Open.Late; {
		case !is:
			return float64(late.MeanNS)
		case late.Hist == nil:
			return float64(late.MaxNS)
		default:
			return late.Hist.Quantile(q)
		}
	}))
}

// unknown says why trials do not have it, and what would help.
func (t Threshold) unknown(trials []results.Trial) string {
	asked := func(trial results.Trial) int { return trial.Ops + trial.Failed + leftOver(trial).n }
	fewest := slices.Min(each(trials, func(trial results.Trial) float64 { return float64(asked(trial)) }))
	q, is := t.quantile()
	needed := math.Ceil(10/(1-q) - 1e-6)
	whole := !slices.ContainsFunc(trials, func(trial results.Trial) bool { return trial.Latency.Hist == nil })
	sampled := slices.ContainsFunc(trials, func(trial results.Trial) bool { return trial.Latency.Mode == results.Sampled })
	switch {
	case is && whole && sampled && q > mostSampled:
		return t.of + " is not known of operations this short: they are sampled, and a rare slow one was probably not among the samples"
	case is && whole && fewest < needed:
		return fmt.Sprintf("%s needs %.0f requests a trial, of which ten are longer; there were %.0f in one: a longer window", t.of, needed, fewest)
	case is && whole && sampled:
		return "it is shorter than the clock can tell, or ten samples do not lie beyond it in each trial: a longer window"
	case is && whole:
		return "it is shorter than the clock can tell"
	case t.of == "mean" && slices.ContainsFunc(trials, func(trial results.Trial) bool { return trial.Failed > 0 }):
		return "of what failed no mean is known: a percentile counts it as longer than any bound"
	}
	return "of some trials it is not known"
}

// middles are those between each two.
func middles(least, most []float64) []float64 {
	all := slices.Clone(least)
	for i := range all {
		all[i] = (least[i] + most[i]) / 2
	}
	return all
}

// holds says whether what lies between two bounds certainly holds, or certainly does not.
func (t Threshold) holds(low, high float64) string {
	switch {
	case t.below && high < t.bound, !t.below && low > t.bound:
		return results.GatePassed
	case t.below && low >= t.bound, !t.below && high <= t.bound:
		return results.GateFailed
	}
	return results.GateUnseen
}

// gateFailures holds what failed of all that was asked to the threshold. That was counted,
// and needs no interval: most trials may have none, and one all of them. What was never sent
// may all have succeeded, or all have failed.
func (t Threshold) gateFailures(g results.Gate, trials []results.Trial) results.Gate {
	failed, unsent, all := 0, 0, 0
	for _, trial := range trials {
		left := leftOver(trial).n
		failed, unsent = failed+trial.Failed, unsent+left
		all += trial.Ops + trial.Failed + left
	}
	if all == 0 {
		g.Text = "no operation was due"
		return g
	}
	low, high := float64(failed)/float64(all), float64(failed+unsent)/float64(all)
	g.Status = t.holds(low, high)
	g.Text = fmt.Sprintf("%d of %s failed, %s", failed, results.Count(all, "operation"), percent(low, t.bound))
	if unsent > 0 {
		g.Text += fmt.Sprintf("; with the %d that were never sent it can be up to %s", unsent, percent(high, t.bound))
	}
	return g
}

// uncounted says why more may have failed than was counted; empty if nothing was seen.
func uncounted(sum results.Summary) string {
	for _, w := range sum.Warnings {
		switch w.Code {
		case results.WarnSaturated:
			return "the generator itself was late, and asked less than was due at once"
		case results.WarnEnded:
			return "it ended by an error, and what failed then is not counted"
		}
	}
	return ""
}

// openDoubt says why a cell of the open loop has no figure to hold to a threshold.
func openDoubt(sum results.Summary, t Threshold) string {
	switch {
	case t.of == "rate":
		return openRate
	case sum.Open.Saturated && t.of != "failures":
		return "the generator itself was late"
	}
	return ""
}

// disturbance is why a cell's figures are not of it alone, or are of the window's length
// besides; empty if nothing was seen. A slow start is in few latencies, and in the whole rate.
func (t Threshold) disturbance(sum results.Summary) string {
	for _, w := range sum.Warnings {
		switch w.Code {
		case results.WarnDisturbed, results.WarnThrottled, results.WarnStuck, results.WarnLeft:
			return w.Text
		case results.WarnSlowStart:
			if t.of == "rate" || t.of == "mean" {
				return w.Text
			}
		}
	}
	return ""
}

// enough reports whether the trials were enough for an interval. Its upper end may be
// infinite: a request that was not answered.
func enough(i stats.Interval) bool {
	return !math.IsNaN(i.Low) && !math.IsInf(i.Low, -1) && !math.IsNaN(i.High)
}

// words are what came out. Where operations were never sent, the figure lies between two,
// and that one is told which decides.
func (t Threshold) words(status string, low, high stats.Interval, unsent string) string {
	switch {
	case unsent == "", math.IsInf(low.Low, 1):
		return t.of + " " + t.figure(low)
	case status == results.GateUnseen:
		return t.of + " from " + t.figure(low) + " to " + t.figure(high) + ": " + unsent + ", and how long they would have taken is not known"
	case (status == results.GateFailed) == t.below:
		return t.of + " at least " + t.figure(low) + ": " + unsent
	}
	return t.of + " at most " + t.figure(high) + ": " + unsent
}

// figure is a median with its interval, where there is one.
func (t Threshold) figure(i stats.Interval) string {
	write := func(x float64) string {
		switch {
		case math.IsNaN(x):
			return "–"
		case math.IsInf(x, 1):
			return "not answered"
		case t.of == "rate":
			return results.Number(x).Rate() + "/s"
		}
		return results.Number(x).Nanoseconds()
	}
	text := write(i.Median)
	if enough(i) && !math.IsInf(i.Low, 1) {
		text += fmt.Sprintf(" (%s to %s)", write(i.Low), write(i.High))
	}
	return text
}

// highest says up to which rate the threshold holds. What is held at one rate and not at
// a lower one is not counted: that is no limit.
func (t Threshold) highest(ladder []results.Summary, steps []results.Gate) results.Gate {
	rate := func(i int) string { return ladder[i].Factors[results.RateFactor] + "/s" }
	g := results.Gate{Threshold: withoutRate(ladder[0]) + ": the highest rate with " + t.Text}
	upTo := 0
	for upTo < len(steps) && steps[upTo].Status == results.GatePassed {
		upTo++
	}
	firstFailed := slices.IndexFunc(steps, func(s results.Gate) bool { return s.Status == results.GateFailed })
	var parts []string
	switch {
	case upTo > 0:
		g.Status = results.GatePassed
		parts = append(parts, fmt.Sprintf("holds up to %s: %s", rate(upTo-1), steps[upTo-1].Text))
	case firstFailed == 0:
		g.Status = results.GateFailed
		parts = append(parts, holdsAbove(steps, rate))
	default:
		g.Status = results.GateUnseen
	}
	if upTo < len(steps) && firstFailed != upTo {
		parts = append(parts, fmt.Sprintf("cannot be told at %s: %s", rate(upTo), steps[upTo].Text))
	}
	if firstFailed >= 0 {
		parts = append(parts, fmt.Sprintf("does not at %s: %s", rate(firstFailed), steps[firstFailed].Text))
	}
	g.Text = strings.Join(parts, "; ")
	return g
}

// holdsAbove says of a threshold that does not hold at the lowest rate where else it does.
func holdsAbove(steps []results.Gate, rate func(int) string) string {
	at := slices.IndexFunc(steps, func(s results.Gate) bool { return s.Status == results.GatePassed })
	unseen := slices.ContainsFunc(steps, func(s results.Gate) bool { return s.Status == results.GateUnseen })
	switch {
	case at < 0 && unseen:
		return "is known to hold at no rate, and at some it cannot be told"
	case at < 0:
		return "holds at no rate that was measured"
	}
	return fmt.Sprintf("holds at %s, but not up to it: %s", rate(at), steps[at].Text)
}
