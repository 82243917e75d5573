package gotest

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
)

// TooOften names the benchmarks that were repeated more often than was asked, as they were
// printed, each once: one name then stands for two benchmarks, of which nobody can tell
// what repetition is whose.
func (o Outcome) TooOften() []string {
	var names []string
	for _, s := range o.surplus() {
		names = once(names, s.of.name)
	}
	return names
}

// A surplus is a benchmark of which there are too many repetitions: it ran so often, and
// its trials, and what the failures would have been, are of these cells.
type surplus struct {
	of    repeated
	ran   int
	cells []Trial // one of each
}

// surplus finds those that were repeated too often, in the order they came. Where it is not
// known how often they should have been, there are none.
func (o Outcome) surplus() []surplus {
	if o.Count == 0 {
		return nil
	}
	ran := o.ran()
	var all []surplus
	at := map[repeated]int{}
	known := map[results.Cell]bool{}
	note := func(of repeated, t Trial) {
		if ran[of] <= o.asked(of.procs) {
			return
		}
		if _, seen := at[of]; !seen {
			at[of] = len(all)
			all = append(all, surplus{of: of, ran: ran[of]})
		}
		if s := &all[at[of]]; !known[t.cell()] {
			known[t.cell()] = true
			s.cells = append(s.cells, t)
		}
	}
	var unseen []Failure
	for _, t := range o.Trials {
		if t.unseen() {
			unseen = append(unseen, Failure{Package: t.Package, Name: t.Name, Procs: t.Procs})
		} else {
			note(t.repetitionOf(), t)
		}
	}
	for _, f := range slices.Concat(o.Failures, unseen) {
		if _, measured := at[f.repetitionOf()]; measured {
			continue
		}
		if t, like := o.like(f); like {
			note(f.repetitionOf(), t)
		}
	}
	return all
}

// ran is how often each benchmark was repeated, whatever came of it.
func (o Outcome) ran() map[repeated]int {
	ran := map[repeated]int{}
	for _, t := range o.Trials {
		ran[t.repetitionOf()]++
	}
	for _, f := range o.Failures {
		ran[f.repetitionOf()]++
	}
	return ran
}

func (t Trial) repetitionOf() repeated   { return repeated{t.Package, t.Name, t.Procs} }
func (f Failure) repetitionOf() repeated { return repeated{f.Package, f.Name, f.Procs} }

// cell is where the trial's results lie.
func (t Trial) cell() results.Cell { return t.result().Cell() }

// leftOut are the benchmarks no trial of which is kept: a mean of two would be a wrong
// number, and one of them could fail or vanish unseen.
func (o Outcome) leftOut() map[repeated]bool {
	left := map[repeated]bool{}
	for _, s := range o.surplus() {
		left[s.of] = true
	}
	return left
}

// tooOften is what stands in the place of their trials, one for each cell.
func (o Outcome) tooOften() []results.Outcome {
	var all []results.Outcome
	for _, s := range o.surplus() {
		for _, t := range s.cells {
			all = append(all, t.failed(1, t.elsewhere(s.of)+o.surplusText(s)))
		}
	}
	return all
}

func (o Outcome) surplusText(s surplus) string {
	asked, by := o.asked(s.of.procs), "-count"
	if asked > o.Count {
		by = "-count and -cpu"
	}
	return fmt.Sprintf("it ran %d times where %s asked for %d: a benchmark of the package and one of its external test package may both have this name, "+
		"or TestMain may run the tests twice, and they cannot be told apart", s.ran, by, asked)
}
