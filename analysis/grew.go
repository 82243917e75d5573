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
	where := placeThatGrew(at, than, most)
	return fmt.Sprintf("%s most: %s%s, %s", how, top, where, fromTo(timeOf(was, before[top]), timeOf(is, after[top])))
}

// timeOf is a time of an operation in words; empty where it is none for profiles, which have no source of some.
func timeOf(e results.Explanation, ns float64) string {
	if ns == 0 && e.Source == results.SourceProfiles {
		return ""
	}
	return nanos(ns).String()
}

func fromTo(before, after string) string {
	switch {
	case before == "":
		return fmt.Sprintf("of which nothing was told, to %s of an operation", after)
	case after == "":
		return fmt.Sprintf("from %s of an operation to what nobody told", before)
	}
	return fmt.Sprintf("%s → %s of an operation", before, after)
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
// called the same in both runs, and then by line, which an edit above it moves; and rest, what that kind took
// at other places, of which a file has the largest alone.
type places struct {
	by   map[string]map[string]float64
	rest float64
}

func placesOf(e results.Explanation, s side, kind string) places {
	one, all := anOperation(e, s), map[string]map[string]float64{}
	rest := 0.0
	for _, p := range e.Parts {
		if p.Kind != kind {
			continue
		}
		rest += one * float64(p.NS)
		for _, place := range p.Places {
			who := place.Func + " " + place.Call
			if place.Func == "" {
				who = place.Where
			}
			if all[who] == nil {
				all[who] = map[string]float64{}
			}
			all[who][place.Where] += one * float64(place.NS)
			rest -= one * float64(place.NS)
		}
	}
	return places{all, rest}
}

// placeThatGrew names the line at which times are longer than others by most, and by half of what all are
// longer by; none where that is a place that has no like, or several lines of a function that are not the same ones, or
// where as much is at places that nobody told.
func placeThatGrew(times, than places, by float64) string {
	top, most := "", 0.0
	grew := func(where string, by float64) {
		if by > most {
			top, most = where, by
		}
	}
	for _, who := range slices.Sorted(maps.Keys(times.by)) {
		lines, others := times.by[who], than.by[who]
		switch {
		case len(lines) == 1 && (len(others) == 1 || len(than.by) == 0):
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
	if top == "" || 2*most < by || max(times.rest, than.rest) > most {
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
