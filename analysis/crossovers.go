package analysis

import "github.com/syncwrite/syncwrite/results"

// crossovers are where one variant overtakes another of equal promise, with more
// goroutines: at one N it is certainly slower, at a higher one certainly faster, by
// the same rule as a verdict tells variants apart by. In between nobody knows.
func crossovers(e results.Experiment, allSeries []*series) []results.Crossover {
	var all []results.Crossover
	for _, s := range settings(e, allSeries) {
		for i, a := range s.allSeries {
			for _, b := range s.allSeries[i+1:] {
				if a.variant.Promise == b.variant.Promise && !isOpen(a.cells[0].trials) {
					all = append(all, overtakes(a, b)...)
				}
			}
		}
	}
	return all
}

// overtakes are the changes of who is ahead of two series.
func overtakes(a, b *series) []results.Crossover {
	var all []results.Crossover
	var leader *series
	until := 0
	for _, c := range a.cells {
		ahead := certainly(a, b, c.goroutines)
		if ahead == nil {
			continue
		}
		if leader != nil && ahead != leader {
			all = append(all, results.Crossover{Factors: a.factors, Ahead: ahead.variant.Name, Behind: leader.variant.Name, Until: until, From: c.goroutines})
		}
		leader, until = ahead, c.goroutines
	}
	return all
}

// certainly is who of two is told to be faster at N goroutines; nil where nobody is.
func certainly(a, b *series, n int) *series {
	if b.cell(n) == nil || fails(a.at(n)) || fails(b.at(n)) {
		return nil
	}
	x, y := runner{series: a, cell: a.cell(n)}, runner{series: b, cell: b.cell(n)}
	switch {
	case x.faster(paired(x, y), y):
		return a
	case y.faster(paired(y, x), x):
		return b
	}
	return nil
}
