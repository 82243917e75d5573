package analysis

import (
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// pool sets each variant of several levels of N side by side as a whole: in each run a block's
// score is the geometric mean of the variant's rates at all of them, and blocks of two runs
// are two independent samples, as the trials of a cell are. A cell that is doubted is no part
// of it. A change that all levels share is seen so from fewer trials, since what scatters from
// level to level evens out, and the calls are fewer.
func pool(pairs []sides, changes []results.Change) []results.Pooled {
	var all []results.Pooled
	var of [][2][]float64
	for _, group := range variantsOf(pairs, changes) {
		olds, news := scores(group, func(p sides) side { return p.older }), scores(group, func(p sides) side { return p.newer })
		if len(group) < 2 || min(len(olds), len(news)) < leastSide {
			continue
		}
		all = append(all, pooled(group, changes, olds, news))
		of = append(of, [2][]float64{news, olds})
	}
	for i := range all {
		sure := surely(of[i][0], of[i][1], len(all))
		all[i].Sure = interval(widenedAs(sure, all[i].Ratio, stats.RatioInterval(of[i][0], of[i][1], Confidence)))
		all[i].Call = call(all[i].Change)
	}
	slices.SortFunc(all, func(a, b results.Pooled) int { return worstFirst(a.Change, b.Change) })
	return all
}

// variantsOf gathers the cells that are told by variant, each ordered by N. What was measured
// along is none of them.
func variantsOf(pairs []sides, changes []results.Change) [][]sides {
	var keys []results.Cell
	groups := map[results.Cell][]sides{}
	for _, p := range pairs {
		change := changeOf(p, changes)
		if !told(change) || change.Along {
			continue
		}
		key := change.Cell()
		key.Goroutines = 0
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], p)
	}
	var all [][]sides
	for _, key := range keys {
		slices.SortFunc(groups[key], func(a, b sides) int { return a.newer.trials[0].Goroutines - b.newer.trials[0].Goroutines })
		all = append(all, groups[key])
	}
	return all
}

func changeOf(p sides, changes []results.Change) results.Change {
	cell := p.newer.trials[0].Cell()
	return changes[slices.IndexFunc(changes, func(c results.Change) bool { return c.Cell() == cell })]
}

// scores are those of the blocks in which one run has a trial of every cell.
func scores(group []sides, of func(sides) side) []float64 {
	var all []float64
	for _, first := range of(group[0]).trials {
		sum := 0.0
		for _, p := range group {
			if xs, _ := pairs(of(p).trials, []results.Trial{first}); len(xs) == 1 {
				sum += math.Log(keptPerS(xs[0]))
			} else {
				sum = math.NaN()
			}
		}
		if !math.IsNaN(sum) && !math.IsInf(sum, 0) {
			all = append(all, math.Exp(sum/float64(len(group))))
		}
	}
	return all
}

// pooled is a variant's change without what is called of it. It is as much wider than its
// scores are as its cells' intervals are than their trials, and its margin is theirs, on average.
func pooled(group []sides, changes []results.Change, olds, news []float64) results.Pooled {
	first := changeOf(group[0], changes)
	p := results.Pooled{Change: results.Change{Experiment: first.Experiment, Variant: first.Variant, Factors: first.Factors,
		Old: interval(stats.MedianInterval(olds, Confidence)), New: interval(stats.MedianInterval(news, Confidence))}}
	low, high, margins := 0.0, 0.0, 0.0
	for _, g := range group {
		c := changeOf(g, changes)
		raw := stats.RatioInterval(each(g.newer.trials, keptPerS), each(g.older.trials, keptPerS), Confidence)
		low += math.Log(max(1, raw.Low/float64(c.Ratio.Low)))
		high += math.Log(max(1, float64(c.Ratio.High)/raw.High))
		margins += float64(c.Margin)
		p.Levels = append(p.Levels, c.Goroutines)
	}
	many := float64(len(group))
	ratio := stats.RatioInterval(news, olds, Confidence)
	ratio.Low, ratio.High = ratio.Low/math.Exp(low/many), ratio.High*math.Exp(high/many)
	p.Ratio, p.Margin, p.Least = interval(ratio), results.Number(margins/many), leastDrop(ratio)
	p.P = results.Missing()
	if u, err := stats.MannWhitney(olds, news); err == nil {
		p.P = results.Number(u)
	}
	return p
}

// widenedAs widens an interval as much as another one is, compared with what it was.
func widenedAs(i stats.Interval, wide results.Interval, was stats.Interval) stats.Interval {
	return stats.Interval{Median: i.Median, Low: i.Low * float64(wide.Low) / was.Low, High: i.High * float64(wide.High) / was.High}
}
