package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// A Cost is a largest growth, as a share, of what an operation takes: of a latency, or of what
// it allocates.
type Cost struct {
	Name  string // one of CostNames
	Share float64
}

// costs are what an operation takes, by the trials.
var costs = map[string]func(results.Trial) results.Number{
	"mean":  func(t results.Trial) results.Number { return t.Latency.MeanNS },
	"p50":   func(t results.Trial) results.Number { return t.Latency.P50NS },
	"p90":   func(t results.Trial) results.Number { return t.Latency.P90NS },
	"p99":   func(t results.Trial) results.Number { return t.Latency.P99NS },
	"p99.9": func(t results.Trial) results.Number { return t.Latency.P999NS },
	"allocs": func(t results.Trial) results.Number {
		return ofEach(t, t.Usage.Allocs, results.Number(leastCounts["allocs"]))
	},
	"bytes": func(t results.Trial) results.Number {
		return ofEach(t, t.Usage.AllocBytes, results.Number(leastCounts["bytes"]))
	},
}

// leastCounts are what an operation takes at least of what is counted, if it takes any.
var leastCounts = map[string]float64{"allocs": 0.01, "bytes": 1}

// ofEach is the share of one operation, and nothing below the least: what a trial allocates once
// is spread over so many.
func ofEach(t results.Trial, all, least results.Number) results.Number {
	if each := all / results.Number(t.Ops); !(each < least) {
		return each
	}
	return 0
}

// CostNames are those of the costs that there are.
func CostNames() []string { return []string{"mean", "p50", "p90", "p99", "p99.9", "allocs", "bytes"} }

// GateCosts holds every cell that two runs share to a largest growth of what an operation takes:
// each trial has one value, and those of the two runs are two independent samples, as rates are in
// [Compare]. A cell passes if the whole interval of new ÷ old at 95 % lies within; it fails if the
// whole of the interval, at the level of so many cells, lies beyond, and, of a latency, beyond 5 %.
// What the comparison lost is inconclusive.
func GateCosts(c *results.Comparison, older, newer *results.Run, cost Cost) []results.Gate {
	cells := cellsOfBoth(older, newer, theOlder, theNewer)
	s := shiftsBetween(older, newer, cells)
	cells = slices.DeleteFunc(cells, func(c compared) bool { return c.change.Along })
	slices.SortFunc(cells, func(a, b compared) int { return naturally(a.change.Cell().Name(), b.change.Cell().Name()) })
	var gates []results.Gate
	for _, cell := range cells {
		g := results.Gate{Threshold: cost.threshold(cell.change.Cell().Name())}
		g.Status, g.Text = cost.gate(cell, s, len(cells))
		gates = append(gates, g)
	}
	for _, cell := range c.Lost {
		gates = append(gates, results.Gate{Threshold: cost.threshold(cell), Status: results.GateUnseen, Text: noTrial})
	}
	return gates
}

func (c Cost) threshold(cell string) string {
	return fmt.Sprintf("%s: %s at most %s more", cell, c.Name, percentAsGiven(c.Share))
}

func (c Cost) gate(cell compared, s shifts, many int) (status, text string) {
	if doubt := c.doubt(cell.older, cell.newer); doubt != "" {
		return results.GateUnseen, doubt
	}
	many = ofAll(many, cell.change.Turns)
	was, is := c.values(cell.older.trials), c.values(cell.newer.trials)
	if none(was) {
		return c.fromNone(was, is, many)
	}
	if none(is) {
		return results.GatePassed, "none any more"
	}
	ratio, sure := c.ratios(cell, s, many)
	measured := fmt.Sprintf("ratio %s", ratioText(interval(ratio)))
	switch {
	case slices.Contains(was, 0) || slices.Contains(is, 0):
		return results.GateUnseen, "some trials have none of it, and others have some"
	case !bounded(ratio):
		return results.GateUnseen, "too few trials for an interval"
	case sure.Low > 1+max(c.Share, c.margin()):
		return results.GateFailed, measured
	case ratio.High <= 1+c.Share:
		return results.GatePassed, measured
	case ratio.Low > 1+c.Share && ratio.Low <= 1+c.margin():
		return results.GateUnseen, fmt.Sprintf("%s: not certainly beyond the %s that code layout alone can make", measured, percent(c.margin()))
	case ratio.Low > 1+c.Share:
		return results.GateUnseen, measured + ": more for itself, but one of so many cells can be by chance"
	}
	return results.GateUnseen, fmt.Sprintf("%s: growth by up to %s is not ruled out", measured, notBelow(ratio.High-1))
}

