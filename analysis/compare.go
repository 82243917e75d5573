package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// Where two runs are told apart by their age alone.
const (
	theOlder = "in the older run"
	theNewer = "in the newer run"
)

// Compare sets the cells of two runs against each other, worst first. Runs of
// different blocks share no drift that pairing could cancel, so every cell is
// two independent samples: the ratio's interval is the Mann–Whitney test
// turned around (stats.RatioInterval). Runs that took turns are compared in pairs, by the
// signed-rank test (stats.SignedRankRatio).
//
// It does not ask whether the runs may be compared: see [Unlike].
func Compare(older, newer *results.Run) *results.Comparison {
	c := compare(older, newer, theOlder, theNewer)
	olds, news := byCell(older), byCell(newer)
	for cell := range olds {
		if _, both := news[cell]; !both {
			c.Only = append(c.Only, onlyOld(cell.Name()))
		}
	}
	for cell := range news {
		if _, both := olds[cell]; !both {
			c.Only = append(c.Only, cell.Name()+" is in the new run only")
		}
	}
	slices.Sort(c.Only)
	return c
}

// compare is told how to name each run in a doubt of it. Which cells only some runs have
// it does not say: these two may not be all.
func compare(older, newer *results.Run, inOlder, inNewer string) *results.Comparison {
	olds, news := byCell(older), byCell(newer)
	c := &results.Comparison{Geomean: results.Missing(), Turns: tookTurns(older, newer)}
	cells := cellsOfBoth(older, newer, inOlder, inNewer)
	s := shiftsBetween(older, newer, cells)
	judgeCells(cells, s)
	c.Pooled, c.Costs = pool(cells), costChanges(cells, s)
	var ratios []float64
	for _, cell := range cells {
		c.Changes = append(c.Changes, cell.change)
		if told(cell.change) {
			ratios = append(ratios, float64(cell.change.Ratio.Median))
		}
	}
	for cell := range olds {
		if _, both := news[cell]; !both && !older.Along(cell.Experiment) {
			c.Lost = append(c.Lost, cell.Name())
		}
	}
	c.Geomean = results.Number(stats.Geomean(ratios))
	c.Lost = append(c.Lost, unmeasured(older, newer, olds, news)...)
	slices.Sort(c.Lost)
	c.Lost = slices.Compact(c.Lost)
	c.Warnings = slices.Concat(turnedRound(older, newer), s.warning(), doubtsAbout(older, inOlder), doubtsAbout(newer, inNewer), widerFor(cells, c.Turns))
	return c
}

// cellsOfBoth are the cells that both runs have, without what is called of them.
func cellsOfBoth(older, newer *results.Run, inOlder, inNewer string) (all []compared) {
	olds := byCell(older)
	was, is := side{run: older, where: inOlder, loose: looseness(older)}, side{run: newer, where: inNewer, loose: looseness(newer)}
	for cell, trials := range byCell(newer) {
		if before, both := olds[cell]; both {
			was.trials, is.trials = before, trials
			c := compared{sides: sides{was, is}}
			c.change = compareCell(c.older, c.newer)
			all = append(all, c)
		}
	}
	return all
}

// unmeasured are the cells that an error ended in either run and that the newer one has
// no trial of. No trial of the older one need tell of them: where the error came before
// the first block in both, there is none. Two programs that took turns were both asked for all: of them it is also
// what the older one, whose error ended all levels of N, has no trial of.
func unmeasured(older, newer *results.Run, olds, news map[results.Cell][]results.Trial) []string {
	var all []string
	for _, run := range []*results.Run{older, newer} {
		for _, o := range run.Errors() {
			if len(news[o.Cell()]) == 0 && !run.Along(o.Experiment) {
				all = append(all, o.Cell().Name())
			}
		}
	}
	if !tookTurns(older, newer) {
		return all
	}
	for _, o := range older.Errors() {
		for cell := range news {
			if cell.SameSeries(o.Cell()) && len(olds[cell]) == 0 && !newer.Along(cell.Experiment) {
				all = append(all, cell.Name())
			}
		}
	}
	return all
}

// turnedRound doubts two runs of which the one that was given as the older was measured
// later: of arguments that were exchanged every call is the opposite of the truth.
func turnedRound(older, newer *results.Run) []results.Warning {
	began, later := firstStart(older), firstStart(newer)
	if began.IsZero() || later.IsZero() || !began.After(later) {
		return nil
	}
	if tookTurns(older, newer) {
		return []results.Warning{{Code: results.WarnOrder, Text: "the run given as the older is that of the newer program: the two files are exchanged"}}
	}
	return []results.Warning{{Code: results.WarnOrder, Text: fmt.Sprintf("the run given as the older was measured later: %s, the newer %s",
		began.UTC().Format(time.DateTime), later.UTC().Format(time.DateTime))}}
}

