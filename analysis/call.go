package analysis

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// call says what a change is: better or worse where the whole interval lies
// beyond the margin, and no chance ([slower], [faster]), same where the whole of it lies within, and otherwise that
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
	case faster(c):
		return results.Better
	case holds(c, within) && float64(c.Ratio.High) <= 1+m:
		return results.Same
	}
	return results.CannotTell
}

// told reports whether the trials say anything of the ratio.
func told(c results.Change) bool { return c.Ratio.Bounded() && c.Doubt == "" }

// slower reports a drop that is certainly larger than the given share, and than what is called a
// difference at all, for itself; and that is no chance among so many.
func slower(c results.Change, drop float64) bool {
	return seemsSlower(c, drop) && float64(c.Sure.High) < 1/(1+unheld(c))
}

// faster is a gain that is certainly called a difference, by the same rule.
func faster(c results.Change) bool {
	return told(c) && float64(c.Ratio.Low) > 1+float64(c.Margin) && float64(c.Sure.Low) > 1+unheld(c)
}

// unheld is what two runs can differ by, as a share, that no interval holds: what changed the machine between
// them, for which the margin stands. Those that took turns differ by chance, and by the margin of their code.
func unheld(c results.Change) float64 {
	if c.Turns {
		return 0
	}
	return float64(c.Margin)
}

// seemsSlower is slower of a change for itself, as if there were no others.
func seemsSlower(c results.Change, drop float64) bool { return beyond(c, c.Ratio, drop) }

// surelySlower is slower by the drop at the level of so many.
func surelySlower(c results.Change, drop float64) bool { return beyond(c, c.Sure, drop) }

// looksSlower is a change that is slower for itself, by the test that knows nothing of the machine, and, as it
// was measured, by more than the drop: nobody should call that within it.
func looksSlower(c results.Change, drop float64) bool {
	return c.P <= falsely && beyond(c, results.Interval{High: c.Ratio.Median}, drop)
}

func beyond(c results.Change, ratio results.Interval, drop float64) bool {
	return told(c) && float64(ratio.High) < min(1-drop, 1/(1+float64(c.Margin)))
}

// holds reports that the drop is certainly no larger than the given share.
func holds(c results.Change, drop float64) bool {
	return told(c) && float64(c.Ratio.Low) >= 1-drop
}

// leastDrop is the smallest threshold that the trials pass: a drop larger than
// it is ruled out, a smaller one is not. It is 0 where the new run is certainly
// not slower.
func leastDrop(ratio results.Interval) results.Number {
	if !ratio.Bounded() {
		return results.Missing()
	}
	return max(1-ratio.Low, 0)
}

// doubtOf says why a cell's trials are not to be compared, all that speaks against it;
// empty if nothing does. What failed is said alone.
func doubtOf(older, newer side) string {
	for _, s := range []side{older, newer} {
		if text := s.failed(); text != "" {
			return s.where + " " + text
		}
	}
	if isOpen(older.trials) || isOpen(newer.trials) {
		return openRate
	}
	if resting(older.trials) || resting(newer.trials) {
		return restingRate
	}
	all := doubtsOf(older, newer)
	all = append(all, otherWork(older, newer)...)
	if fewest := min(len(older.trials), len(newer.trials)); fewest < leastSide {
		all = append(all, fmt.Sprintf("fewer than %d trials a side", leastSide))
	}
	return joined(append(all, uneven(older, newer))...)
}

// otherWork is the doubt that one side lost more of its operations than the other.
func otherWork(older, newer side) []string {
	if !losesUnlike(older.trials, newer.trials) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s %s, %s %s; the rates are not of the same work", gone(older.trials, newer.trials), lostText(older.trials), older.where, lostText(newer.trials), newer.where)}
}

// doubtsOf are those of the trials of both sides.
func doubtsOf(older, newer side) []string {
	var all []string
	olds, news := older.doubts(), newer.doubts()
	for _, text := range olds {
		where := older.where
		if slices.Contains(news, text) {
			where = both(older.where, newer.where)
		}
		all = append(all, where+" "+text)
	}
	for _, text := range news {
		if !slices.Contains(olds, text) {
			all = append(all, newer.where+" "+text)
		}
	}
	return all
}

// both names two runs at once: those of a pair, or of several by when they were.
func both(older, newer string) string {
	if older == theOlder {
		return "in both runs"
	}
	return older + " and " + newer
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

// doubts say what went wrong with the trials themselves.
func (s side) doubts() []string {
	var all []string
	often := func(code string) bool { return warned(s.trials, code)*disturbed >= len(s.trials) }
	for _, d := range []struct {
		is   bool
		text string
	}{
		{often(results.WarnDisturbed), "others took processor time in a third of the trials or more"},
		{often(results.WarnThrottled), "the quota of processors held the process back in a third of the trials or more"},
		{slowStarts(s.trials), "first operations take much of the window: the rate depends on how many there are"},
		{spent(s.run, s.trials), "what asked used the processors that it may"},
		{often(results.WarnFewCycles), "the rate is a lower bound and a longer window tells more: users asked once in a window and no second time"},
		{warned(s.trials, results.WarnStuck) > 0, "goroutines of a trial that never ended ran beside"},
		{often(results.WarnLeft), "goroutines that earlier trials started ran beside"},
		{warned(s.trials, results.WarnKept) > 0, "the trials were read from the benchmark format, which keeps no doubts"},
	} {
		if d.is {
			all = append(all, d.text)
		}
	}
	if idle(s.trials) {
		all = append(all, "a trial "+didNothing(s.trials))
	}
	return all
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
