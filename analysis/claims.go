package analysis

import (
	"fmt"
	"maps"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// claims holds what others concluded against the run's own figures, at every
// combination of factor levels that a claim speaks of and the run has.
func claims(e results.Experiment, allSeries []*series) []results.Tested {
	var all []results.Tested
	for _, c := range e.Claims {
		for _, of := range allSeries {
			if of.variant.Name != c.Of.Variant || !stands(of.factors, c.Of.Factors) {
				continue
			}
			if to := counterpart(c, of, allSeries); to != nil {
				if t, ok := test(e, c, of, to, allSeries); ok {
					all = append(all, t)
				}
			}
		}
	}
	return all
}

// stands reports whether the named factors stand at the named levels.
func stands(factors, named map[string]string) bool {
	for name, level := range named {
		if factors[name] != level {
			return false
		}
	}
	return true
}

// counterpart is the other side of the claim: the same factors but for those
// that it names.
func counterpart(c results.Claim, of *series, allSeries []*series) *series {
	factors := map[string]string{}
	maps.Copy(factors, of.factors)
	maps.Copy(factors, c.To.Factors)
	key := results.FactorKey(factors)
	for _, g := range allSeries {
		if g.variant.Name == c.To.Variant && g.key == key {
			return g
		}
	}
	return nil
}

// test compares the two cells of a claim, block by block.
func test(e results.Experiment, c results.Claim, of, to *series, allSeries []*series) (results.Tested, bool) {
	n := c.Goroutines
	if n == 0 {
		n = highestCommon(of, to)
	}
	if xs, _ := pairs(of.at(n), to.at(n)); len(xs) == 0 {
		return results.Tested{}, false
	}
	ratio := ratioOf(of.at(n), to.at(n))
	widest := max(of.cell(n).margin, to.cell(n).margin)
	t := results.Tested{Claim: c, Cells: []results.Cell{of.at(n)[0].Cell(), to.at(n)[0].Cell()}, Factors: of.factors, Goroutines: n, Ratio: interval(ratio), Status: status(c, ratio, 1+widest)}
	if fails(of.at(n)) || fails(to.at(n)) { // rates of what was answered are not of what was asked
		t.Status = results.Untold
	}
	t.Sentence = t.Status + ": " + sentence(e, t, of, to, allSeries)
	if losesUnlike(of.at(n), to.at(n)) {
		t.Sentence += fmt.Sprintf(" %s: %s of %s, %s of %s.", capital(gone(of.at(n), to.at(n))), lostText(of.at(n)), of.variant.Name, lostText(to.at(n)), sideName(of, to))
	}
	return t, true
}

// highestCommon is the highest N that both have trials of in the same blocks; 0 if
// there is none.
func highestCommon(of, to *series) int {
	for _, l := range slices.Backward(of.cells) {
		if xs, _ := pairs(l.trials, to.at(l.goroutines)); len(xs) > 0 {
			return l.goroutines
		}
	}
	return 0
}

// status places the interval of a ratio against what is claimed of it. A claim
// that one side is faster needs more than the margin by which nothing is told
// apart, and is contradicted by no less.
func status(c results.Claim, ratio stats.Interval, margin float64) string {
	least, most := c.Least, c.Most
	if least == 1 {
		least = margin
	}
	if most == 1 {
		most = 1 / margin
	}
	against := func(bound float64) float64 { // where contradicting it starts
		if bound == 1 {
			return margin
		}
		return 1
	}
	switch {
	case !bounded(ratio), c.Least <= 0 && c.Most <= 0: // it says nothing
		return results.Untold
	case c.Least > 0 && ratio.High < c.Least/against(c.Least), c.Most > 0 && ratio.Low > c.Most*against(c.Most):
		return results.Contradicted
	case ratio.Low >= least && (most == 0 || ratio.High <= most):
		return results.Confirmed
	}
	return results.Untold
}

// sentence says who claimed what, and the figures.
func sentence(e results.Experiment, t results.Tested, of, to *series, allSeries []*series) string {
	where := "at " + goroutines(t.Goroutines)
	if swept := results.FactorKey(sweptOf(of, allSeries)); swept != "" {
		where += " with " + swept
	}
	text := fmt.Sprintf("%s said: %s. Here, %s, %s does %s the %s/s of %s",
		t.Claim.By, t.Claim.Text, where, of.variant.Name, timesText(t.Ratio), plural(e), sideName(of, to))
	switch a, b := of.variant.Promise, to.variant.Promise; {
	case a.Survives != b.Survives:
		text += fmt.Sprintf(" (unequal promises: %s survives %s, %s %s)", of.variant.Name, crash(a), to.variant.Name, crash(b))
	case a != b:
		text += fmt.Sprintf(" (unequal promises: %s %s, %s; %s %s, %s)", of.variant.Name, a.Order, a.Result, to.variant.Name, b.Order, b.Result)
	}
	return text + "."
}

// sideName names the other side, with the factors that differ.
func sideName(of, to *series) string {
	differing := map[string]string{}
	for name, level := range to.factors {
		if of.factors[name] != level {
			differing[name] = level
		}
	}
	if len(differing) == 0 {
		return to.variant.Name
	}
	return to.variant.Name + " with " + results.FactorKey(differing)
}

func timesText(i results.Interval) string {
	if !i.Bounded() {
		return i.Median.Three() + " times (no interval: too few trials, some without an operation that had its effect, or users who asked once)"
	}
	return fmt.Sprintf("%s (%s–%s) times", i.Median.Three(), i.Low.Three(), i.High.Three())
}
