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
// where it is not told to have one sign; of trials too few for an interval all must.
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
	if i.Low <= 0 && i.High >= 0 {
		return 0
	}
	return i.Median
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
// done has no rate of its own, and calibration gives each variant, and each run, a
// number of its own: 1.5 times as many operations would make a difference of what is the
// same. What an operation takes is taken to grow as it did between the halves, in a
// straight line.
func overEqualWork(ratio stats.Interval, x, y []results.Trial) stats.Interval {
	more := opsOf(y) / opsOf(x)
	if !(more > 0) || math.IsInf(more, 0) {
		return ratio
	}
	return spanning(ratio, spanning(scaled(ratio, 1/longer(x, more)), scaled(ratio, longer(y, 1/more))))
}

// longer is how many times as long an operation would take in trials of so many times as
// many operations. All of the fewer take no more time than all of the more.
func longer(trials []results.Trial, more float64) float64 {
	by := 1 + (more-1)*slowing(trials)
	if more > 1 {
		return max(by, 1/more)
	}
	return min(max(by, 0), 1/more)
}

func opsOf(trials []results.Trial) float64 {
	return stats.Median(each(trials, func(t results.Trial) float64 { return float64(t.Ops) }))
}

func scaled(i stats.Interval, by float64) stats.Interval {
	return stats.Interval{Median: i.Median, Low: i.Low * by, High: i.High * by}
}
