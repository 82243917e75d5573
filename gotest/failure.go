package gotest

import (
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
)

// Failed names the benchmarks of which some or all repetitions failed, as they were
// printed, each once; of one that failed at its first go test has said so.
func (o Outcome) Failed() []string {
	var names []string
	for _, f := range o.Failures {
		_, known := o.like(f)
		if known && !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Errors are the failed repetitions as results, one for each cell: the first
// of them, and how many there were. A benchmark of which no repetition was
// measured has no cell.
func (o Outcome) Errors() []results.Outcome {
	var all []results.Outcome
	done := map[repeated]bool{}
	for _, f := range o.Failures {
		at := repeated{f.Package, f.Name, f.Procs}
		if done[at] {
			continue
		}
		done[at] = true
		t, known := o.like(f)
		if !known {
			continue
		}
		r := t.result()
		all = append(all, results.Outcome{
			Experiment: r.Experiment, Variant: r.Variant, Factors: r.Factors, Goroutines: r.Goroutines,
			Block: f.Repetition, Kind: results.OutcomeFailed, Text: o.failureText(at, f.Text),
		})
	}
	return all
}

// failureText says how many repetitions of a benchmark failed, and what the first of
// them said.
func (o Outcome) failureText(of repeated, said string) string {
	var r repetitions
	for _, f := range o.Failures {
		if of == (repeated{f.Package, f.Name, f.Procs}) {
			r.failed++
		}
	}
	for _, t := range o.Trials {
		if of == (repeated{t.Package, t.Name, t.Procs}) {
			r.passed++
		}
	}
	text := fmt.Sprintf("%d of %d repetitions failed", r.failed, r.passed+r.failed)
	if said != "" {
		text += "; the first said: " + said
	}
	return text
}

// like is the trial that a repetition would have been: its goroutines are those of
// the benchmark's other trials, at another GOMAXPROCS in proportion. They are not
// known where it has none.
func (o Outcome) like(f Failure) (Trial, bool) {
	t := Trial{Package: f.Package, Name: f.Name, Procs: f.Procs, N: 1}
	nearest, found := math.MaxInt, false
	for _, other := range o.Trials {
		if other.Package != f.Package || other.bare() != bare(f.Name, f.Procs) {
			continue
		}
		if far := max(other.Procs-f.Procs, f.Procs-other.Procs); far < nearest {
			nearest, found = far, true
			t.Goroutines = other.Goroutines * f.Procs / max(other.Procs, 1)
		}
	}
	return t, found
}
