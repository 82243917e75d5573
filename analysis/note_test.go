package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// line returns what the verdict says of one promise.
func line(t *testing.T, v results.Verdict, promise string) results.Line {
	t.Helper()
	for _, l := range v.Lines {
		if l.Promise == promise {
			return l
		}
	}
	t.Fatalf("no line of %q in %+v", promise, v.Lines)
	return results.Line{}
}

// A stronger promise that is faster as well leaves no reason for the weaker one.
func TestAStrongerPromiseThatIsFaster(t *testing.T) {
	promises := map[string]results.Promise{"file": crash, "memory": fleeting}
	for _, c := range []struct {
		file float64
		want string
	}{
		{2e5, "file promises more and is 2.00× as fast (2.00–2.00)"},
		{1.03e5, ""}, {0.5e5, ""},
	} {
		b := newBook(promises, "memory", "file")
		b.cell("memory", 8, six(1e5)...)
		b.cell("file", 8, six(c.file)...)
		v := b.finding(t).Verdict
		if got := line(t, v, "Without crash safety").Note; got != c.want {
			t.Errorf("file does %v: note %q, want %q", c.file, got, c.want)
		}
		if got := line(t, v, "Survives a process crash").Note; got != "" {
			t.Errorf("note %q on the stronger promise", got)
		}
	}
}

// No order and total order: neither serves who needs the other's survival.
func TestPromisesThatDoNotCompareDominateNothing(t *testing.T) {
	b := newBook(map[string]results.Promise{
		"loose": {Order: "none", Result: "linearizable", Survives: "power-cut"}, "strict": fleeting}, "loose", "strict")
	b.cell("loose", 8, six(9e5)...)
	b.cell("strict", 8, six(1e5)...)
	for _, l := range b.finding(t).Verdict.Lines {
		if l.Note != "" {
			t.Errorf("%+v", l)
		}
	}
}

// What is fastest at N = 4 and slow at 16 is no small matter.
func TestAPeakInTheMiddleIsTold(t *testing.T) {
	b := one("a", "b")
	for n, rate := range map[int]float64{1: 1e5, 4: 4e5, 16: 2e5} {
		b.cell("a", n, six(rate)...)
		b.cell("b", n, six(0.9e5)...)
	}
	v := b.finding(t).Verdict
	if got, want := v.Lines[0].Note, "at 4 goroutines, a does 400k/s, 2.00× as much (2.00–2.00)"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	if want := "a, which gains up to 4"; !strings.Contains(v.Advice, want) {
		t.Errorf("advice %q lacks %q", v.Advice, want)
	}
}

// The fastest of a promise may have failed where the verdict looks.
func TestAWinnerThatFailedAtTheHighestLevelIsNamed(t *testing.T) {
	b := newBook(map[string]results.Promise{"file": crash, "other": crash, "synced": durable}, "file", "other", "synced")
	for _, n := range []int{1, 8} {
		b.cell("other", n, six(1e5)...)
	}
	b.cell("file", 1, six(9e5)...)
	b.cell("synced", 1, six(1e3)...)
	for _, name := range []string{"file", "synced"} {
		b.run.Outcomes = append(b.run.Outcomes, results.Outcome{Experiment: "log", Variant: name, Goroutines: 8, Block: 1, Kind: results.OutcomeError, Text: "disk full"})
	}
	v := b.finding(t).Verdict
	if got, want := line(t, v, "Survives a process crash").Note, "file ended by an error at 8 goroutines"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	if got, want := line(t, v, "Survives a power cut").Text, "synced ended by an error at 8 goroutines"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

// Those who do not gain are told with what they spend their time on.
func TestTheCauseStandsWithTheScaling(t *testing.T) {
	b := one("held", "free")
	for _, n := range []int{1, 8} {
		b.cell("held", n, six(1e5)...)
		b.cell("free", n, six(float64(n)*1e5)...)
	}
	for i := range b.run.Trials {
		if trial := &b.run.Trials[i]; trial.Variant == "held" && trial.Goroutines == 8 {
			trial.Usage.UserNS, trial.Usage.SystemNS = 50e6, 0
			trial.Usage.MutexWaitNS, trial.Usage.SchedWaitNS = 700e6, 10e6
		}
	}
	v := b.finding(t).Verdict
	want := "From 1 to 8 goroutines, free (8.00×) gains; held (1.00×) holds its rate. Of those that do not gain, parked at a lock most of the time: held 88 %."
	if v.Scaling != want {
		t.Errorf("%q, want %q", v.Scaling, want)
	}
	if want := "Use many goroutines with free, which still gains at 8, the most measured."; v.Advice != want {
		t.Errorf("%q, want %q", v.Advice, want)
	}
}
