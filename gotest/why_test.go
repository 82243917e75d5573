package gotest

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// The second run has the arguments of the first, each benchmark once, and a number of
// operations that was asked for.
func TestOnce(t *testing.T) {
	for given, want := range map[string]string{
		"-bench . ./...":                    "-bench . ./... -run=^$ -count=1 -benchtime=300ms",
		"-bench . -benchtime 100x":          "-bench . -benchtime 100x -run=^$ -count=1",
		"-bench . -count 6 -args -mine":     "-bench . -count 6 -run=^$ -count=1 -benchtime=300ms -args -mine",
		"-bench . -benchtime=3s -cpu=1,2 p": "-bench . -benchtime=3s -cpu=1,2 p -run=^$ -count=1 -benchtime=300ms",
	} {
		if got := strings.Join(parseArguments(strings.Fields(given)).once("", "300ms"), " "); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
	if got := parseArguments([]string{"-bench=."}).once("-benchtime=7x", "300ms"); slices.Contains(got, "-benchtime=300ms") {
		t.Errorf("GOFLAGS ask for 7x: %v", got)
	}
}

func TestWrites(t *testing.T) {
	for given, want := range map[string]string{
		"-bench .": "", "-bench . -trace t.out": "-trace", "-memprofile=m -bench .": "-memprofile", "-bench . -args -trace": "",
	} {
		if got := Writes(strings.Fields(given)); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}

// Of a benchmark whose second run told nothing there is a reason, of a serial one, and of one that measures its goroutines itself, no breakdown.
func TestBreakdownsWithoutATrace(t *testing.T) {
	parallel := Trial{Package: "p", Name: "BenchmarkA-2", Procs: 2, N: 10, WallNS: 100, Goroutines: 2, GoroutineNS: 200, Dealt: 10, Usage: results.MissingUsage()}
	serial := Trial{Package: "p", Name: "BenchmarkB-2", Procs: 2, N: 10, WallNS: 100, Usage: results.MissingUsage()}
	once, again := Outcome{Trials: []Trial{parallel}, Count: 1}, traces()
	again.dir = t.TempDir()
	own := Trial{Package: "p", Name: "BenchmarkC-2", Procs: 2, N: 10, WallNS: 100, Goroutines: 2, GoroutineNS: 200, Dealt: 10, Own: true, Usage: results.MissingUsage()}
	all := Outcome{Trials: []Trial{parallel, parallel, serial, own}, Count: 2}.breakdowns(again, nil)
	if len(all) != 1 || all[0].Variant != "A" || all[0].Goroutines != 2 || !strings.Contains(all[0].Reason, "second run") {
		t.Errorf("%+v", all)
	}
	again.told = Told{Trials: []Trial{parallel}, traces: []trace{{repeated: repeated{"p", "BenchmarkA-2", 2}, file: "1-0"}}}
	all = once.breakdowns(again, nil)
	if len(all) != 1 || !strings.Contains(all[0].Reason, "no trace was written") || all[0].OpsPerS != 1e8 {
		t.Errorf("%+v", all)
	}
	if changed := once.changed(all); len(changed) != 1 || changed[0] != all[0].Cell() {
		t.Errorf("of what is traced already profiles are taken: %+v", changed)
	}
	all[0].Reason = ""
	if changed := once.changed(all); len(changed) != 0 {
		t.Errorf("a window with the rate of its trials was changed: %+v", changed)
	}
	again.told.traces[0].toggled = true
	if all = once.breakdowns(again, nil); !strings.Contains(all[0].Reason, "timer was started, stopped or reset") {
		t.Errorf("%+v", all)
	}
	parallel.Dealt = 20
	once.Trials[0] = parallel
	if all = once.breakdowns(again, nil); !strings.Contains(all[0].Reason, "more than once") {
		t.Errorf("%+v", all)
	}
}

// What a line of profiles tells comes back; one of a trace has none of it.
func TestParseTrace(t *testing.T) {
	stat := func(user int) string {
		return "cpu\x001 (a b) R 0 0 0 0 0 0 0 0 0 0 " + strconv.Itoa(user) + " 5 0 0\x00Cpus_allowed: 3"
	}
	line := fmt.Sprintf("%s%q %q %d %t %q", tracedLine, "p q", "BenchmarkA", 2, true, "7-0")
	got, err := parseTrace(line)
	if want := (trace{repeated: repeated{"p q", "BenchmarkA", 2}, toggled: true, file: "7-0"}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	got, err = parseTrace(line + fmt.Sprintf(" %d %d %g %g %d %q %q", 3, 7, 0.25, 0.5, 100, stat(10), stat(40)))
	if err != nil || !got.profiled || got.besides != 3 || got.begun != 7 || got.used != 30e7 || got.waited != 4e9 || got.locked != 25e7 || got.others(4) != 3 || (trace{}).others(4).Known() {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = parseTrace(line + fmt.Sprintf(" %d %d %g %g %d %q %q", 3, 7, 0.25, 0.5, 10, "", "")); err != nil || got.used.Known() || got.waited.Known() {
		t.Errorf("too few records, and no look: %+v, %v", got, err)
	}
}

// A benchmark that package testing fails leaves no trace on, and none of its own to those behind it.
func TestWhyBehindAFailure(t *testing.T) {
	r := runConfig(t, Config{Why: true}, "-tags=fails", "-run=^$", "-bench=Early|Traced|Behind", "-benchtime=20x", "-cpu=2")
	reasons := map[string]string{}
	for _, b := range r.Breakdowns {
		if b.Source == results.SourceTrace {
			reasons[b.Variant] = b.Reason
		}
	}
	want := map[string]string{"Traced": errNoTrace.Error(), "Behind": ""}
	if !maps.Equal(reasons, want) {
		t.Errorf("reasons %q, want %q\n%s%s", reasons, want, r.stdout, r.stderr)
	}
}

// Where the timer starts within RunParallel the window that is looked into holds what was not timed.
func TestWhyOfATimerThatStartsWithin(t *testing.T) {
	r := runConfig(t, Config{Why: true}, "-tags=notrial", "-run=^$", "-bench=StartsFirst", "-benchtime=20x", "-cpu=2")
	if len(r.Breakdowns) != 1 || !strings.Contains(r.Breakdowns[0].Reason, "timer was started") {
		t.Errorf("%+v\n%s%s", r.Breakdowns, r.stdout, r.stderr)
	}
}

// The second run has the repetitions that levels of -cpu ask for which are there twice, and those that the test binary
// is asked for by itself: they have a rate, and where it is another one profiles are taken.
func TestWhyOfRepeatedRuns(t *testing.T) {
	for _, args := range []string{"-cpu=2,2", "-cpu=2 . -args -test.count=2"} {
		r := runConfig(t, Config{Why: true}, append([]string{"-run=^$", "-bench=^BenchmarkParallel$", "-benchtime=20x"}, strings.Fields(args)...)...)
		if len(r.Breakdowns) == 0 || !r.Breakdowns[0].OpsPerS.Known() || !r.Breakdowns[0].OpNS.Known() {
			t.Errorf("%s: %+v\n%s%s", args, r.Breakdowns, r.stdout, r.stderr)
		}
	}
	slow := Trial{Package: "p", Name: "BenchmarkA-2", Procs: 2, N: 10, WallNS: 300, Goroutines: 2, GoroutineNS: 600, Dealt: 10, Usage: results.MissingUsage()}
	fast := slow
	fast.WallNS, fast.GoroutineNS = 100, 200
	o, again := Outcome{Trials: []Trial{fast, fast}, Count: 1, Procs: []int{2, 2}}, traces()
	again.count, again.told.Trials = 1, []Trial{slow, slow}
	all := o.breakdowns(again, nil)
	all[0].Reason = "" // there is no trace here
	if changed := o.changed(all); len(changed) != 1 {
		t.Errorf("at a third of the rate: %+v", all)
	}
}

// A repetition that skipped, or that no time passed in, leaves nothing to look into: what is read is of the next one.
func TestWhyBehindARepetitionThatSkipped(t *testing.T) {
	parallel := Trial{Package: "p", Name: "BenchmarkA-2", Procs: 2, N: 10, WallNS: 100, Goroutines: 2, GoroutineNS: 200, Dealt: 10, UsedNS: 7, Usage: results.MissingUsage()}
	skipped, timeless := parallel, parallel
	skipped.NoTrial, skipped.UsedNS, timeless.NoTrial, timeless.UsedNS = Skipped, 1, Timeless, 2
	again := traces()
	again.dir, again.told = t.TempDir(), Told{Trials: []Trial{skipped, timeless, parallel}, traces: []trace{{repeated: repeated{"p", "BenchmarkA-2", 2}, file: "1-0"}}}
	all := Outcome{Trials: []Trial{parallel}}.breakdowns(again, nil)
	if len(all) != 1 || all[0].UsedNS != 7 {
		t.Errorf("%+v", all)
	}
}
