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
	switch {
	case top == "":
		return "nothing that is told " + how
	case top == results.TimeUnknown, 4*max(leftOf(was, older), leftOf(is, newer)) >= most: // one of them may know of a part of it alone
		return "what " + how + " most is not accounted for"
	}
	at, than := placesOf(is, newer, top), placesOf(was, older, top)
	if call == results.Better {
		at, than = than, at
	}
	return fmt.Sprintf("%s most: %s%s, %s → %s of an operation", how, top, placeThatGrew(at, than), timeOf(was, before[top]), timeOf(is, after[top]))
}

// timeOf is a time of an operation in words: profiles have no source of some, which is no zero.
func timeOf(e results.Explanation, ns float64) string {
	if ns == 0 && e.Source == results.SourceProfiles {
		return "what is not told"
	}
	return nanos(ns).String()
}

// leftOf is the time of an operation of which nobody knows where it went, in ns.
func leftOf(e results.Explanation, s side) float64 {
	return unexplained(e) * anOperation(e, s) * float64(e.TimeNS)
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
	return stats.Median(measured{trials: s.trials}.each(results.Trial.OpNS)) / float64(e.TimeNS)
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

// places are the times of an operation that one kind took, by what waits or works there, which is
// called the same in both runs, and then by line, which an edit above it moves.
type places map[string]map[string]float64

func placesOf(e results.Explanation, s side, kind string) places {
	one, all := anOperation(e, s), places{}
	for _, p := range e.Parts {
		for _, place := range p.Places {
			if p.Kind != kind {
				continue
			}
			who := place.Func + " " + place.Call
			if place.Func == "" {
				who = place.Where
			}
			if all[who] == nil {
				all[who] = map[string]float64{}
			}
			all[who][place.Where] += one * float64(place.NS)
		}
	}
	return all
}

// placeThatGrew names the line at which times are longer than others by most; none where that
// is a place that has no like, or several lines of a function that are not the same ones.
func placeThatGrew(times, than places) string {
	top, most := "", 0.0
	grew := func(where string, by float64) {
		if by > most {
			top, most = where, by
		}
	}
	for _, who := range slices.Sorted(maps.Keys(times)) {
		lines, others := times[who], than[who]
		switch {
		case len(lines) == 1 && (len(others) == 1 || len(than) == 0):
			for where, ns := range lines {
				grew(where, ns-sum(others))
			}
		case sameLines(lines, others):
			for where, ns := range lines {
				grew(where, ns-others[where])
			}
		default:
			grew("", sum(lines)-sum(others))
		}
	}
	if top == "" {
		return ""
	}
	return ", at " + top
}

func sameLines(a, b map[string]float64) bool {
	return slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
}

func sum(times map[string]float64) (all float64) {
	for _, ns := range times {
		all += ns
	}
	return all
}

// nanos leaves out what no median of rates carries: digits behind the third.
func nanos(ns float64) time.Duration {
	d, unit := time.Duration(ns), time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit)
}
