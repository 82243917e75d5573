package gotest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is no trial leaves go test's ns/op and nothing of ours, is doubted in no other way, and costs no other benchmark
// its own: calls of RunParallel that overlap; operations that passed while the timer was off for them, and was on for
// others, or before it was reset, which are in b.N and in no time; and those that a goroutine was dealt and nobody ran to their end.
func TestWhatIsNoTrial(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runSample(t, "-tags=notrial", "-run=^$", "-bench=^Benchmark(Parallel$|Overlap|Nested|Stop|Starts?Amid|Reset($|I|s[LAWB])|LeavesEarly|SkipsInside|Exits)", "-benchtime=50x", "-cpu=2")
		if r.ExitCode != 0 || len(r.Unread) > 0 {
			t.Fatalf("exit code %d, not read: %v\n%s%s", r.ExitCode, r.Unread, r.stdout, r.stderr)
		}
		for why, want := range map[NoTrial][]string{
			Overlapping: {"BenchmarkOverlap", "BenchmarkNested"},
			HalfTimed:   {"BenchmarkStopsAmid", "BenchmarkStartsAmid", "BenchmarkStopsAside", "BenchmarkStopsEarly", "BenchmarkStopsForOne", "BenchmarkStopInside"},
			LateReset:   {"BenchmarkResetsLate", "BenchmarkResetsLast", "BenchmarkResetsAmid", "BenchmarkResetsWarm", "BenchmarkResetsBehind", "BenchmarkResetsBetween"},
			LeftOver:    {"BenchmarkSkipsInside", "BenchmarkExitsInside", "BenchmarkLeavesEarly"},
		} {
			if got := r.NotKept(why); !slices.Equal(got, want) {
				t.Errorf("not kept for %d: %q, want %q\n%s", why, got, want, r.stderr)
			}
			for _, name := range want {
				name = strings.TrimPrefix(name, "Benchmark") + "-2"
				if n := len(r.results[name].Values); n != 1 { // ns/op
					t.Errorf("%s: %d figures\n%s", name, n, r.stdout)
				}
			}
		}
		if kept, want := r.kept(), []string{"ExitsBehind", "ExitsBefore", "ResetsBehindSetup-2", "Parallel", "Reset", "Stopped", "ResetInside"}; !slices.Equal(kept, want) {
			t.Errorf("trials of %q, want %q", kept, want)
		}
		if doubted := slices.Concat(r.Blind(), r.Outside(), r.Repeated(), r.Coarse()); len(doubted) > 0 {
			t.Errorf("what is no trial is doubted: %q", doubted)
		}
	})
}

// Where next to no operations passed before a reset it is a trial.
func TestResetBehindFewOperationsIsATrial(t *testing.T) {
	r := runSample(t, "-tags=notrial", "-run=^$", "-bench=ResetsSoon", "-benchtime=1000000x", "-cpu=2")
	if kept := r.kept(); !slices.Equal(kept, []string{"ResetsSoon"}) {
		t.Errorf("trials of %q\n%s", kept, r.stdout)
	}
}

// Where none passed while it was off, the trial is kept, and what passed then is in no figure.
func TestStoppedBetweenOperationsIsATrial(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		for procs, want := range map[string][]string{"2": {"StartsFirst", "Prepares"}, "1": {"StartsFirst", "Prepares", "Pauses"}} {
			r := runSample(t, "-tags=notrial", "-run=^$", "-bench=StartsFirst|Prepares|Pauses", "-benchtime=50x", "-cpu="+procs)
			if kept := r.kept(); r.ExitCode != 0 || !slices.Equal(kept, want) {
				t.Fatalf("at %s: exit code %d, trials of %q, want %q\n%s%s", procs, r.ExitCode, kept, want, r.stdout, r.stderr)
			}
			for _, trial := range r.Trials {
				if b := trial.bare(); trial.NoTrial == Kept && (trial.GoroutineNS < 50*nap || trial.GoroutineNS > int64(trial.Goroutines)*trial.WallNS) {
					t.Errorf("%s at %s: %d ns of goroutines in %d", b, procs, trial.GoroutineNS, trial.WallNS)
				}
			}
		}
	})
}

// A reset within RunParallel discards what earlier calls did: their time is off the clock as well.
func TestResetDiscardsEarlierCalls(t *testing.T) {
	r := runSample(t, "-tags=notrial", "-run=^$", "-bench=SecondCall", "-benchtime=50x", "-cpu=2")
	if kept := r.kept(); !slices.Equal(kept, []string{"SecondCall", "SecondCallAnew"}) || len(r.Repeated()) > 0 {
		t.Fatalf("trials of %q, several calls: %q\n%s", kept, r.Repeated(), r.stdout)
	}
	for _, trial := range r.Trials {
		if trial.Dealt != 50 || trial.GoroutineNS > 2*trial.WallNS {
			t.Errorf("%s: %d operations, %d ns of two goroutines in %d", trial.Name, trial.Dealt, trial.GoroutineNS, trial.WallNS)
		}
	}
}