// firstStart is when the first part of a run began; zero if no part says.
func firstStart(run *results.Run) time.Time {
	var first time.Time
	for _, env := range run.Envs {
		if first.IsZero() || !env.Start.IsZero() && env.Start.Before(first) {
			first = env.Start
		}
	}
	return first
}

// widerFor says by how much the order of a run's blocks has made ratios less sure: of runs that took turns,
// those that are not of pairs.
func widerFor(cells []compared, turns bool) []results.Warning {
	if len(cells) == 0 || cells[0].loose() <= 1 {
		return nil
	}
	of := "the ratios"
	if turns {
		of = "what operations take"
	}
	return []results.Warning{{Code: results.WarnInOrder, Text: fmt.Sprintf("for the order of the blocks, the intervals of %s are made %s times as wide as those of independent trials", of, results.Number(cells[0].loose()).Three())}}
}

// doubtsAbout are those about a run as a whole, each with the run: of two load
// averages nobody knows whose is whose.
func doubtsAbout(run *results.Run, where string) []results.Warning {
	all := slices.Concat(runWarnings(run), unread(run), failures(run))
	for i := range all {
		all[i].Text = where + ": " + all[i].Text
	}
	return all
}

func byCell(run *results.Run) map[results.Cell][]results.Trial {
	cells := map[results.Cell][]results.Trial{}
	for _, t := range run.Trials {
		cells[t.Cell()] = append(cells[t.Cell()], t)
	}
	return cells
}

// worstFirst orders by ratio; a cell without one comes last.
func worstFirst(a, b results.Change) int {
	rank := func(c results.Change) float64 {
		if !c.Ratio.Median.Known() {
			return math.Inf(1)
		}
		return float64(c.Ratio.Median)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Cell().Name(), b.Cell().Name()))
}

// A side is the trials of a cell in one of the two runs.
type side struct {
	run    *results.Run
	trials []results.Trial
	where  string  // in which run it is
	loose  float64 // by how much farther apart than its trials have it another run may be
}

func (s side) rates() []float64 { return each(s.trials, results.Trial.OpsPerS) }

// sides are one cell, or one variant, in both runs.
type sides struct{ older, newer side }

// ratio is that of the newer run's rates to the older one's, one of so many.
func (s sides) ratio(many int) stats.Interval {
	by := func(rate func(results.Trial) float64) stats.Interval {
		return s.samplesOf(rate).surely(many)
	}
	return widest(spanning(by(results.Trial.OpsPerS), by(keptPerS)), s.newer.trials, s.older.trials, 1)
}

// loose is that of the side that tells less.
func (s sides) loose() float64 { return max(s.older.loose, s.newer.loose) }

// together is the ratio of what all trials did.
func (s sides) together() float64 { return rateOfAll(s.newer.trials) / rateOfAll(s.older.trials) }

// A compared is a cell of both runs, and what is said of it.
type compared struct {
	sides
	change results.Change
}

// ofAll is how many calls so many cells, variants as a whole, or costs are part of: where runs took turns no margin
// makes chance rarer ([unheld]), so that the three kinds, of which any may be called, share the 5 %.
func ofAll(many int, turns bool) int {
	if turns {
		return 3 * many
	}
	return many
}

// judgeCells calls them, and puts the worst first. What was measured along is told, too.
func judgeCells(all []compared, s shifts) {
	many := 0
	for _, c := range all {
		if told(c.change) && !c.change.Along {
			many++
		}
	}
	for i := range all {
		c := &all[i].change
		if c.Sure = interval(all[i].ratio(ofAll(many, c.Turns))); !c.Along { // what tells of the machine is not held to itself
			c.Ratio, c.Sure = s.widen(c.Ratio, all[i]), s.widen(c.Sure, all[i])
		}
		c.Least = leastDrop(c.Ratio)
		c.Call = call(*c)
		c.Cause = whatGrew(all[i].older, all[i].newer, c.Call)
	}
	slices.SortFunc(all, func(a, b compared) int { return worstFirst(a.change, b.change) })
}

// compareCell is a change without what is called of it.
func compareCell(older, newer side) results.Change {
	first := newer.trials[0]
	s := sides{older, newer}
	return results.Change{
		Experiment: first.Experiment, Variant: first.Variant, Factors: first.Factors, Goroutines: first.Goroutines,
		Old:     interval(stats.MedianInterval(older.rates(), Confidence)),
		New:     interval(stats.MedianInterval(newer.rates(), Confidence)),
		OldLost: lostShare(older.trials), NewLost: lostShare(newer.trials),
		Ratio: interval(s.ratio(1)), P: s.samplesOf(results.Trial.OpsPerS).p(),
		Margin: results.Number(max(margin(older.run, older.trials), margin(newer.run, newer.trials))),
		Turns:  tookTurns(older.run, newer.run),
		Along:  newer.run.Along(first.Experiment) && older.run.Along(first.Experiment),
		Doubt:  doubtOf(older, newer),
	}
}
