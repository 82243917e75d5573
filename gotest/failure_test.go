package gotest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// go test passes a benchmark whose second repetition fails. It is told, and the
// others keep their blocks.
func TestFailedRepetitionIsTold(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runSample(t, "-tags=repeats", "-run=^$", "-bench=Repeats", "-benchtime=200x", "-count=3", "-cpu=2")
		if r.ExitCode != 0 {
			t.Fatalf("exit code %d\n%s", r.ExitCode, r.stdout)
		}
		if got := r.Failed(); !slices.Equal(got, []string{"BenchmarkRepeats-2"}) {
			t.Errorf("failed: %q", got)
		}
		_, trials := r.Results()
		if len(trials) != 2 || trials[0].Block != 1 || trials[1].Block != 3 {
			t.Errorf("trials %+v", trials)
		}
		errors := r.Errors()
		if len(errors) != 1 || errors[0].Cell() != trials[0].Cell() || errors[0].Block != 2 || errors[0].Kind != results.OutcomeFailed {
			t.Fatalf("errors %+v", errors)
		}
		if text := errors[0].Text; text != "1 of 3 repetitions failed; the first said: repeats_test.go:12: wrong answer" {
			t.Errorf("text %q", text)
		}
	})
}

// A repetition that failed belongs to the cell that it would have been measured in.
func TestFailureHasItsCell(t *testing.T) {
	trial := func(name string, procs, goroutines int) Trial {
		return Trial{Package: "mod", Name: name, Procs: procs, N: 1, WallNS: 1, Goroutines: goroutines}
	}
	own := trial("BenchmarkOwn", 1, 4)
	own.Own = true
	o := Outcome{
		Trials: []Trial{trial("BenchmarkTwice", 1, 2), trial("BenchmarkSum-4", 4, 0), own},
		Failures: []Failure{
			{Package: "mod", Name: "BenchmarkOwn-4", Procs: 4, Repetition: 1},
			{Package: "mod", Name: "BenchmarkTwice-4", Procs: 4, Repetition: 1},
			{Package: "mod", Name: "BenchmarkTwice-4", Procs: 4, Repetition: 2},
			{Package: "mod", Name: "BenchmarkSum-4", Procs: 4, Repetition: 2},
			{Package: "mod", Name: "BenchmarkNever-4", Procs: 4, Repetition: 1},
		},
	}
	var got []string
	for _, e := range o.Errors() {
		got = append(got, fmt.Sprintf("%s: %d, %s", e.Cell().Name(), e.Block, e.Text))
	}
	want := []string{"mod/Own/parallelism=4@4: 1, at -cpu 4 1 of 1 repetitions failed", "mod/Twice/parallelism=2@8: 1, 2 of 2 repetitions failed", "mod/Sum-4@1: 2, 1 of 2 repetitions failed"}
	if !slices.Equal(got, want) {
		t.Errorf("errors %q, want %q", got, want)
	}
	if names := o.Failed(); !slices.Equal(names, []string{"BenchmarkOwn-4", "BenchmarkTwice-4", "BenchmarkSum-4"}) {
		t.Errorf("failed: %q", names)
	}
}

// One that has as many goroutines at each GOMAXPROCS that was measured would have had them at another one, too. Of one
// GOMAXPROCS, or where numbers differ, nobody can tell.
func TestFailureOfAsManyGoroutines(t *testing.T) {
	for _, c := range []struct {
		measured map[int]int // goroutines at each GOMAXPROCS
		want     string
	}{
		{map[int]int{1: 4, 2: 4}, "mod/A@4"},
		{map[int]int{1: 4, 2: 4, 8: 4}, "mod/A@4"},
		{map[int]int{2: 4}, "mod/A/parallelism=2@8"},
		{map[int]int{1: 2, 2: 4}, "mod/A/parallelism=2@8"},
		{map[int]int{1: 4, 2: 4, 8: 8}, "mod/A/parallelism=2@8"},
		{map[int]int{1: 4, 2: 4, 4: 8}, "mod/A/parallelism=2@8"},
		{map[int]int{8: 1}, "mod/A/parallelism=0.25@1"}, // no serial benchmark
	} {
		o := Outcome{Failures: []Failure{{Package: "mod", Name: "BenchmarkA-4", Procs: 4, Repetition: 1}}}
		for _, procs := range slices.Sorted(maps.Keys(c.measured)) {
			o.Trials = append(o.Trials, Trial{Package: "mod", Name: printed("A", procs), Procs: procs, N: 1, WallNS: 1, Goroutines: c.measured[procs]})
		}
		if all := o.Errors(); len(all) != 1 || all[0].Cell().Name() != c.want {
			t.Errorf("%v: %+v, want %s", c.measured, all, c.want)
		}
	}
}

