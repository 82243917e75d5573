package analysis

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// whatGrew says of a cell that became slower which part of the goroutine time of an operation
// grew most, and where; of one that became faster, which part shrank most. It is empty where
// not both runs tell the shares.
func whatGrew(older, newer side, call string) string {
	if call != results.Worse && call != results.Better {
		return ""
	}
	was, known := spoken(older)
	is, both := spoken(newer)
	if !known || !both {
		return ""
	}
	before, after := operationTimes(was, older), operationTimes(is, newer)
	top, most := "", 0.0
	for _, kind := range kindsOf(was, is) {
		change := after[kind] - before[kind]
		if call == results.Better {
			change = -change
		}
		if change > most {
			top, most = kind, change
		}
	}
	how := map[string]string{results.Worse: "grew", results.Better: "shrank"}[call]
	switch top {
	case "":
		return "nothing that is told " + how
	case results.TimeUnknown:
		return "what " + how + " most is not accounted for"
	}
	at, than := placeTimes(is, newer, top), placeTimes(was, older, top)
	if call == results.Better {
		at, than = than, at
	}
	return fmt.Sprintf("%s most: %s%s, %v → %v of an operation", how, top, placeThatGrew(at, than), nanos(before[top]), nanos(after[top]))
}

// spoken is what a window says of a cell, with shares.
func spoken(s side) (results.Explanation, bool) {
	first := s.trials[0]
	run := *s.run
	run.Breakdowns = slices.DeleteFunc(slices.Clone(run.Breakdowns), func(b results.Breakdown) bool { return b.Cell() != first.Cell() })
	for _, e := range explained(&run, results.Finding{Experiment: results.Experiment{Name: first.Experiment}, Trials: s.trials}) {
		if e.Shares {
			return e, true
		}
	}
	return results.Explanation{}, false
}

// anOperation is the goroutine time of an operation, of which the trials tell how much there
// is, for each ns of the window, which tells what it goes to.
func anOperation(e results.Explanation, s side) float64 {
	return float64(e.Goroutines) * 1e9 / stats.Median(s.rates()) / float64(e.TimeNS)
}

// operationTimes is the time of an operation that goes to each kind, in ns.
func operationTimes(e results.Explanation, s side) map[string]float64 {
	one, times := anOperation(e, s), map[string]float64{}
	for _, p := range e.Parts {
		times[p.Kind] = one * float64(p.NS)
	}
	return times
}

// kindsOf are those of both, in an order of their own.
func kindsOf(both ...results.Explanation) (kinds []string) {
	for _, e := range both {
		for _, p := range e.Parts {
			kinds = append(kinds, p.Kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// placeTimes is the time of an operation that one kind took at each place.
func placeTimes(e results.Explanation, s side, kind string) map[string]float64 {
	one, times := anOperation(e, s), map[string]float64{}
	for _, p := range e.Parts {
		for _, place := range p.Places {
			if p.Kind == kind {
				times[place.Where] += one * float64(place.NS)
			}
		}
	}
	return times
}

// placeThatGrew names the place at which times are longer than others by most.
func placeThatGrew(times, than map[string]float64) string {
	top, most := "", 0.0
	for _, where := range slices.Sorted(maps.Keys(times)) {
		if by := times[where] - than[where]; by > most {
			top, most = ", at "+where, by
		}
	}
	return top
}

// nanos leaves out what no median of rates carries: digits behind the third.
func nanos(ns float64) time.Duration {
	d, unit := time.Duration(ns), time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
