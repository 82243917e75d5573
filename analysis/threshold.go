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
		t.bound, err = strconv.ParseFloat(strings.TrimSuffix(parts[3], "/s"), 64)
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
	if q, is := t.quantile(); is && !(q > 0 && q < 1) {
		return t, fmt.Errorf("%q: %s is no percentile", text, t.of)
	}
	return t, nil
}

func (t Threshold) quantile() (q float64, is bool) {
	number, is := strings.CutPrefix(t.of, "p")
	if !is {
		return 0, false
	}
	percent, _ := strconv.ParseFloat(number, 64)
	return percent / 100, true
}

// in is what a trial has of it; missing where it cannot be told. Of the latencies one
// that failed is longer than any bound: it has not answered.
func (t Threshold) in(trial results.Trial) results.Number {
	all := float64(trial.Ops + trial.Failed)
	switch q, is := t.quantile(); {
	case is && trial.Latency.Hist == nil:
		return results.Missing()
	case is && q*all > float64(trial.Ops):
		return results.Number(math.Inf(1))
	case is:
		return t.above(trial.Latency.FloorNS, results.Number(trial.Latency.Hist.Carried(q*all/float64(trial.Ops))))
	case t.of == "mean" && trial.Failed > 0:
		return results.Missing()
	case t.of == "mean":
		return trial.Latency.MeanNS
	case t.of == "rate":
		return results.Number(trial.OpsPerS())
	}
	return results.Missing()
}

// above is a quantile that the clock can time. One that is not above its floor is at most
// that, which is enough for a bound beyond it.
func (t Threshold) above(floor, quantile results.Number) results.Number {
	switch {
	case !(quantile <= floor):
		return quantile
	case t.bound > float64(floor):
		return floor
	}
	return results.Missing()
}

// GateThreshold holds every cell that was asked for to the threshold. Where a variant
// was measured at several rates of the open loop, the highest rate is looked for up to
// which it holds.
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
	return gates
}

// byRate gathers the cells that differ in their rate alone, the lowest first. A cell of
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
		slices.SortStableFunc(ladder, func(a, b results.Summary) int {
			if a.Open == nil || a.Open.DuePerS <= b.Open.DuePerS {
				return -1
			}
			return 1
		})
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
	if t.of == "failures" {
		return t.gateFailures(g, trialsOf(f, sum.Cell()))
	}
	values := each(trialsOf(f, sum.Cell()), func(trial results.Trial) float64 { return float64(t.in(trial)) })
	if slices.ContainsFunc(values, math.IsNaN) {
		g.Text = "of some trials it is not known"
		return g
	}
	i := stats.MedianInterval(values, Confidence)
	g.Text = t.words(i)
	switch {
	case !enough(i):
		g.Text += ": too few trials for an interval"
	case t.below && i.High < t.bound || !t.below && i.Low > t.bound:
		g.Status = results.GatePassed
	case t.below && i.Low >= t.bound || !t.below && i.High <= t.bound:
		g.Status = results.GateFailed
	}
	if g.Status != results.GateUnseen {
		if doubt := disturbance(sum); doubt != "" {
			g.Status, g.Text = results.GateUnseen, doubt
		}
	}
	return g
}

// gateFailures holds what failed of all that was asked to the threshold. That was counted,
// and needs no interval: most trials may have none, and one all of them.
func (t Threshold) gateFailures(g results.Gate, trials []results.Trial) results.Gate {
	failed, all := 0, 0
	for _, trial := range trials {
		failed += trial.Failed
		all += trial.Ops + trial.Failed
	}
	share := float64(failed) / float64(all)
	g.Text = fmt.Sprintf("%d of %s failed, %s", failed, results.Count(all, "operation"), percent(share))
	g.Status = results.GateFailed
	if t.below == (share < t.bound) && share != t.bound {
		g.Status = results.GatePassed
	}
	return g
}

// openDoubt says why a cell of the open loop has no figure to hold to a threshold.
func openDoubt(sum results.Summary, t Threshold) string {
	switch {
	case t.of == "rate":
		return openRate
	case sum.Open.Saturated && t.of != "failures":
		return "the generator itself was late"
	case sum.Open.Unsent > 0:
		return results.Count(sum.Open.Unsent, "operation") + " that were due were never sent: how long they would have taken is not known"
	}
	return ""
}

// disturbance is why a cell's figures are not of it alone; empty if nothing was seen.
func disturbance(sum results.Summary) string {
	for _, w := range sum.Warnings {
		switch w.Code {
		case results.WarnDisturbed, results.WarnThrottled, results.WarnStuck, results.WarnLeft:
			return w.Text
		}
	}
	return ""
}

// enough reports whether the trials were enough for an interval. Its upper end may be
// infinite: a request that was not answered.
func enough(i stats.Interval) bool {
	return !math.IsNaN(i.Low) && !math.IsInf(i.Low, -1) && !math.IsNaN(i.High)
}

func (t Threshold) words(i stats.Interval) string {
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
	text := t.of + " " + write(i.Median)
	if enough(i) {
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
		parts = append(parts, "holds at no rate that was measured")
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
