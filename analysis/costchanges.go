package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// everyCost are the costs that a comparison tells of without being asked.
var everyCost = []string{"mean", "p99", "allocs"}

// costChanges are what became of what an operation takes, in the cells where it is known of both runs,
// the largest growth first. What is called at all is asked for as much more as of so many calls.
func costChanges(cells []compared) []results.CostChange {
	var all []results.CostChange
	var of []compared
	s := shiftsOf(cells)
	for _, name := range everyCost {
		cost := Cost{Name: name}
		for _, c := range cells {
			if c.change.Along || cost.doubt(c.older, c.newer) != "" {
				continue
			}
			was, is := cost.values(c.older.trials), cost.values(c.newer.trials)
			all = append(all, results.CostChange{Experiment: c.change.Experiment, Variant: c.change.Variant, Factors: c.change.Factors, Goroutines: c.change.Goroutines, Cost: name,
				Old: interval(stats.MedianInterval(was, Confidence)), New: interval(stats.MedianInterval(is, Confidence)), Ratio: results.NoInterval(), Sure: results.NoInterval()})
			of = append(of, c)
		}
	}
	for i := range all {
		judgeCost(&all[i], of[i], s, len(all))
	}
	slices.SortStableFunc(all, func(a, b results.CostChange) int { return cmp.Compare(timesAsMuch(b), timesAsMuch(a)) })
	return all
}

// judgeCost calls a change of a cost, one of so many, by the rule of rates: more is worse.
func judgeCost(c *results.CostChange, cell compared, s shifts, many int) {
	cost := Cost{Name: c.Cost}
	was, is := cost.values(cell.older.trials), cost.values(cell.newer.trials)
	c.Call = results.CannotTell
	if none(was) {
		switch status, _ := cost.fromNone(was, is, many); status {
		case results.GatePassed:
			c.Call = results.Same
		case results.GateFailed:
			c.Call = results.Worse
		}
		return
	}
	if none(is) && slices.Min(was) > 0 && !partByTosses(was, is, many) {
		c.Ratio.Median, c.Call = 0, results.Better
		return
	}
	ratio, sure := cost.ratios(cell, s, many)
	c.Ratio, c.Sure = interval(ratio), interval(sure)
	switch {
	case !bounded(ratio):
	case sure.Low > 1+leastMargin:
		c.Call = results.Worse
	case sure.High < 1/(1+leastMargin):
		c.Call = results.Better
	case ratio.Low >= 1/(1+leastMargin) && ratio.High <= 1+leastMargin:
		c.Call = results.Same
	}
}

// timesAsMuch is how many times as much an operation takes: of what it took nothing of before, infinitely.
func timesAsMuch(c results.CostChange) float64 {
	switch {
	case c.Ratio.Median.Known():
		return float64(c.Ratio.Median)
	case c.Call == results.Worse:
		return math.Inf(1)
	}
	return 0
}