// A repetition without a result, or without time, leaves its block out: those behind it keep theirs.
func TestRepetitionsWithoutAResult(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runUnread(t, Config{}, "-tags=repeats", "-run=^$", "-bench=Sometimes|Stands", "-benchtime=20x", "-count=4", "-cpu=2")
		var blocks []int
		_, trials := r.Results()
		for _, trial := range trials {
			blocks = append(blocks, trial.Block)
		}
		if r.ExitCode != 0 || !slices.Equal(blocks, []int{1, 4}) || len(r.TooOften()) > 0 || len(r.Errors()) > 0 {
			t.Errorf("exit code %d, blocks %v, errors %v\n%s%s", r.ExitCode, blocks, r.Errors(), r.stdout, r.stderr)
		}
		if got := r.NotKept(Skipped); !slices.Equal(got, []string{"BenchmarkSometimes (in 1 of 4 repetitions)"}) {
			t.Errorf("skipped: %q", got)
		}
		if got := r.NotKept(Timeless); !slices.Equal(got, []string{"BenchmarkSometimes (in 1 of 4 repetitions)", "BenchmarkStands"}) {
			t.Errorf("not timed: %q", got)
		}
	})
}

// An operation that did not come to its end is no trial, also where it is the first and only one of a repetition:
// whatever the timer, RunParallel or the benchmark itself say of it, it has skipped.
func TestAFirstOperationThatSkipsIsNoTrial(t *testing.T) {
	eachRelease(t, func(t *testing.T, _ string) {
		r := runUnread(t, Config{}, "-tags=repeats", "-run=^$", "-bench=Opens|Fills|Measures|Ends", "-benchtime=1x", "-count=3", "-cpu=2")
		if kept := r.kept(); r.ExitCode != 0 || !slices.Equal(kept, []string{"Opens-2", "Fills", "Measures"}) {
			t.Errorf("exit code %d, trials of %q\n%s%s", r.ExitCode, kept, r.stdout, r.stderr)
		}
		skipped := []string{"BenchmarkOpens (in 2 of 3 repetitions)", "BenchmarkFills (in 2 of 3 repetitions)", "BenchmarkMeasures (in 2 of 3 repetitions)", "BenchmarkEnds"}
		if got := r.NotKept(Skipped); !slices.Equal(got, skipped) {
			t.Errorf("skipped: %q\n%s", got, r.stdout)
		}
		if timeless := r.NotKept(Timeless); len(timeless) > 0 || strings.Count(r.stdout, "ops/s") != 2 { // of Opens and Fills
			t.Errorf("no time passed: %q\n%s", timeless, r.stdout)
		}
	})
}

// kept is the variant of each trial.
func (r ran) kept() (variants []string) {
	_, trials := r.Results()
	for _, trial := range trials {
		variants = append(variants, trial.Variant)
	}
	return variants
}

// Within b.Loop RunParallel runs nothing: what is timed is that.
func TestRunParallelWithinLoopIsNoTrial(t *testing.T) {
	r := runSample(t, "-run=^$", "-bench=Loop", "-benchtime=50x", "-cpu=2")
	if got := r.NotKept(WithinLoop); r.ExitCode != 0 || !slices.Equal(got, []string{"BenchmarkLoopParallel", "BenchmarkLoopParallelReset"}) {
		t.Errorf("exit code %d, within b.Loop: %q\n%s%s", r.ExitCode, got, r.stdout, r.stderr)
	}
	if ops, has := r.find("LoopParallel-2", "ops/s"); has {
		t.Errorf("%v ops/s of what did not run", ops)
	}
	if kept := r.kept(); !slices.Equal(kept, []string{"Loop-2", "LoopBehind-2", "LoopBehindReset-2"}) {
		t.Errorf("trials of %q", kept)
	}
}

// A line that cannot be read costs what it told, and no other.
func TestALineThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	text := "syncwrite3 nonsense\n" + failedLine + `"p" "BenchmarkA" 1 "why"` + "\n" + endLine + "no quotes\n" + tracedLine + "\n" + endLine + `"p"` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "1"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	told, err := ReadTrials(dir)
	if err != nil || len(told.Unread) != 3 || len(told.Failures) != 1 || !slices.Equal(told.Ended, []string{"p"}) || len(told.traces) > 0 {
		t.Errorf("%v, %+v", err, told)
	}
	for _, err := range told.Unread {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %q", err)
		}
	}
}
