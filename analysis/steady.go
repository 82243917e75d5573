package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// unsteady is the slowing from which a cell is doubted: a quarter from half to half.
const unsteady = 2 * 0.25 / 2.25

// slowing is that of a cell's trials ([results.Trial.Slowing]): their median, and 0
// where it is not told to have one sign; of trials too few for an interval all must, or most of them
// be alike: one of which a half was disturbed does not make the others steady.
func slowing(trials []results.Trial) float64 {
	var known []float64
	for _, t := range trials {
		if g := t.Slowing(); g.Known() {
			known = append(known, float64(g))
		}
	}
	if len(known) == 0 {
		return 0
	}
	i := stats.MedianInterval(known, Confidence)
	if !bounded(i) {
		i.Low, i.High = slices.Min(known), slices.Max(known)
	}
	if i.Low <= 0 && i.High >= 0 && !mostAlike(known, i.Median) {
		return 0
	}
	return i.Median
}

// mostAlike reports whether two thirds of numbers, of five at least, lie within a quarter of their median: six that are normal
// around 0 do so once in a hundred times, and more of them less often.
func mostAlike(xs []float64, median float64) bool {
	distances := make([]float64, len(xs))
	for i, x := range xs {
		distances[i] = math.Abs(x - median)
	}
	slices.Sort(distances)
	return len(xs) >= 5 && distances[len(xs)-1-len(xs)/3] <= math.Abs(median)/4
}

// tookLonger says in which half an operation took longer, where it is unsteady.
func tookLonger(slowing float64) string {
	longer, shorter := "second", "first"
	if slowing < 0 {
		longer, shorter = shorter, longer
	}
	return fmt.Sprintf("an operation took over 1.25 times as long in the %s half of a trial as in the %s", longer, shorter)
}

// overEqualWork widens the ratio of x to y to what it would be had both done as many
// operations as the one, and as the other. An operation that takes longer the more were
// done has no rate of its own, and neither has one with a part that is the same however
// many there are, such as a flush at the end; but calibration gives each variant, and
// each run, a number of its own. What an operation takes is taken to grow in a straight
// line, as it did between the halves. What is unsteady may jump: its ratios are widened
// by another unsteadiest.
func overEqualWork(ratio stats.Interval, x, y []results.Trial) stats.Interval {
	more := opsOf(y) / opsOf(x)
	if !(more > 0) || math.IsInf(more, 0) {
		return ratio
	}
	ofX, ofY := slowing(x), slowing(y)
	for _, by := range longer(x, ofX, more) {
		ratio = spanning(ratio, scaled(ratio, 1/by))
	}
	for _, by := range longer(y, ofY, 1/more) {
		ratio = spanning(ratio, scaled(ratio, by))
	}
	if max(more, 1/more) > alikeWork && max(math.Abs(ofX), math.Abs(ofY)) > unsteady {
		ratio = spanning(ratio, spanning(scaled(ratio, unsteadiest), scaled(ratio, 1/unsteadiest)))
	}
	return ratio
}

// widened reports whether the bounds of a ratio lie much farther apart than the trials
// themselves have them.
func widened(x, y runner) bool {
	xs, ys := pairs(x.trials, y.trials)
	measured := measuredRatio(xs, ys)
	whole := overEqualWork(measured, xs, ys)
	return bounded(whole) && whole.High/whole.Low > muchWider*measured.High/measured.Low
}

// widest widens the ratio of x to y, which has a unit, by all that pairs of their trials do not show.
func widest(ratio stats.Interval, x, y []results.Trial, unit float64) stats.Interval {
	return overTogether(overAlone(overEqualWork(ratio, x, y), x, y), x, y, unit)
}

// overTogether widens the ratio of x to y to that of what all trials of each did together: of
// many trials the interval of a median leaves out a few that stalled.
func overTogether(ratio stats.Interval, x, y []results.Trial, unit float64) stats.Interval {
	return including(ratio, unit*rateOfAll(x)/rateOfAll(y))
}

// including widens a ratio to one that is known to it.
func including(ratio stats.Interval, one float64) stats.Interval {
	if one > 0 && !math.IsInf(one, 0) {
		ratio = spanning(ratio, stats.Interval{Low: one, High: one})
	}
	return ratio
}

// rateOfAll is what trials kept together in the time that they took for it, a second.
func rateOfAll(trials []results.Trial) float64 {
	var kept, ns float64
	for _, t := range trials {
		took := float64(t.RateNS())
		kept, ns = kept+keptPerS(t)*took, ns+took
	}
	return kept / ns
}

// overAlone widens the ratio of x to y by how much too high either rate can be, since a window's
// last answers came where nobody asked anew.
func overAlone(ratio stats.Interval, x, y []results.Trial) stats.Interval {
	by := func(trials []results.Trial) float64 {
		return 1 + stats.Median(each(trials, func(t results.Trial) float64 { return t.Alone }))
	}
	ratio.Low, ratio.High = ratio.Low/by(x), ratio.High*by(y)
	return ratio
}

// muchWider is by how much more an upper bound exceeds a lower one where that is said.
const muchWider = 1.25

const (
	alikeWork   = 1.05 // numbers of operations up to so many times as many are alike
	unsteadiest = 10.0
)

// longer is how many times as long an operation that slows so much would take in trials of
// so many times as many operations, if what comes behind the last of them takes as long whatever their
// number, and if it takes as long for each. All of the fewer take no more time than all of
// the more.
func longer(trials []results.Trial, slowing, more float64) []float64 {
	by := 1 + (more-1)*slowing
	if more > 1 {
		by = max(by, 1/more)
	} else {
		by = min(max(by, more), 1/more)
	}
	behind := stats.Median(each(trials, finishing))
	return []float64{(1-behind)*by + behind, (1-behind)*by + behind/more}
}

// finishing is the share of a trial's time that came behind its last operation.
func finishing(t results.Trial) float64 {
	if t.AcceptedNS <= 0 {
		return 0
	}
	return 1 - float64(t.AcceptedNS)/float64(t.WallNS)
}

func opsOf(trials []results.Trial) float64 {
	return stats.Median(each(trials, func(t results.Trial) float64 { return float64(t.Ops) }))
}

func scaled(i stats.Interval, by float64) stats.Interval {
	return stats.Interval{Median: i.Median, Low: i.Low * by, High: i.High * by}
}
