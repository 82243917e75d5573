package analysis

import (
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/scaling"
	"github.com/syncwrite/syncwrite/stats"
)

// Confidence of every interval.
const Confidence = 0.95

// summaries sums up each level of the series.
func (s *series) summaries(run *results.Run, outcomes []results.Outcome) []results.Summary {
	serial := s.at(1)
	var all []results.Summary
	for _, l := range s.cells {
		sum := summarize(s, l)
		if serial != nil && !idle(serial) && !isOpen(serial) {
			sum.PercentSerial = percentOfSerial(l.trials, serial)
			if fromBelow(l.trials) || fromBelow(serial) { // then it tells nothing
				sum.PercentSerial.Low, sum.PercentSerial.High = results.Missing(), results.Missing()
			}
			sum.SerialOpsPerS = results.Number(scaling.SerialRate(serviceTime(serial)))
		}
		sum.Cycle, sum.Timeline = cycleOf(run, l.trials), timeline(l.trials)
		sum.Spent = spent(run, l.trials)
		sum.Warnings = doubts(sum, l.trials, run, outcomes)
		all = append(all, sum)
	}
	return all
}

func percentOfSerial(trials, serial []results.Trial) results.Interval {
	xs, ones := pairs(trials, serial)
	by := func(rate func(results.Trial) float64) stats.Interval {
		return scaling.PercentOfSerial(each(xs, rate), each(ones, rate), Confidence)
	}
	return interval(widest(spanning(by(results.Trial.OpsPerS), by(keptPerS)), xs, ones, 100))
}

// idle reports that a trial kept no operation: the others are no rate of all.
func idle(trials []results.Trial) bool { return empty(trials) > 0 }

// fromBelow reports that a rate is a bound from below: that of users who asked once in a window
// and no second time.
func fromBelow(trials []results.Trial) bool {
	return warned(trials, results.WarnFewCycles)*disturbed >= max(len(trials), 1)
}

// empty counts the trials that kept no operation.
func empty(trials []results.Trial) (n int) {
	for _, t := range trials {
		if keptNothing(t) {
			n++
		}
	}
	return n
}

// serviceTime is w: the median wall time of an operation at N = 1, in ns.
func serviceTime(serial []results.Trial) float64 {
	return stats.Median(each(serial, func(t results.Trial) float64 { return float64(t.RateNS()) / float64(t.Ops) }))
}

func summarize(s *series, l *cell) results.Summary {
	of := func(get func(results.Trial) float64) results.Number { return median(l.trials, get) }
	perOp := func(get func(results.Trial) results.Number) results.Number {
		return of(func(t results.Trial) float64 { return float64(get(t)) / float64(t.Ops) })
	}
	sum := results.Summary{
		Experiment: l.trials[0].Experiment, Variant: s.variant.Name, Factors: s.factors,
		Goroutines: l.goroutines, Promise: s.variant.Promise, Trials: len(l.trials),
		OpsPerS:      interval(ratesInterval(each(l.trials, results.Trial.OpsPerS))),
		AcceptedPerS: accepted(l.trials),
		MeanNS:       interval(meanLatency(l.trials)),
		FloorNS:      results.Missing(), UnderFloor: results.Missing(),
		SerialOpsPerS: results.Missing(), PercentSerial: results.NoInterval(),
		Effective:   of(results.Trial.EffectiveGoroutines),
		AllocsPerOp: perOp(func(t results.Trial) results.Number { return t.Usage.Allocs }),
		IOCallsPerOp: perOp(func(t results.Trial) results.Number {
			if t.Usage.IOCalls == nil {
				return results.Missing()
			}
			return *t.Usage.IOCalls
		}),
		BytesPerOp:    perOp(func(t results.Trial) results.Number { return t.Usage.AllocBytes }),
		CPUNSPerOp:    perOp(func(t results.Trial) results.Number { return t.Usage.UserNS + t.Usage.SystemNS }),
		SwitchesPerOp: perOp(func(t results.Trial) results.Number { return t.Usage.Voluntary + t.Usage.Involuntary }),
		GCShare:       of(gcShare),
		BusyShare:     of(busyShare),
		Naive:         of(func(t results.Trial) float64 { return float64(t.Naive.OpsPerS) }),
		LostShare:     lostShare(l.trials),
		Cause:         causes(l.trials),
		Kinds:         results.MergeKinds(l.trials),
		OpsPerCall:    opsPerCall(l.trials),
		OthersUnknown: !slices.ContainsFunc(l.trials, func(t results.Trial) bool { return t.Usage.OthersNS.Known() }),
	}
	for _, t := range l.trials {
		sum.Failed += t.Failed
	}
	latencies(&sum, l.trials)
	sum.Open = openSummary(l.trials, sum)
	return sum
}

