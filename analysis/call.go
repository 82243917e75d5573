package analysis

import (
	"fmt"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// call says what a change is: better or worse where the whole interval lies
// beyond the margin, same where the whole of it lies within, and otherwise that
// one cannot tell. It is the rule that verdicts tell variants apart by, and
// that gates fail and pass by ([slower] and [holds]). Trials that are doubted
// tell nothing.
func call(c results.Change) string {
	m := float64(c.Margin)
	within := 1 - 1/(1+m) // the drop that undoes a gain of m
	switch {
	case !told(c):
		return results.CannotTell
	case slower(c, 0):
		return results.Worse
	case float64(c.Ratio.Low) > 1+m:
		return results.Better
	case holds(c, within) && float64(c.Ratio.High) <= 1+m:
		return results.Same
	}
	return results.CannotTell
}

// told reports whether the trials say anything of the ratio.
func told(c results.Change) bool { return c.Ratio.Bounded() && c.Doubt == "" }

// slower reports a drop that is certainly larger than the given share, and
// than what is called a difference at all.
func slower(c results.Change, drop float64) bool {
	return told(c) && float64(c.Ratio.High) < min(1-drop, 1/(1+float64(c.Margin)))
}

// holds reports that the drop is certainly no larger than the given share.
func holds(c results.Change, drop float64) bool {
	return told(c) && float64(c.Ratio.Low) >= 1-drop
}

// leastDrop is the smallest threshold that the trials pass: a drop larger than
// it is ruled out, a smaller one is not. It is 0 where the new run is certainly
// not slower.
func leastDrop(ratio stats.Interval) results.Number {
	if !bounded(ratio) {
		return results.Missing()
	}
	return results.Number(max(1-ratio.Low, 0))
}

// doubtOf says why a cell's trials are not to be compared; empty if nothing
// speaks against it. What failed is said before what was merely disturbed.
func doubtOf(older, newer side) string {
	for _, doubt := range []func(side) string{side.failed, side.doubt} {
		for _, s := range []side{older, newer} {
			if text := doubt(s); text != "" {
				return s.where + " " + text
			}
		}
	}
	if isOpen(older.trials) || isOpen(newer.trials) {
		return "in the open loop the rate is what was asked for, and tells nothing of what the operation takes"
	}
	if losesUnlike(older.trials, newer.trials) {
		return fmt.Sprintf("lost operations: %s %s, %s %s; the rates are not of the same work", lostText(older.trials), older.where, lostText(newer.trials), newer.where)
	}
	if fewest := min(len(older.trials), len(newer.trials)); fewest < leastSide {
		return fmt.Sprintf("fewer than %d trials a side", leastSide)
	}
	return uneven(older, newer)
}

// leastSide is the fewest trials of a run that are compared with another's, however
// many that has.
const leastSide = 4

// failed says what became of the variant, if it ended by an error.
func (s side) failed() string {
	for _, o := range s.run.Errors() {
		if o.Cell().SameSeries(s.trials[0].Cell()) {
			return "the variant " + o.Words()
		}
	}
	return ""
}

// doubt says what went wrong with the trials themselves.
func (s side) doubt() string {
	switch {
	case warned(s.trials, results.WarnDisturbed)*disturbed >= len(s.trials):
		return "others took processor time in a third of the trials or more"
	case warned(s.trials, results.WarnThrottled)*disturbed >= len(s.trials):
		return "the quota of processors held the process back in a third of the trials or more"
	case warned(s.trials, results.WarnSlowStart)*disturbed >= len(s.trials):
		return "the first operation takes much of the window: the rate depends on how many there are"
	case warned(s.trials, results.WarnStuck) > 0:
		return "goroutines of a trial that never ended ran beside"
	case warned(s.trials, results.WarnLeft)*disturbed >= len(s.trials):
		return "goroutines that earlier trials started ran beside"
	case warned(s.trials, results.WarnKept) > 0:
		return "the trials were read from the benchmark format, which keeps no doubts"
	case idle(s.trials):
		return "a trial " + didNothing(s.trials)
	}
	return ""
}

// mostUneven is how far the lengths of two runs' windows may lie apart.
const mostUneven = 2

// uneven doubts a cell whose two runs did such different numbers of operations
// that their windows differ: what starts and ends a trial weighs differently in
// them. A faster program that does more in the same time is no reason.
func uneven(older, newer side) string {
	ops := func(t results.Trial) float64 { return float64(t.Ops) }
	wall := func(t results.Trial) float64 { return float64(t.WallNS) }
	if apart(older, newer, ops) && apart(older, newer, wall) {
		return fmt.Sprintf("the runs planned very different trials: of %.0f operations, then of %.0f",
			stats.Median(each(older.trials, ops)), stats.Median(each(newer.trials, ops)))
	}
	return ""
}

func apart(older, newer side, get func(results.Trial) float64) bool {
	a, b := stats.Median(each(older.trials, get)), stats.Median(each(newer.trials, get))
	return max(a, b) > mostUneven*min(a, b)
}
