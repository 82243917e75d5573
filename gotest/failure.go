package gotest

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
)

// Failed names the benchmarks of which some or all repetitions failed or are missing, as they
// were printed, each once; of one that failed at its first go test has said so, and those that
// were repeated too often are named by TooOften.
func (o Outcome) Failed() []string {
	var names []string
	left := o.leftOut()
	for _, f := range o.Failures {
		ran := slices.ContainsFunc(o.Trials, func(t Trial) bool { return t.benchmark() == f.benchmark() })
		if ran && !left[f.repetitionOf()] {
			names = once(names, f.Name)
		}
	}
	for _, m := range o.missing() {
		names = once(names, m.of.name)
	}
	return names
}

// EndedEarly names the packages that told of benchmarks and whose process ended before these
// did: by a panic or os.Exit, or by an exit that go test passes, as that of package syscall.
func (o Outcome) EndedEarly() []string {
	var packages []string
	for _, t := range o.Trials {
		packages = once(packages, t.Package)
	}
	for _, f := range o.Failures {
		packages = once(packages, f.Package)
	}
	return slices.DeleteFunc(packages, func(name string) bool { return slices.Contains(o.Ended, name) })
}

// once adds a name that is not there yet.
func once(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// Errors are the repetitions that failed, or are missing since their process ended, as
// results, one for each benchmark and GOMAXPROCS: the first of them, and how many there were. A benchmark
// of which no repetition was measured has no cell. One that was repeated too often has
// nothing but that.
func (o Outcome) Errors() []results.Outcome {
	all := o.failed()
	for _, m := range o.missing() {
		all = append(all, m.like.failed(m.passed+1, m.like.elsewhere(m.of)+fmt.Sprintf("%d of %d repetitions came to an end before the process did", m.passed, m.asked)))
	}
	return append(all, o.tooOften()...)
}

func (o Outcome) failed() []results.Outcome {
	var all []results.Outcome
	done := o.leftOut()
	for _, f := range o.Failures {
		at := f.repetitionOf()
		if done[at] {
			continue
		}
		done[at] = true
		t, known := o.like(f)
		if !known {
			continue
		}
		all = append(all, t.failed(f.Repetition, t.elsewhere(at)+o.failureText(at, f.Text)))
	}
	return all
}

// A missing is a benchmark that was repeated less often than was asked, where the process
// ended: no repetition tells of that.
type missing struct {
	of            repeated
	like          Trial // that the next one would have been
	passed, asked int
}

// missing finds them. What is missing of a process that came to its end was skipped.
func (o Outcome) missing() []missing {
	var all []missing
	early, done := o.EndedEarly(), map[repeated]bool{}
	look := func(at repeated, t Trial) {
		if done[at] {
			return
		}
		done[at] = true
		if r, asked := o.repetitions(at), o.asked(at.procs); r.failed == 0 && r.passed < asked {
			all = append(all, missing{at, t, r.passed, asked})
		}
	}
	for _, t := range o.Trials {
		if !slices.Contains(early, t.Package) {
			continue
		}
		if !t.unseen() {
			look(t.repetitionOf(), t)
		}
		for _, procs := range o.Procs { // also where it was not measured at all
			f := Failure{Package: t.Package, Name: printed(t.bare(), procs), Procs: procs}
			if like, known := o.like(f); known {
				look(f.repetitionOf(), like)
			}
		}
	}
	return all
}

// asked is how many repetitions a benchmark was to have at a GOMAXPROCS.
func (o Outcome) asked(procs int) int {
	times := 0
	for _, n := range o.Procs {
		if n == procs {
			times++
		}
	}
	return o.Count * max(times, 1)
}

// printed is a benchmark's name as it is printed at a GOMAXPROCS.
func printed(bare string, procs int) string {
	if procs > 1 {
		bare += fmt.Sprintf("-%d", procs)
	}
	return "Benchmark" + bare
}

// failed is what is kept of repetitions like the trial that did not pass.
func (t Trial) failed(first int, text string) results.Outcome {
	r := t.result()
	return results.Outcome{
		Experiment: r.Experiment, Variant: r.Variant, Factors: r.Factors, Goroutines: r.Goroutines,
		Block: first, Kind: results.OutcomeFailed, Text: text,
	}
}

// elsewhere begins a sentence on repetitions that are told of at another GOMAXPROCS.
func (t Trial) elsewhere(at repeated) string {
	if at.procs == t.Procs {
		return ""
	}
	return fmt.Sprintf("at -cpu %d ", at.procs)
}

// repetitions counts those of a benchmark.
func (o Outcome) repetitions(of repeated) (r repetitions) {
	for _, f := range o.Failures {
		if of == f.repetitionOf() {
			r.failed++
		}
	}
	for _, t := range o.Trials {
		if of == t.repetitionOf() {
			r.passed++
		}
	}
	return r
}

// failureText says how many repetitions of a benchmark failed, and what the first of
// them said.
func (o Outcome) failureText(of repeated, said string) string {
	r := o.repetitions(of)
	text := fmt.Sprintf("%d of %d repetitions failed", r.failed, r.passed+r.failed)
	if said != "" {
		text += "; the first said: " + said
	}
	return text
}

// like is the trial that a repetition would have been: its goroutines are those of
// the benchmark's other trials, at another GOMAXPROCS in proportion, unless they are as many at
// each of several. One that has its goroutines itself may have as many at any: it counts as one
// at a GOMAXPROCS that was measured. They are not known where it has none.
func (o Outcome) like(f Failure) (Trial, bool) {
	var others []Trial
	for _, t := range o.Trials {
		if !t.unseen() && t.benchmark() == f.benchmark() {
			others = append(others, t)
		}
	}
	if len(others) == 0 {
		return Trial{}, false
	}
	far := func(t Trial) int { return max(t.Procs-f.Procs, f.Procs-t.Procs) }
	nearest := slices.MinFunc(others, func(a, b Trial) int { return far(a) - far(b) })
	t := Trial{Package: f.Package, Name: f.Name, Procs: f.Procs, N: 1, Goroutines: nearest.Goroutines}
	switch {
	case nearest.Own:
		t.Name, t.Procs = nearest.Name, nearest.Procs
	case nearest.Goroutines > 0 && far(nearest) > 0 && !asMany(others):
		t.Goroutines = max(1, nearest.Goroutines*f.Procs/max(nearest.Procs, 1))
	}
	return t, true
}

// asMany reports whether trials at several GOMAXPROCS have one number of goroutines.
func asMany(trials []Trial) bool {
	first := trials[0]
	differs := func(t Trial) bool { return t.Goroutines != first.Goroutines }
	return !slices.ContainsFunc(trials, differs) && slices.ContainsFunc(trials, func(t Trial) bool { return t.Procs != first.Procs })
}
