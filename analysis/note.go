package analysis

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// Notes say what a reader of a line's text alone would take to be otherwise.

// A note says something more of a class, and rests on cells.
type note struct {
	text string
	on   []runner
}

// peak tells of a level below N at which the class does more than its leader does
// at N. What one goroutine does of the leader stands in the line on scaling, if there
// is one: where nothing does more than that, there is no more to tell.
func (s setting) peak(c class, n int) note {
	if len(c.leads.tied) == 0 || !c.stated() && len(c.ranked) > 1 {
		return note{}
	}
	var told note
	leader, most := c.leads.tied[0], 0.0
	for _, at := range s.below(c, n) {
		kept := stats.Median(each(at.shared, keptPerS))
		if kept <= most {
			continue
		}
		if ratio := paired(at, leader); at.faster(ratio, leader) {
			if most = kept; s.scaled && at.goroutines == 1 && at.series == leader.series {
				told = note{}
				continue
			}
			told = note{fmt.Sprintf("at %s, %s does %s/s%s%s, %s× as much (%s–%s)", goroutines(at.goroutines), at.variant.Name,
				results.Number(at.median).Rate(), at.inBlocks(), at.losses(), three(ratio.Median), three(ratio.Low), three(ratio.High)), []runner{at}}
		}
	}
	return told
}

// below are the cells of a class at fewer than N goroutines, of a class that states no promise those of its leader.
func (s setting) below(c class, n int) (all []runner) {
	for _, g := range s.allSeries {
		if g.variant.Promise != c.promise || !c.stated() && g != c.leads.tied[0].series {
			continue
		}
		for _, l := range g.cells {
			if l.goroutines < n {
				all = append(all, runner{series: g, cell: l})
			}
		}
	}
	inTheSameBlocks(all)
	return all
}

// dominated names whoever promises more and is faster as well, and loses no more.
func (c class) dominated(all []class) note {
	if len(c.leads.tied) == 0 || !c.stated() {
		return note{}
	}
	leader := c.leads.tied[0]
	for _, other := range all {
		if other.promise == c.promise || !other.stated() || !other.promise.Covers(c.promise) {
			continue
		}
		for _, r := range other.leads.tied {
			if ratio := paired(r, leader); r.faster(ratio, leader) && !losesMore(r.trials, leader.trials) {
				return note{fmt.Sprintf("%s promises more and is %s× as fast (%s–%s)",
					r.variant.Name, three(ratio.Median), three(ratio.Low), three(ratio.High)), []runner{r}}
			}
		}
	}
	return note{}
}

// failures keeps those of the setting's own factors that ended their variant.
func (s setting) failures(all []results.Outcome) []results.Outcome {
	var own []results.Outcome
	for _, o := range all {
		if results.FactorKey(o.Factors) == s.key && o.Kind != results.OutcomeFailed {
			own = append(own, o)
		}
	}
	return own
}

// without names the variants of a promise that have no trial at N, and those that
// an error ended.
func (s setting) without(n int, failed []results.Outcome, promised func(results.Promise) bool) string {
	var parts, absent []string
	for _, o := range failed {
		if promised(s.experiment.Variant(o.Variant).Promise) {
			parts = append(parts, o.Variant+" ended by an error at "+goroutines(o.Goroutines))
		}
	}
	for _, g := range s.allSeries {
		ended := slices.ContainsFunc(failed, func(o results.Outcome) bool { return o.Variant == g.variant.Name })
		if g.cell(n) == nil && !ended && promised(g.variant.Promise) {
			absent = append(absent, g.variant.Name)
		}
	}
	if len(absent) > 0 {
		parts = append(parts, capped(absent)+" not measured at "+goroutines(n))
	}
	return joined(parts...)
}

func hasPromise(all []class, p results.Promise) bool {
	return slices.ContainsFunc(all, func(c class) bool { return c.promise == p })
}

// gone are the promises that nobody has a trial of at N.
func (s setting) gone(all []class, failed []results.Outcome) []class {
	var lost []class
	add := func(p results.Promise) {
		if !hasPromise(all, p) && !hasPromise(lost, p) {
			lost = append(lost, class{promise: p})
		}
	}
	for _, o := range failed {
		add(s.experiment.Variant(o.Variant).Promise)
	}
	for _, g := range s.allSeries {
		add(g.variant.Promise)
	}
	return lost
}