// notBelow writes a share in tenths of a percent that is at least as large: a threshold of it is passed.
func notBelow(share float64) string { return percent(math.Ceil(1000*share-1e-9) / 1000) }

// ratios are those of the newer run's values to the older one's, for itself and one of so many. They are as
// wide as what all trials of each took together: of many trials an interval leaves out a few that stalled. A latency
// is as unsure as the rates are of what the machine changed, and of what another number of operations does, the
// other way round.
func (c Cost) ratios(cell compared, s shifts, many int) (ratio, sure stats.Interval) {
	values := samples{newer: c.values(cell.newer.trials), older: c.values(cell.older.trials), loose: cell.loose()}
	ratio, sure = values.ratio(Confidence), values.surely(many)
	all := c.together(cell.newer.trials) / c.together(cell.older.trials)
	ratio, sure = including(ratio, all), including(sure, all)
	if c.counts() {
		return ratio, sure
	}
	least, most := s.of(cell)
	for _, i := range []*stats.Interval{&ratio, &sure} {
		*i = turned(overEqualWork(turned(*i), cell.newer.trials, cell.older.trials))
		i.Low, i.High = i.Low*least, i.High*most
	}
	return ratio, sure
}

// together is the mean over trials, of each as often as it has operations: of a mean and of what is counted that is what
// all operations together took.
func (c Cost) together(trials []results.Trial) float64 {
	sum, ops := 0.0, 0.0
	for _, t := range trials {
		if x := float64(costs[c.Name](t)); !math.IsNaN(x) && !math.IsInf(x, 0) {
			sum, ops = sum+x*float64(t.Ops), ops+float64(t.Ops)
		}
	}
	return sum / ops
}

// turned is the ratio of y to x, if i is that of x to y.
func turned(i stats.Interval) stats.Interval {
	return stats.Interval{Median: 1 / i.Median, Low: 1 / i.High, High: 1 / i.Low}
}

// counts reports that a cost is a count, no time.
func (c Cost) counts() bool { return c.Name == "allocs" || c.Name == "bytes" }

// margin is the growth that is called one. Where code happens to lie moves a latency, and no count.
func (c Cost) margin() float64 {
	if c.counts() {
		return 0
	}
	return leastMargin
}

// doubt is why the cells tell nothing of a cost; empty if nothing speaks against it.
func (c Cost) doubt(older, newer side) string {
	for _, s := range []side{older, newer} {
		if text := s.failed(); text != "" {
			return s.where + " " + text
		}
		if slices.ContainsFunc(s.trials, func(t results.Trial) bool { return leftOver(t).n > 0 }) {
			return s.where + " operations that were due were never sent: nobody knows what they would have taken"
		}
		switch known := len(c.values(s.trials)); {
		case known < leastSide:
			return fmt.Sprintf("%s fewer than %d trials have a %s", s.where, leastSide, c.Name)
		case known < len(s.trials): // of a percentile the ones that are missing are below what a clock tells
			return fmt.Sprintf("%s only %d of %d trials have a %s, and the others may be the short ones", s.where, known, len(s.trials), c.Name)
		}
	}
	return joined(append(append(doubtsOf(older, newer), otherWork(older, newer)...), uneven(older, newer), c.unlikeNumbers(older, newer))...)
}

// unlikeNumbers doubts bytes an operation of runs that did different numbers of operations: what grows in
// steps, as a slice or a map does, is divided by another number.
func (c Cost) unlikeNumbers(older, newer side) string {
	before, now := opsOf(older.trials), opsOf(newer.trials)
	if c.Name != "bytes" || max(before, now) <= alikeWork*min(before, now) {
		return ""
	}
	return fmt.Sprintf("trials were of %.0f operations, then of %.0f: what grows in steps is divided by another number", before, now)
}

// values are those of the trials that have one.
func (c Cost) values(trials []results.Trial) []float64 {
	return slices.DeleteFunc(each(trials, func(t results.Trial) float64 { return float64(costs[c.Name](t)) }),
		func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

func none(values []float64) bool { return slices.Max(values) == 0 }

// fromNone decides about what an operation did not take before, one of so many: any of it is more.
func (c Cost) fromNone(was, is []float64, many int) (status, text string) {
	switch {
	case none(is):
		return results.GatePassed, "none in both runs"
	case slices.Min(is) <= 2*leastCounts[c.Name]: // less than the least before may have been nearly as much
		return results.GateUnseen, "none before, and none or next to none in some trials now"
	case (samples{newer: is, older: was}).partByTosses(many):
		return results.GateUnseen, "none before, and some now: of so many cells with so few trials one can be by chance"
	}
	return results.GateFailed, fmt.Sprintf("none before, now %s", results.Number(stats.Median(is)).Three())
}
