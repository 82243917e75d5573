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
func costChanges(cells []compared, s shifts) []results.CostChange {
	known := map[string][]compared{}
	many := 0
	for _, name := range everyCost {
		for _, c := range cells {
			if !c.change.Along && (Cost{Name: name}).doubt(c.older, c.newer) == "" {
				known[name] = append(known[name], c)
				many++
			}
		}
	}
	var all []results.CostChange
	for _, name := range everyCost {
		for _, c := range known[name] {
			all = append(all, Cost{Name: name}.change(c, s, many))
		}
	}
	slices.SortStableFunc(all, func(a, b results.CostChange) int { return cmp.Compare(timesAsMuch(b), timesAsMuch(a)) })
	return all
}

// change is that of a cost in a cell, one of so many, called by the rule of rates: more is worse.
func (c Cost) change(cell compared, s shifts, many int) results.CostChange {
	was, is := c.values(cell.older.trials), c.values(cell.newer.trials)
	at := cell.change
	many = ofAll(many, at.Turns)
	change := results.CostChange{Experiment: at.Experiment, Variant: at.Variant, Factors: at.Factors, Goroutines: at.Goroutines, Cost: c.Name,
		Old: interval(stats.MedianInterval(was, Confidence)), New: interval(stats.MedianInterval(is, Confidence)), Ratio: results.NoInterval(), Sure: results.NoInterval()}
	change.Call = results.CannotTell
	if none(was) {
		switch status, _ := c.fromNone(was, is, many); status {
		case results.GatePassed:
			change.Call = results.Same
		case results.GateFailed:
			change.Call = results.Worse
		}
		return change
	}
	if none(is) && slices.Min(was) > 0 && !(samples{newer: is, older: was}).partByTosses(many) {
		change.Ratio.Median, change.Call = 0, results.Better
		return change
	}
	ratio, sure := c.ratios(cell, s, many)
	change.Ratio, change.Sure = interval(ratio), interval(sure)
	switch {
	case !bounded(ratio):
	case sure.Low > 1+leastMargin:
		change.Call = results.Worse
	case sure.High < 1/(1+leastMargin):
		change.Call = results.Better
	case ratio.Low >= 1/(1+leastMargin) && ratio.High <= 1+leastMargin:
		change.Call = results.Same
	}
	return change
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