// A panic or an exit in a repetition ends all: nobody tells of that repetition, nor of
// those behind it, whatever the exit code. Where the benchmarks came to their end,
// repetitions that are missing were skipped.
func TestMissingRepetitionsOfAProcessThatEnded(t *testing.T) {
	trial := func(name string, procs int) Trial {
		return Trial{Package: "mod", Name: name, Procs: procs, N: 1, WallNS: 1}
	}
	o := Outcome{
		Count:    2,
		Trials:   []Trial{trial("BenchmarkAll", 1), trial("BenchmarkAll", 1), trial("BenchmarkAll-4", 4), trial("BenchmarkFatal", 1)},
		Failures: []Failure{{Package: "mod", Name: "BenchmarkFatal", Procs: 1, Repetition: 2}},
	}
	failed, missing := "mod/Fatal@1: 2, 1 of 2 repetitions failed", "mod/All-4@1: 2, 1 of 2 repetitions came to an end before the process did"
	for _, c := range []struct {
		exit         int
		ended        []string
		errors       []string
		names, early []string
	}{
		{0, []string{"mod"}, []string{failed}, []string{"BenchmarkFatal"}, nil},
		{0, []string{"other"}, []string{failed, missing}, []string{"BenchmarkFatal", "BenchmarkAll-4"}, []string{"mod"}},
		{2, nil, []string{failed, missing}, []string{"BenchmarkFatal", "BenchmarkAll-4"}, []string{"mod"}},
	} {
		o.ExitCode, o.Ended = c.exit, c.ended
		var got []string
		for _, e := range o.Errors() {
			got = append(got, fmt.Sprintf("%s: %d, %s", e.Cell().Name(), e.Block, e.Text))
		}
		if !slices.Equal(got, c.errors) || !slices.Equal(o.Failed(), c.names) || !slices.Equal(o.EndedEarly(), c.early) {
			t.Errorf("exit code %d, ended %q: errors %q, want %q; failed: %q, ended early: %q", c.exit, c.ended, got, c.errors, o.Failed(), o.EndedEarly())
		}
	}
}

// A process that ends at one -cpu leaves the benchmark without a trial there: it is
// missing as well.
func TestMissingAtAnotherProcs(t *testing.T) {
	parallel := Trial{Package: "mod", Name: "BenchmarkP-2", Procs: 2, Goroutines: 2, N: 1, WallNS: 1}
	o := Outcome{ExitCode: 2, Count: 1, Procs: []int{2, 4}, Trials: []Trial{parallel}}
	all := o.Errors()
	if len(all) != 1 || all[0].Variant != "P" || all[0].Goroutines != 4 || all[0].Text != "0 of 1 repetitions came to an end before the process did" {
		t.Errorf("%+v", all)
	}
	if o.Procs = []int{2, 2}; len(o.Errors()) != 1 {
		t.Errorf("asked for twice: %+v", o.Errors())
	}
	if o.Ended = []string{"mod"}; len(o.Errors()) > 0 {
		t.Errorf("of what came to its end nothing is missing: %+v", o.Errors())
	}
}

// Of a process of which nothing but failures is known it is said that it ended, too.
func TestOneThatFailedAndEndedEarly(t *testing.T) {
	o := Outcome{Count: 2, Failures: []Failure{{Package: "mod", Name: "BenchmarkA", Procs: 1, Repetition: 1}}}
	if early := o.EndedEarly(); !slices.Equal(early, []string{"mod"}) || len(o.Errors()) > 0 {
		t.Errorf("ended early: %q, errors %+v", early, o.Errors())
	}
}

// One that has its goroutines itself is missing where it was not measured, and stands where it was.
func TestMissingOwnAtAnotherProcs(t *testing.T) {
	own := Trial{Package: "mod", Name: "BenchmarkP-2", Procs: 2, Goroutines: 3, N: 1, WallNS: 1, Own: true}
	o := Outcome{ExitCode: 2, Count: 1, Procs: []int{2, 4, 4}, Trials: []Trial{own}}
	all := o.Errors()
	if len(all) != 1 || all[0].Cell() != own.result().Cell() || all[0].Text != "at -cpu 4 0 of 2 repetitions came to an end before the process did" {
		t.Errorf("%+v", all)
	}
}

// A repetition that skipped before it called RunParallel hides none that is missing, and is counted.
func TestMissingBehindOneThatSkipped(t *testing.T) {
	skipped := Trial{Package: "mod", Name: "BenchmarkP-2", Procs: 2, NoTrial: Skipped}
	parallel := Trial{Package: "mod", Name: "BenchmarkP-2", Procs: 2, Goroutines: 2, N: 1, WallNS: 1}
	o := Outcome{ExitCode: 2, Count: 3, Procs: []int{2}, Trials: []Trial{skipped, parallel}}
	all := o.Errors()
	if len(all) != 1 || all[0].Cell() != parallel.result().Cell() || all[0].Text != "2 of 3 repetitions came to an end before the process did" {
		t.Errorf("%+v", all)
	}
	failed := Failure{Package: "mod", Name: "BenchmarkP-2", Procs: 2, Repetition: 2}
	o = Outcome{Count: 3, Procs: []int{2}, Trials: []Trial{skipped}, Failures: []Failure{failed}}
	if got, skips := o.Failed(), o.NotKept(Skipped); !slices.Equal(got, []string{"BenchmarkP-2"}) || !slices.Equal(skips, []string{"BenchmarkP (in 1 of 2 repetitions)"}) {
		t.Errorf("failed: %q, skipped: %q", got, skips)
	}
}

func TestProcsThatAreAskedFor(t *testing.T) {
	for args, want := range map[string][]int{"": nil, "-cpu=1,2": {1, 2}, "-cpu 4": {4}, "-test.cpu=2,2, 3": {2, 2, 3}, "-cpu=1 -cpu=8": {8}, "-cpu=010,,+2,0x3": {10, 2}, "-cpu=2,2 -args -test.cpu=": nil, "-cpu=2,2 -args -test.v": {2, 2}, "-args -cpu=3": nil} {
		a := arguments{rest: strings.Fields(args)}
		if args == "-test.cpu=2,2, 3" {
			a.rest = []string{"-test.cpu=2,2, 3"}
		}
		if got := a.procs(""); !slices.Equal(got, want) {
			t.Errorf("%q: %v", args, got)
		}
	}
}
