package analysis

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
)

// Notes say what a reader of a line's text alone would take to be otherwise.

// peak tells of a level between the lowest and N at which the class does more
// than its leader does at N.
func (s setting) peak(c class, n int) string {
	if len(c.leads.tied) == 0 {
		return ""
	}
	leader, text, most := c.leads.tied[0], "", 0.0
	for _, g := range s.allSeries {
		if g.variant.Promise != c.promise {
			continue
		}
		for _, l := range g.cells {
			at := runner{g, l, middle(l.trials)}
			if l.goroutines == s.lowest() || l.goroutines >= n || at.median <= most {
				continue
			}
			if ratio := paired(at, leader); at.faster(ratio, leader) {
				most = at.median
				text = fmt.Sprintf("at %s, %s does %s/s, %s× as much (%s–%s)",
					goroutines(l.goroutines), g.variant.Name, results.Number(most).Rate(), three(ratio.Median), three(ratio.Low), three(ratio.High))
			}
		}
	}
	return text
}

// dominated names whoever promises more and is faster as well.
func (c class) dominated(all []class) string {
	if len(c.leads.tied) == 0 || !c.stated() {
		return ""
	}
	leader := c.leads.tied[0]
	for _, other := range all {
		if other.promise == c.promise || !other.stated() || !other.promise.Covers(c.promise) {
			continue
		}
		for _, r := range other.leads.tied {
			if ratio := paired(r, leader); r.faster(ratio, leader) {
				return fmt.Sprintf("%s promises more and is %s× as fast (%s–%s)",
					r.variant.Name, three(ratio.Median), three(ratio.Low), three(ratio.High))
			}
		}
	}
	return ""
}

// failures keeps those of the setting's own factors.
func (s setting) failures(all []results.Outcome) []results.Outcome {
	var own []results.Outcome
	for _, o := range all {
		if results.FactorKey(o.Factors) == s.key {
			own = append(own, o)
		}
	}
	return own
}

// ended names the variants of a promise that an error ended.
func (s setting) ended(failed []results.Outcome, p results.Promise) string {
	var parts []string
	for _, o := range failed {
		if s.experiment.Variant(o.Variant).Promise == p {
			parts = append(parts, o.Variant+" ended by an error at "+goroutines(o.Goroutines))
		}
	}
	return joined(parts...)
}

func hasPromise(all []class, p results.Promise) bool {
	return slices.ContainsFunc(all, func(c class) bool { return c.promise == p })
}

// gone are the promises that nobody has a trial of, since errors ended those who
// give them.
func (s setting) gone(all []class, failed []results.Outcome) []class {
	var lost []class
	for _, o := range failed {
		p := s.experiment.Variant(o.Variant).Promise
		if !hasPromise(all, p) && !hasPromise(lost, p) {
			lost = append(lost, class{promise: p})
		}
	}
	return lost
}
