package analysis

import (
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// A standing is what the trials allow to say of a class.
type standing struct {
	tied   []runner       // whom nobody was seen to be faster than
	beater *runner        // the fastest that is faster than next
	next   *runner        // the fastest that somebody is faster than
	ratio  stats.Interval // of beater to next
	few    []runner       // too few trials, or too few in blocks of the others
	idle   []runner       // kept no operation in some trials: no ratio to them is one
	failed []runner       // of others, where a part of what was asked failed: nor is one to them
	ring   bool           // each of the tied is slower than another of them
}

// stand compares everybody with everybody. That two cannot be told apart says
// nothing of a third, and the highest median can be of other blocks than the
// others': so those are ahead whom nobody was seen to be faster than.
func (c class) stand() standing {
	var s standing
	var ranked []runner
	for _, r := range c.ranked {
		switch {
		case idle(r.trials):
			s.idle = append(s.idle, r)
		case len(c.ranked) > 1 && fails(r.trials):
			s.failed = append(s.failed, r)
		case len(r.trials) < minTrials:
			s.few = append(s.few, r)
		default:
			ranked = append(ranked, r)
		}
	}
	var alone []runner
	ranked, alone = apartFrom(ranked)
	s.few = append(s.few, alone...)
	for _, r := range ranked {
		beater, ratio := r.beaten(ranked)
		switch {
		case beater == nil:
			s.tied = append(s.tied, r)
		case s.next == nil:
			s.beater, s.next, s.ratio = beater, &r, ratio
		}
	}
	if len(s.tied) == 0 && len(ranked) > 0 { // in a ring, each in other blocks
		s.tied, s.next, s.ring = ranked, nil, true
	}
	return s
}

// named are those whose figures a line gives.
func (s standing) named() []runner {
	all := slices.Concat(s.tied, s.few, s.idle, s.failed)
	if s.next != nil {
		all = append(all, *s.next, *s.beater)
	}
	return all
}

// compared are the pairs whose ratios a line gives.
func (s standing) compared() [][2]runner {
	var all [][2]runner
	if len(s.tied) > 1 && len(s.tied) <= mostRatios+1 && !s.ring {
		for _, r := range s.tied[1:] {
			all = append(all, [2]runner{s.tied[0], r})
		}
	}
	if s.next != nil {
		all = append(all, [2]runner{*s.beater, *s.next})
	}
	return all
}

// apartFrom splits those that have blocks in common with another from those that
// have none. One that is alone is compared with nobody.
func apartFrom(all []runner) (together, alone []runner) {
	for _, r := range all {
		if len(all) == 1 || comparable(r, all) {
			together = append(together, r)
		} else {
			alone = append(alone, r)
		}
	}
	return together, alone
}

// comparable reports whether the runner has enough trials in blocks of another.
func comparable(r runner, all []runner) bool {
	return slices.ContainsFunc(all, func(other runner) bool {
		return other.series != r.series && bounded(paired(other, r))
	})
}

// beaten returns the fastest that is told to be faster than the runner, and how
// much; nil if nobody is.
func (r runner) beaten(all []runner) (*runner, stats.Interval) {
	for _, other := range all {
		if other.series == r.series {
			continue
		}
		if ratio := paired(other, r); other.faster(ratio, r) {
			return &other, ratio
		}
	}
	return nil, stats.Interval{}
}

// faster reports whether the ratio to another tells that the runner is.
func (r runner) faster(ratio stats.Interval, than runner) bool {
	return bounded(ratio) && ratio.Low > 1+max(r.margin, than.margin)
}

// paired is the ratio of two runners, block by block.
func paired(x, y runner) stats.Interval { return ratioOf(x.trials, y.trials) }

// ratioOf is the ratio of two cells, block by block. Where a trial kept no operation, or a
// rate is a bound from below, it has no interval: it tells nothing.
func ratioOf(x, y []results.Trial) stats.Interval {
	xs, ys := pairs(x, y)
	ratio := widest(measuredRatio(xs, ys), xs, ys, 1)
	if idle(x) || idle(y) || fromBelow(x) || fromBelow(y) {
		ratio.Low, ratio.High = math.NaN(), math.NaN()
	}
	return ratio
}

// measuredRatio is the ratio of pairs of trials as they were.
func measuredRatio(xs, ys []results.Trial) stats.Interval {
	by := func(rate func(results.Trial) float64) stats.Interval {
		return stats.PairedRatio(each(xs, rate), each(ys, rate), Confidence)
	}
	return spanning(by(results.Trial.OpsPerS), by(keptPerS))
}

func bounded(i stats.Interval) bool {
	return results.Number(i.Low).Known() && results.Number(i.High).Known()
}
