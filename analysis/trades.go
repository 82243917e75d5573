package analysis

import (
	"fmt"

	"github.com/syncwrite/syncwrite/results"
)

// trades tells what each weaker promise buys, at every combination of factor levels:
// where fewest goroutines wait for one another and, where nothing is swept or it is the
// order that differs, where most do.
func trades(e results.Experiment, allSeries []*series) []string {
	var all []string
	for _, trade := range e.Trades {
		var parts []string
		head, said, certain := "", "", false
		for _, s := range settings(e, allSeries) {
			weaker, stronger := s.variant(trade.Weaker), s.variant(trade.Stronger)
			if weaker == nil || stronger == nil || !weaker.variant.Promise.Weaker(stronger.variant.Promise) {
				continue
			}
			head = "Not ranked, since the promises differ: " + differing(weaker.variant, stronger.variant) + ". What the weaker promise buys"
			for _, n := range s.tradedAt(weaker, stronger) {
				ratio := interval(ratioOf(weaker.at(n), stronger.at(n)))
				if !ratio.Median.Known() {
					continue
				}
				certain = certain || ratio.Bounded() && (ratio.Low > 1 || ratio.High < 1)
				part := timesText(ratio) + lostBeside(runner{series: weaker, cell: weaker.cell(n)}, runner{series: stronger, cell: stronger.cell(n)})
				if s.factors != "" {
					part += " with " + s.factors
				}
				if at := goroutines(n); at != said {
					said, part = at, fmt.Sprintf("at %s %s does %s", at, trade.Weaker, part)
				}
				parts = append(parts, part)
			}
		}
		if !certain {
			head += ", if anything, cannot be told"
		}
		if len(parts) > 0 {
			all = append(all, head+": "+listed(parts)+" the "+plural(e)+"/s of "+trade.Stronger+".")
		}
	}
	return all
}

// tradedAt are the levels of N at which a trade is told.
func (s setting) tradedAt(weaker, stronger *series) []int {
	fewest, most := s.lowest(), s.highest()
	switch {
	case weaker.variant.Promise.Order != stronger.variant.Promise.Order:
		return []int{most}
	case s.factors != "" || fewest == most:
		return []int{fewest}
	}
	return []int{fewest, most}
}

// lostBeside says what was lost of two cells; empty where neither counted it.
func lostBeside(all ...runner) string {
	var parts []string
	for _, r := range all {
		if len(lostShares(r.trials)) > 0 {
			parts = append(parts, lostText(r.trials)+" of "+r.variant.Name)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (lost operations: " + listed(parts) + ")"
}

// differing says in what the promises of two variants differ.
func differing(weaker, stronger results.Variant) string {
	var parts []string
	add := func(form, of, to string) {
		if of != to {
			parts = append(parts, fmt.Sprintf(form, weaker.Name, of, stronger.Name, to))
		}
	}
	w, s := weaker.Promise, stronger.Promise
	add("%s survives %s, %s %s", crash(w), crash(s))
	add("the order of %s is %s, that of %s %s", w.Order, s.Order)
	add("the result of %s is %s, that of %s %s", w.Result, s.Result)
	return listed(parts)
}

func crash(p results.Promise) string {
	return wording(p.Survives, map[string]string{
		"nothing": "no crash", "process-crash": "a process crash", "power-cut": "a power cut",
	})
}

// variant finds a series by the name of its variant.
func (s setting) variant(name string) *series {
	for _, g := range s.allSeries {
		if g.variant.Name == name {
			return g
		}
	}
	return nil
}
