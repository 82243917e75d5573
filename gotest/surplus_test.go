package gotest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// One benchmark of a package and one of its external test package may have one name, and
// go test runs both; TestMain may run all benchmarks twice. Neither is one benchmark with
// twice the repetitions: nothing of them is kept, and what is said stands in each cell. (In a
// second run package testing goes over the levels of -cpu twice.)
func TestTwoBenchmarksOfOneName(t *testing.T) {
	flags := []string{"-tags=twice", "-run=^$", "-bench=.", "-benchtime=200x"}
	for name, c := range map[string]struct {
		args  []string
		env   string
		want  []string
		names []string
		kept  int
	}{
		"in two packages":             {[]string{"-cpu=2", "-count=3", "./twice"}, "", []string{"Parse-2@1: 6 times where -count asked for 3", "Parse@2: 6 times where -count asked for 3"}, []string{"BenchmarkParse-2"}, 3},
		"once, by default":            {[]string{"-cpu=2", "./twice"}, "", []string{"Parse-2@1: 2 times where -count asked for 1", "Parse@2: 2 times where -count asked for 1"}, []string{"BenchmarkParse-2"}, 1},
		"one of them panics":          {[]string{"-cpu=2", "-count=2", "./twice"}, "panic", []string{"Parse-2@1: 3 times where -count asked for 2", "Parse@2: 3 times where -count asked for 2"}, []string{"BenchmarkParse-2"}, 2},
		"TestMain":                    {[]string{"-cpu=1,2", "-test.count=2", "./again"}, "", []string{"Parse@1: 6 times where -count asked for 2", "Parse-2@1: 6 times where -count asked for 2"}, []string{"BenchmarkParse", "BenchmarkParse-2"}, 0},
		"levels that are there twice": {[]string{"-cpu=2,2", "-count=2", "./again"}, "", []string{"Parse-2@1: 12 times where -count and -cpu asked for 4"}, []string{"BenchmarkParse-2"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TWICE", c.env)
			r := runSample(t, append(flags, c.args...)...)
			experiments, trials := r.Results()
			if len(experiments) != 1 || len(trials) != c.kept || strings.Contains(fmt.Sprint(trials), "Parse") {
				t.Errorf("%d experiments, %d trials kept, want 1 and %d: %s", len(experiments), len(trials), c.kept, r.stdout)
			}
			var got []string
			for _, e := range r.Errors() {
				cell, text, _ := strings.Cut(e.Cell().Name(), e.Experiment+"/")
				said, why, _ := strings.Cut(strings.TrimPrefix(e.Text, "it ran "), ": ")
				if cell != "" || e.Kind != results.OutcomeFailed || !strings.Contains(why, "external test package") || !strings.Contains(why, "TestMain") {
					t.Errorf("%+v", e)
				}
				got = append(got, text+": "+said)
			}
			if !slices.Equal(got, c.want) || !slices.Equal(r.TooOften(), c.names) || len(r.Failed()) > 0 {
				t.Errorf("errors %q, want %q; too often %q, failed %q", got, c.want, r.TooOften(), r.Failed())
			}
		})
	}
}

// What is asked for is not too often, however it is asked: neither levels that are there
// twice nor what the test binary gets by itself.
func TestAskedForIsNotTooOften(t *testing.T) {
	for _, args := range []string{"-count=3 .", "-cpu=2,2 -count=2 .", "-count=1 -count=4 .", "-cpu=1,2,1 -test.count 2 .", ". -args -test.count=3", ". -args -test.cpu 2,2"} {
		r := runSample(t, append([]string{"-run=^$", "-bench=^BenchmarkSerial$", "-benchtime=2x"}, strings.Fields(args)...)...)
		if _, trials := r.Results(); len(trials) < 2 || len(trials) != len(r.Trials) || len(r.TooOften()) > 0 || len(r.Errors()) > 0 {
			t.Errorf("%s: %d of %d trials, too often %q", args, len(trials), len(r.Trials), r.TooOften())
		}
	}
}

// Repetitions that failed are repetitions, too, and what is not known to be too many is not.
func TestFailuresAreTooOften(t *testing.T) {
	passed := Trial{Package: "mod", Name: "BenchmarkA", Procs: 1, N: 1, WallNS: 1}
	fail := Failure{Package: "mod", Name: "BenchmarkA", Procs: 1, Repetition: 2}
	for count, want := range map[int]string{0: "1 of 2 repetitions failed", 1: "it ran 2 times where -count asked for 1", 2: "1 of 2 repetitions failed"} {
		o := Outcome{Count: count, Trials: []Trial{passed}, Failures: []Failure{fail}}
		if all := o.Errors(); len(all) != 1 || !strings.HasPrefix(all[0].Text, want) || (len(o.Failed()) > 0) != (count != 1) {
			t.Errorf("of %d: %+v, failed %q", count, all, o.Failed())
		}
	}
}

// What a repetition that is no trial would have been is what the others are; it has no cell of its own.
func TestNoTrialHasNoCell(t *testing.T) {
	passed := Trial{Package: "mod", Name: "BenchmarkA-2", Procs: 2, N: 1, WallNS: 1, Goroutines: 2}
	skipped := Trial{Package: "mod", Name: "BenchmarkA-2", Procs: 2, NoTrial: Skipped}
	o := Outcome{Count: 1, Trials: []Trial{skipped, passed}}
	if all := o.Errors(); len(all) != 1 || all[0].Variant != "A" || !strings.HasPrefix(all[0].Text, "it ran 2 times") {
		t.Errorf("%+v", all)
	}
	o = Outcome{Count: 3, Trials: []Trial{skipped, passed}, Failures: []Failure{{Package: "mod", Name: "BenchmarkA-2", Procs: 2, Repetition: 3}}}
	if all := o.Errors(); len(all) != 1 || all[0].Variant != "A" || !strings.HasPrefix(all[0].Text, "1 of 3 repetitions failed") {
		t.Errorf("%+v", all)
	}
}

// One that has its goroutines itself is counted where it ran, whatever cell it is told of.
func TestOwnFailuresAreTooOften(t *testing.T) {
	own := Trial{Package: "mod", Name: "BenchmarkOwn-2", Procs: 2, Goroutines: 3, N: 1, WallNS: 1, Own: true}
	failed := Failure{Package: "mod", Name: "BenchmarkOwn-4", Procs: 4}
	o := Outcome{Count: 1, Procs: []int{2, 4}, Trials: []Trial{own}, Failures: []Failure{failed, failed}}
	if got := o.TooOften(); !slices.Equal(got, []string{"BenchmarkOwn-4"}) {
		t.Errorf("too often: %q", got)
	}
	if all := o.Errors(); len(all) != 1 || all[0].Cell() != own.cell() || !strings.HasPrefix(all[0].Text, "at -cpu 4 it ran 2 times where -count asked for 1: ") {
		t.Errorf("%+v", all)
	}
}
