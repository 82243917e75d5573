package analysis

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// lines say who leads at N goroutines: one line a promise, the strongest first.
func (s setting) lines(n int, failed []results.Outcome) []results.Line {
	failed = s.failures(failed)
	if s.experiment.Apart {
		return []results.Line{{Text: s.spread(n), Variants: s.byRate(n), Cells: s.cells(s.ends(n))}}
	}
	all := classes(s.allSeries, n)
	all = inOrder(append(all, s.gone(all, failed)...))
	var lines []results.Line
	for _, c := range all {
		without := s.without(n, failed, func(p results.Promise) bool { return p == c.promise })
		if len(c.ranked) == 0 {
			lines = append(lines, results.Line{Promise: c.label(), Text: without})
			continue
		}
		peak, dominated := s.peak(c, n), c.dominated(all)
		lines = append(lines, results.Line{
			Promise: c.label(), Text: c.text(s.experiment), Variants: c.names(),
			Note: joined(peak.text, dominated.text, without), Cells: s.cells(c.leads.named(), peak.on, dominated.on),
		})
	}
	return lines
}

// cells are those that sentences rest on.
func (s setting) cells(of ...[]runner) []results.Cell {
	var all []results.Cell
	for _, r := range slices.Concat(of...) {
		all = append(all, results.Cell{Experiment: s.experiment.Name, Variant: r.variant.Name, Factors: s.key, Goroutines: r.goroutines})
	}
	return all
}

// inOne puts lines into one.
func inOne(at string, lines []results.Line) string {
	var parts []string
	start := ": "
	for _, l := range lines {
		text := joined(l.Text, l.Note)
		if l.Promise != "" {
			text, start = lower(l.Promise)+": "+text, " — "
		}
		parts = append(parts, text)
	}
	return capital(at) + start + strings.Join(parts, "; ") + "."
}

func lower(text string) string { return withFirst(text, unicode.ToLower) }

// joined puts what is not empty into one text.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// text says who leads the class, by how much, and who cannot be told from the
// leader.
func (c class) text(e results.Experiment) string {
	if !c.stated() && len(c.ranked) > 1 {
		return seriesNames(c.ranked) + " are not ranked"
	}
	s := c.leads
	text := s.lead(e)
	if len(s.few) > 0 && len(s.tied) > 0 {
		text += ", too few trials in common to place " + seriesNames(s.few)
	}
	if len(s.idle) > 0 && len(s.idle) < len(c.ranked) {
		text += ", while " + seriesNames(s.idle) + finishedNothing(s.idle...)
	}
	if len(s.failed) > 0 && len(s.failed) < len(c.ranked) {
		text += ", while " + failedOf(s.failed, e)
	}
	return text
}

// failedOf says how much of what was asked of each failed.
func failedOf(all []runner, e results.Experiment) string {
	var parts []string
	for _, r := range all {
		parts = append(parts, fmt.Sprintf("%s failed %s", r.variant.Name, lostText(r.trials)))
	}
	return listed(parts) + " of the " + plural(e)
}

func (s standing) lead(e results.Experiment) string {
	switch {
	case len(s.tied)+len(s.few)+len(s.idle) == 0:
		return "nobody is ranked: " + failedOf(s.failed, e)
	case len(s.tied) == 0 && len(s.few) == 0 && len(s.idle) == 1:
		return s.idle[0].does(e)
	case len(s.tied) == 0 && len(s.few) == 0:
		return seriesNames(s.idle) + finishedNothing(s.idle...)
	case len(s.tied) == 0 && len(s.few) == 1:
		return s.few[0].does(e)
	case len(s.tied) == 0 && warned(s.few[0].trials, results.WarnKept) > 0:
		return seriesNames(s.few) + " are not ranked: they were read from the benchmark format, which keeps no blocks"
	case len(s.tied) == 0:
		return "too few trials in common to rank " + seriesNames(s.few)
	case s.ring:
		return s.tied[0].does(e) + ", but nobody leads: " + seriesNames(s.tied) + " were each overtaken, in different blocks"
	}
	text := s.tied[0].does(e)
	if len(s.tied) > 1 {
		text += ", cannot be told apart from " + s.ties()
	}
	switch {
	case s.next == nil:
	case s.beater.series == s.tied[0].series:
		text += ", " + timesOf(s.ratio, *s.beater, *s.next)
	default:
		text += "; " + s.beater.variant.Name + " is " + timesOf(s.ratio, *s.beater, *s.next)
	}
	return text
}

