package gotest

import (
	"regexp"
	"slices"
	"testing"
)

// The first repetition, too, is of the GOMAXPROCS that it is said to be of, where one operation is
// all that is asked for: package testing runs it before it sets the first level.
func TestFirstRepetitionIsOfItsProcessors(t *testing.T) {
	r := runSample(t, "-run=^$", "-bench=^BenchmarkParallel$", "-benchtime=1x", "-cpu=3,1,2", "-count=2")
	_, trials := r.Results()
	var goroutines []int
	for _, one := range trials {
		if goroutines = append(goroutines, one.Goroutines); one.Goroutines != one.GOMAXPROCS || one.Factors != nil {
			t.Errorf("%d goroutines at GOMAXPROCS %d, %v", one.Goroutines, one.GOMAXPROCS, one.Factors)
		}
	}
	if slices.Sort(goroutines); !slices.Equal(goroutines, []int{1, 1, 2, 2, 3, 3}) {
		t.Errorf("by %v goroutines: %s", goroutines, r.stdout)
	}
}

// Where the first operation is run once more at the first of several levels of -cpu, and skips since it is
// called again, go test's result stands, with what the benchmark reported, and is no trial.
func TestAFirstResultStaysWhereItsRepeatSkips(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runUnread(t, Config{}, "-tags=repeats", "-run=^$", "-bench=Opens|Measures", "-benchtime=1x", "-cpu=1,2")
		if kept, got := r.kept(), r.NotKept(Skipped); r.ExitCode != 0 || len(kept) > 0 || !slices.Equal(got, []string{"BenchmarkOpens", "BenchmarkMeasures"}) {
			t.Errorf("exit code %d, trials of %q, skipped: %q\n%s", r.ExitCode, kept, got, r.stdout)
		}
		line := regexp.MustCompile(`BenchmarkOpens +\t +1\t +[0-9]{7,} ns/op\t +7.000 widgets\n`) // a millisecond at least
		if !line.MatchString(r.stdout) {
			t.Errorf("the first result is not there:\n%s", r.stdout)
		}
	})
}

// So does it where that skips, or exits, in a goroutine of RunParallel, behind which the run comes to its end.
func TestAFirstResultStaysWhereItsRepeatEndsWithin(t *testing.T) {
	r := runUnread(t, Config{}, "-tags=repeats", "-run=^$", "-bench=SkipsWithin|QuitsWithin", "-benchtime=1x", "-cpu=4,3")
	if kept, got := r.kept(), r.NotKept(LeftOver); r.ExitCode != 0 || len(kept) > 0 || !slices.Equal(got, []string{"BenchmarkSkipsWithin", "BenchmarkQuitsWithin"}) {
		t.Errorf("exit code %d, trials of %q, left over: %q\n%s", r.ExitCode, kept, got, r.stdout)
	}
	for _, name := range []string{"SkipsWithin", "QuitsWithin"} {
		if line := regexp.MustCompile(`Benchmark` + name + `-4 +\t +1\t +[0-9]{7,} ns/op\t.*7.000 widgets\n`); !line.MatchString(r.stdout) {
			t.Errorf("the first result of %s is not there:\n%s", name, r.stdout)
		}
	}
}

// So does that of b.Loop, behind which package testing runs no other.
func TestAFirstResultOfLoopStays(t *testing.T) {
	r := runUnread(t, Config{}, "-tags=procs", "-run=^$", "-bench=LoopSkips", "-benchtime=20x", "-cpu=4,3")
	if got := r.NotKept(Skipped); r.ExitCode != 0 || len(r.kept()) > 0 || !slices.Equal(got, []string{"BenchmarkLoopSkips"}) {
		t.Errorf("exit code %d, trials of %q, skipped: %q\n%s", r.ExitCode, r.kept(), got, r.stdout)
	}
	if line := regexp.MustCompile(`BenchmarkLoopSkips-4 +\t +20\t +[0-9]{6,} ns/op\n`); !line.MatchString(r.stdout) {
		t.Errorf("the first result is not there:\n%s", r.stdout)
	}
}

// A benchmark that sets GOMAXPROCS itself is called as often as by go test: its first operation ran at the
// level that it is said to be of, and is not run once more.
func TestWhoSetsGOMAXPROCSIsCalledOnce(t *testing.T) {
	r := runSample(t, "-tags=procs", "-run=^$", "-bench=Four(Loop|Reset)", "-benchtime=1x", "-cpu=2")
	if kept := r.kept(); r.ExitCode != 0 || !slices.Equal(kept, []string{"FourLoop-2", "FourReset"}) {
		t.Errorf("exit code %d, trials of %q\n%s", r.ExitCode, kept, r.stdout)
	}
}

// It is run anew where no other run comes behind it, as in b.Loop, and nowhere else.
func TestOnlyAResultIsRunAnew(t *testing.T) {
	for _, benchtime := range []string{"20x", "10ms"} {
		r := runSample(t, "-tags=procs", "-run=^$", "-bench=OneFirst|Level", "-benchtime="+benchtime, "-cpu=1,2")
		if len(r.Failures) > 0 || r.value(t, "Level", "procs") != 1 || r.value(t, "Level-2", "procs") != 2 || r.value(t, "LevelReset", "procs") != 1 {
			t.Errorf("%s: %v\n%s", benchtime, r.Failures, r.stdout)
		}
	}
}
