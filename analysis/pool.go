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
func pool(cells []compared) []results.Pooled {
	var all []results.Pooled
	var of []samples
	for _, group := range variantsOf(cells) {
		s := scoresOf(group)
		if len(group) < 2 || min(len(s.older), len(s.newer)) < leastSide {
			continue
		}
		all = append(all, pooled(group, s))
		of = append(of, s)
	}
	for i := range all {
		all[i].Sure = interval(widenedAs(of[i].surely(ofAll(len(all), all[i].Turns)), all[i].Ratio, of[i].ratio(Confidence)))
		all[i].Call = call(all[i].Change)
	}
	slices.SortFunc(all, func(a, b results.Pooled) int { return worstFirst(a.Change, b.Change) })
	return all
}

// variantsOf gathers the cells that are told by variant, each ordered by N. What was measured
// along is none of them.
func variantsOf(cells []compared) [][]compared {
	var keys []results.Cell
	groups := map[results.Cell][]compared{}
	for _, c := range cells {
		if !told(c.change) || c.change.Along {
			continue
		}
		key := c.change.Cell()
		key.Goroutines = 0
		if groups[key] == nil {
			keys = append(keys, key)
		}
		groups[key] = append(groups[key], c)
	}
	var all [][]compared
	for _, key := range keys {
		slices.SortFunc(groups[key], func(a, b compared) int { return a.change.Goroutines - b.change.Goroutines })
		all = append(all, groups[key])
	}
	return all
}

// scoresOf are those of the blocks of both runs; where these took turns, of the blocks that both have.
func scoresOf(group []compared) (s samples) {
	olds, ofOlds := scores(group, func(c compared) side { return c.older })
	news, ofNews := scores(group, func(c compared) side { return c.newer })
	if s.paired = tookTurns(group[0].older.run, group[0].newer.run); !s.paired {
		s.older, s.newer, s.loose = olds, news, group[0].loose()
		return s
	}
	for i, block := range ofNews {
		if j := slices.Index(ofOlds, block); j >= 0 {
			s.older, s.newer = append(s.older, olds[j]), append(s.newer, news[i])
		}
	}
	return s
}

// scores are those of the blocks in which one run has a trial of every cell, and which these are.
func scores(group []compared, of func(compared) side) (all []float64, blocks []int) {
	for _, first := range of(group[0]).trials {
		var rates []float64
		for _, c := range group {
			xs, _ := pairs(of(c).trials, []results.Trial{first})
			rates = append(rates, each(xs, keptPerS)...)
		}
		if score := stats.Geomean(rates); len(rates) == len(group) && score > 0 {
			all, blocks = append(all, score), append(blocks, first.Block)
		}
	}
	return all, blocks
}

// pooled is a variant's change without what is called of it. Its interval holds what all trials did together, at
// all levels; by what else widens its cells' intervals it is as much wider as they are, on average, and its margin is theirs, too.
func pooled(group []compared, s samples) results.Pooled {
	first := group[0].change
	p := results.Pooled{Change: results.Change{Experiment: first.Experiment, Variant: first.Variant, Factors: first.Factors, Turns: first.Turns,
		Old: interval(stats.MedianInterval(s.older, Confidence)), New: interval(stats.MedianInterval(s.newer, Confidence))}}
	low, high, margins := 0.0, 0.0, 0.0
	var together []float64
	for _, g := range group {
		c, pairs, whole := g.change, g.samplesOf(keptPerS).ratio(Confidence), g.together()
		low += math.Log(max(1, min(pairs.Low, whole)/float64(c.Ratio.Low)))
		high += math.Log(max(1, float64(c.Ratio.High)/max(pairs.High, whole)))
		together = append(together, whole)
		margins += float64(c.Margin)
		p.Levels = append(p.Levels, c.Goroutines)
	}
	many := float64(len(group))
	ratio := including(s.ratio(Confidence), stats.Geomean(together))
	ratio.Low, ratio.High = ratio.Low/math.Exp(low/many), ratio.High*math.Exp(high/many)
	p.Ratio, p.Margin, p.Least = interval(ratio), results.Number(margins/many), leastDrop(interval(ratio))
	p.P = s.p()
	return p
}

// widenedAs widens an interval as much as another one is, compared with what it was.
func widenedAs(i stats.Interval, wide results.Interval, was stats.Interval) stats.Interval {
	return stats.Interval{Median: i.Median, Low: i.Low * float64(wide.Low) / was.Low, High: i.High * float64(wide.High) / was.High}
}