// mostRatios is how many ratios of a tie a line can carry.
const mostRatios = 3

// ties names those that the first cannot be told apart from, with its ratio to
// each of them. The first has the highest median; where block by block another is
// ahead, the ratio is written as the other's.
func (s standing) ties() string {
	first, others := s.tied[0], s.tied[1:]
	if len(others) > mostRatios {
		return seriesNames(others)
	}
	var parts []string
	for _, r := range others {
		ratio := paired(first, r)
		text := "too few trials in common"
		switch {
		case bounded(ratio) && ratio.Median < 1:
			ratio = paired(r, first)
			text = fmt.Sprintf("which is %s× %s, %s, block by block", three(ratio.Median), first.variant.Name, span(ratio, first, r))
		case bounded(ratio):
			text = fmt.Sprintf("%s×, %s", three(ratio.Median), span(ratio, first, r))
		}
		if margin := 1 + max(first.margin, r.margin); ratio.Low > 1 || ratio.High < 1 {
			text += layout(ratio, margin)
		}
		parts = append(parts, r.variant.Name+" ("+text+")")
	}
	return listed(parts)
}

// layout says why a ratio that differs from 1 for certain tells nobody apart.
func layout(ratio stats.Interval, margin float64) string {
	if ratio.Median <= margin && ratio.Median >= 1/margin {
		return ": code layout alone can make as much"
	}
	return ": not certainly more than code layout can make"
}

// timesOf writes a ratio to somebody.
func timesOf(ratio stats.Interval, of, to runner) string {
	return fmt.Sprintf("%s× %s (%s)", three(ratio.Median), to.variant.Name, span(ratio, of, to))
}

// span writes the bounds of a ratio of two, and that they are not the trials' alone.
func span(ratio stats.Interval, x, y runner) string {
	text := three(ratio.Low) + "–" + three(ratio.High)
	if widened(x, y) {
		text += ", widened"
	}
	return text
}

// finishedNothing says what is so of the idle.
func finishedNothing(idle ...runner) string {
	var all []results.Trial
	for _, r := range idle {
		all = append(all, r.trials...)
	}
	text := " " + didNothing(all)
	for _, r := range idle {
		switch empty := empty(r.trials); {
		case empty == len(r.trials):
		case len(idle) == 1:
			return text + fmt.Sprintf(" in %d of %d trials", empty, len(r.trials))
		default:
			return text + " in some of their trials"
		}
	}
	return text
}

func (r runner) does(e results.Experiment) string {
	text := r.variant.Name
	if r.median > 0 {
		text += ", " + r.rate(e) + r.losses()
		if fails(r.trials) {
			text += ", while " + lostText(r.trials) + " of all failed"
		}
	}
	if !idle(r.trials) {
		return text
	}
	if r.median > 0 {
		text += ", and"
	}
	return text + finishedNothing(r)
}

// losses is what of that rate was without effect; empty where nothing may be.
func (r runner) losses() string {
	lost := lostShare(r.trials)
	switch {
	case lost == nil:
		return ""
	case !lost.Bounded() || lost.Low.Share() == lost.High.Share():
		return " of which " + lost.Median.Share() + " were lost"
	}
	return fmt.Sprintf(" of which %s (%s to %s) were lost", lost.Median.Share(), lost.Low.Share(), lost.High.Share())
}

func (r runner) rate(e results.Experiment) string {
	return r.atLeast() + results.Number(r.median).Rate() + " " + plural(e) + "/s" + r.inBlocks()
}

// atLeast stands before a rate that is a bound from below.
func (r runner) atLeast() string {
	if fromBelow(r.trials) {
		return "at least "
	}
	return ""
}

func three(x float64) string { return results.Number(x).Three() }