// opsPerCall is the median of how many operations one request to a service was for; nil
// where a trial does not count them.
func opsPerCall(trials []results.Trial) *results.Number {
	if slices.ContainsFunc(trials, func(t results.Trial) bool { return t.Calls <= 0 }) {
		return nil
	}
	n := median(trials, func(t results.Trial) float64 { return float64(t.Ops) / float64(t.Calls) })
	return &n
}

// latencies merges the histograms of the trials, so that a quantile rests on
// all of their operations. Trials without histograms give medians instead.
func latencies(sum *results.Summary, trials []results.Trial) {
	merged, whole := results.MergeLatencies(trials)
	if !whole {
		latencyMedians(sum, trials)
		return
	}
	sum.Hist, sum.FloorNS = merged.Hist, merged.FloorNS
	raw := results.NewLatency(merged.Hist, merged.Mode)
	for _, q := range []struct {
		q  float64
		ns results.Number
	}{{0.5, raw.P50NS}, {0.9, raw.P90NS}, {0.99, raw.P99NS}, {0.999, raw.P999NS}} {
		if q.ns <= sum.FloorNS {
			sum.UnderFloor = results.Number(q.q)
		}
	}
	sum.P50NS, sum.P90NS, sum.P99NS = merged.P50NS, merged.P90NS, merged.P99NS
	sum.P999NS, sum.MaxNS = merged.P999NS, merged.MaxNS
}

// meanLatency is the mean of the trials that have one, if most of them do.
func meanLatency(trials []results.Trial) stats.Interval {
	var means []float64
	for _, t := range trials {
		if t.Latency.MeanNS.Known() {
			means = append(means, float64(t.Latency.MeanNS))
		}
	}
	if 2*len(means) <= len(trials) {
		means = nil
	}
	return stats.MedianInterval(means, Confidence)
}

func latencyMedians(sum *results.Summary, trials []results.Trial) {
	of := func(get func(results.Latency) results.Number) results.Number {
		return median(trials, func(t results.Trial) float64 { return float64(get(t.Latency)) })
	}
	sum.P50NS = of(func(l results.Latency) results.Number { return l.P50NS })
	sum.P90NS = of(func(l results.Latency) results.Number { return l.P90NS })
	sum.P99NS = of(func(l results.Latency) results.Number { return l.P99NS })
	sum.P999NS = of(func(l results.Latency) results.Number { return l.P999NS })
	sum.MaxNS = of(func(l results.Latency) results.Number { return l.MaxNS })
}

// accepted is the rate at which operations were accepted, where they were
// finished later.
func accepted(trials []results.Trial) results.Interval {
	rates := each(trials, func(t results.Trial) float64 {
		if t.AcceptedNS == 0 {
			return math.NaN()
		}
		return float64(t.Ops) / float64(t.AcceptedNS) * 1e9
	})
	return interval(stats.MedianInterval(rates, Confidence))
}

// lostShare is that of the trials that counted losses; nil where none did.
func lostShare(trials []results.Trial) *results.Interval {
	lost := interval(stats.MedianInterval(lostShares(trials), Confidence))
	if !lost.Median.Known() {
		return nil
	}
	return &lost
}

// lostShares are those of the trials that counted losses.
func lostShares(trials []results.Trial) []float64 {
	return slices.DeleteFunc(each(trials, results.Trial.LostShare), math.IsNaN)
}

func gcShare(t results.Trial) float64 {
	return partOf(t.Usage.GCCPUNS, t.Usage.UserNS+t.Usage.SystemNS)
}

// partOf is a part as a share of the whole; NaN where it is more than that.
func partOf(part, whole results.Number) float64 {
	if share := float64(part / whole); share <= results.MostCounted {
		return share
	}
	return math.NaN()
}

func busyShare(t results.Trial) float64 {
	if t.Guard == nil {
		return math.NaN()
	}
	return partOf(t.Guard.BusyShare, 1)
}

// causes splits the goroutines' time. The parts come from different sources,
// so they can miss the whole, and what is missing is unexplained. Where they, or
// one alone, exceed it, none of them can be believed, and none is given.
func causes(trials []results.Trial) results.Cause {
	if isOpen(trials) { // most of the time nothing is due
		m := results.Missing()
		return results.Cause{CPU: m, Lock: m, Scheduler: m, Unexplained: m, Counted: m}
	}
	shares := func(get func(results.Trial) results.Number) []float64 {
		return each(trials, func(t results.Trial) float64 {
			if t.GoroutineNS == 0 { // not measured
				return math.NaN()
			}
			return float64(get(t)) / float64(t.GoroutineNS)
		})
	}
	c := results.Cause{
		CPU:       results.Number(stats.Median(shares(func(t results.Trial) results.Number { return t.Usage.UserNS + t.Usage.SystemNS }))),
		Lock:      sampled(shares(func(t results.Trial) results.Number { return t.Usage.MutexWaitNS })),
		Scheduler: sampled(shares(func(t results.Trial) results.Number { return t.Usage.SchedWaitNS })),
		Shared:    slices.ContainsFunc(trials, func(t results.Trial) bool { return t.Besides > 0 }),
	}
	c.Counted = c.CPU
	for _, part := range []results.Number{c.Lock, c.Scheduler} {
		if part.Known() {
			c.Counted += part
		}
	}
	for _, part := range []results.Number{c.CPU, c.Lock, c.Scheduler} { // the sum is missing where one of them is
		if part > results.MostCounted && !c.Counted.Known() {
			c.Counted = part
		}
	}
	if c.Over() {
		m := results.Missing()
		return results.Cause{CPU: m, Lock: m, Scheduler: m, Unexplained: m, Counted: c.Counted}
	}
	c.Unexplained = max(1-c.Counted, 0)
	return c
}

// inexact is how far a share may be off that is reckoned from samples: two standard errors.
const inexact = 0.2

// sampled is the mean of trials' shares that are reckoned from samples; missing where they
// scatter so much that it may be further off: trials had too few samples of what takes long.
func sampled(shares []float64) results.Number {
	if 2*standardError(shares) > inexact {
		return results.Missing()
	}
	return results.Number(stats.Mean(shares))
}

func each(trials []results.Trial, get func(results.Trial) float64) []float64 {
	values := make([]float64, len(trials))
	for i, t := range trials {
		values[i] = get(t)
	}
	return values
}

func median(trials []results.Trial, get func(results.Trial) float64) results.Number {
	return results.Number(stats.Median(each(trials, get)))
}

// ratesInterval is that of the median of a cell's rates; of five trials at as much as they carry.
func ratesInterval(rates []float64) stats.Interval {
	if len(rates) == fiveTrials {
		return stats.MedianInterval(rates, ofFive)
	}
	return stats.MedianInterval(rates, Confidence)
}

func interval(i stats.Interval) results.Interval {
	return results.Interval{Median: results.Number(i.Median), Low: results.Number(i.Low), High: results.Number(i.High)}
}
