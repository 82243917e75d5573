package analysis_test

import (
	"slices"
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
	if want := "a, which gains up to 4."; !strings.Contains(v.Advice, want) {
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
	if got, want := line(t, v, "Survives a process crash").Note, "at 1 goroutine, file does 900k/s, 9.00× as much (9.00–9.00); file ended by an error at 8 goroutines"; got != want {
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
	want := "From 1 to 8 goroutines, free (8.00×, 8.00–8.00) gains; held (1.00×, 1.00–1.00) holds its rate. Of those that do not gain, parked at a lock most of the time: held 88 %."
	if v.Scaling != want {
		t.Errorf("%q, want %q", v.Scaling, want)
	}
	if want := "Use many goroutines with free, which gains up to 8, the most measured."; v.Advice != want {
		t.Errorf("%q, want %q", v.Advice, want)
	}
}

// What is waited for at locks is measured for the whole process: where an instance has
// goroutines besides the N, it is not said of those, however few trials counted any.
func TestTheLockOfOthersIsNoCause(t *testing.T) {
	for besides, want := range map[int]bool{0: true, 2: false} {
		b := one("helped")
		b.cell("helped", 1, six(1e5)...)
		b.cell("helped", 8, six(1e5)...)
		for i := range b.run.Trials {
			trial := &b.run.Trials[i]
			trial.Usage.UserNS, trial.Usage.SystemNS = 50e6, 0
			trial.Usage.MutexWaitNS, trial.Usage.SchedWaitNS = 0.74*results.Number(trial.GoroutineNS), 0
		}
		b.run.Trials[len(b.run.Trials)-1].Besides = besides
		f := b.finding(t)
		if got := f.Verdict.Scaling; strings.Contains(got, "parked at a lock most of the time: helped 74 %") != want {
			t.Errorf("%d besides: %q", besides, got)
		}
		if cause := summary(t, f, "helped", 8).Cause; cause.Shared == want || !cause.Lock.Known() {
			t.Errorf("%d besides: %+v", besides, cause)
		}
	}
}

// Advice holds of what was measured between the ends as well, and says how far the
// trials reach.
func TestAdvice(t *testing.T) {
	type levels map[int][]float64
	for name, c := range map[string]struct {
		cells levels
		want  string
	}{
		"a peak between, and a loss at the end": {levels{1: six(1000), 4: six(3000), 16: six(900)}, "Use many goroutines with a, which gains up to 4."},
		"a loss":                                {levels{1: six(1000), 4: six(800), 16: six(500)}, "One goroutine does at least as much as many with a."},
		"a loss, and nobody knows between":      {levels{1: six(1000), 4: {500, 900, 1500, 2000, 700, 1100}, 16: six(500)}, ""},
		"a small gain":                          {levels{1: six(1000), 16: six(1030)}, ""},
		"a gain that may be small":              {levels{1: six(1000), 16: {1030, 1200, 1300, 1250, 1220, 1280}}, "Use many goroutines with a, which gains up to 16, the most measured."},
		"a gain at 10 ns":                       {levels{1: six(1e8), 16: six(1.2e8)}, "Use many goroutines with a, which gains up to 16, the most measured."},
		"a plateau that is certain":             {levels{1: six(1000), 4: six(4000), 16: six(4000)}, "Use many goroutines with a, which gains up to 4."},
		"one that is not":                       {levels{1: six(1000), 4: six(4000), 16: {3000, 4000, 5000, 6000, 7000, 8000}}, "Use many goroutines with a, which gains up to 4 at least."},
		"few trials above it":                   {levels{1: six(1000), 4: six(4000), 8: {4000, 4000, 4000}, 16: six(4000)}, "Use many goroutines with a, which gains up to 4 at least."},
		"few trials between":                    {levels{1: six(1000), 4: {2000, 2000, 2000}, 16: six(8000)}, "Use many goroutines with a, which gains up to 16, the most measured."},
	} {
		b := one("a")
		for n, rates := range c.cells {
			b.cell("a", n, rates...)
		}
		if got := b.finding(t).Verdict.Advice; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// Where a factor is swept, advice is of one of its levels, and says of which; what one
// goroutine does of the leader at another is told there.
func TestAdviceNamesTheLevel(t *testing.T) {
	b := one("a")
	b.run.Experiments[0].Factors = []results.Factor{{Name: "payload", Default: "3"}}
	for level, rates := range map[string]map[int]float64{"3": {1: 1000, 4: 3000, 16: 6000}, "1024": {1: 5000, 4: 900, 16: 500}} {
		for n, rate := range rates {
			b.cellWith("a", n, map[string]string{"payload": level}, six(rate)...)
		}
	}
	v := b.finding(t).Verdict
	if want := "With payload=3, from 1 to 16 goroutines: use many goroutines with a, which gains up to 16, the most measured."; v.Advice != want {
		t.Errorf("%q, want %q", v.Advice, want)
	}
	want := "At 16 goroutines with payload=1024: a, 500 appends/s; at 1 goroutine, a does 5.00k/s, 10.1× as much (10.0–10.1)."
	if !slices.Contains(v.Details, want) {
		t.Errorf("%q lacks %q", v.Details, want)
	}
}

// What an error ended is no advice, however fast it was until then; whoever leads
// beside it may be.
func TestNoAdviceToUseWhatFailed(t *testing.T) {
	for name, c := range map[string]struct {
		of   results.Outcome
		want string // variants
	}{
		"nobody failed":      {results.Outcome{Variant: "a", Kind: results.OutcomeFinished}, "ab"},
		"the leader":         {results.Outcome{Variant: "a", Kind: results.OutcomeError}, "b"},
		"now and then":       {results.Outcome{Variant: "a", Kind: results.OutcomeFailed}, "b"},
		"at another payload": {results.Outcome{Variant: "a", Factors: map[string]string{"payload": "1"}, Kind: results.OutcomeError}, "b"},
		"the other":          {results.Outcome{Variant: "b", Kind: results.OutcomeError}, "a"},
	} {
		b := newBook(map[string]results.Promise{"a": fleeting, "b": durable}, "a", "b")
		for _, n := range []int{1, 8} {
			b.cell("a", n, six(float64(n)*1e5)...)
			b.cell("b", n, six(float64(n)*1e3)...)
		}
		c.of.Experiment, c.of.Goroutines, c.of.Block, c.of.Text = "log", 8, 6, "why"
		b.run.Outcomes = []results.Outcome{c.of}
		advice := b.finding(t).Verdict.Advice
		for _, variant := range []string{"a", "b"} {
			if slices.Contains(strings.Fields(strings.ReplaceAll(advice, ",", "")), variant) != strings.Contains(c.want, variant) {
				t.Errorf("%s: %q, want %s", name, advice, c.want)
			}
		}
	}
}

// Those that lead together are advised on together.
func TestAdviceIsForAllThatLead(t *testing.T) {
	b := one("a", "b")
	for _, n := range []int{1, 8} {
		b.cell("a", n, six(1e5)...)
		b.cell("b", n, six(float64(n)*12500)...)
	}
	if want := "Use many goroutines with b, which gains up to 8, the most measured."; b.finding(t).Verdict.Advice != want {
		t.Errorf("%q, want %q", b.finding(t).Verdict.Advice, want)
	}
}

// A cause is named of those that are told not to gain, and only where it was told
// apart from others.
func TestNoCauseOfWhatIsNotKnown(t *testing.T) {
	for name, c := range map[string]struct {
		last     []float64
		schedule results.Number
		others   results.Number
		want     string
	}{
		"told":               {six(1e5), 10e6, 0, "waiting for neither a mutex nor a processor (a system call, the disk, a channel, a condition, sleep) most of the time: held 79 %"},
		"nobody knows":       {[]float64{0.5e5, 2e5, 0.6e5, 1.9e5, 1e5, 1.1e5}, 10e6, 0, ""},
		"runnable not given": {six(1e5), results.Missing(), 0, ""},
		"others not given":   {six(1e5), 10e6, results.Missing(), ""},
	} {
		b := one("held")
		b.cell("held", 1, six(1e5)...)
		b.cell("held", 8, c.last...)
		for i := range b.run.Trials {
			if trial := &b.run.Trials[i]; trial.Goroutines == 8 {
				trial.GoroutineNS = 8 * trial.WallNS
				trial.Usage.UserNS, trial.Usage.SystemNS = results.Number(float64(trial.GoroutineNS)/5), 0
				trial.Usage.MutexWaitNS, trial.Usage.SchedWaitNS = 0, c.schedule
				trial.Usage.OthersNS = c.others
			}
		}
		got := b.finding(t).Verdict.Scaling
		if c.want == "" && strings.Contains(got, "most of the time") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// With more goroutines than processors, that most wait for one is no cause.
func TestWaitingBeyondTheProcessorsIsNoCause(t *testing.T) {
	for procs, want := range map[int]bool{8: true, 2: false} {
		b := one("held")
		b.run.Envs[0].Machine.Cores, b.run.Envs[0].Machine.GOMAXPROCS = procs, procs
		b.cell("held", 1, six(1e5)...)
		b.cell("held", 8, six(1e5)...)
		for i := range b.run.Trials {
			if trial := &b.run.Trials[i]; trial.Goroutines == 8 {
				trial.GoroutineNS = 8 * trial.WallNS
				trial.Usage.UserNS, trial.Usage.SystemNS = results.Number(float64(trial.GoroutineNS)/5), 0
				trial.Usage.MutexWaitNS, trial.Usage.SchedWaitNS = 0, results.Number(float64(trial.GoroutineNS)*0.75)
			}
		}
		if got := b.finding(t).Verdict.Scaling; strings.Contains(got, "waiting for a processor most of the time: held 75 %") != want {
			t.Errorf("%d processors: %q", procs, got)
		}
	}
}

// Without a figure at one goroutine no line tells of the lowest level.
func TestAPeakAtTheLowestLevelIsTold(t *testing.T) {
	b := one("a")
	for n, rate := range map[int]float64{2: 5000, 4: 3000, 8: 1000} {
		b.cell("a", n, six(rate)...)
	}
	if got, want := b.finding(t).Verdict.Lines[0].Note, "at 2 goroutines, a does 5.00k/s, 5.00× as much (5.00–5.02)"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
}

// Who states no promise is compared with nobody, at any level.
func TestNoPeakAmongThoseWithoutPromise(t *testing.T) {
	b := newBook(nil, "a", "b")
	for n, rate := range map[int]float64{1: 500, 4: 3000, 16: 500} {
		b.cell("a", n, six(1000)...)
		b.cell("b", n, six(rate)...)
	}
	if l := b.finding(t).Verdict.Lines[0]; l.Note != "" {
		t.Errorf("%+v", l)
	}
}

// A promise that was measured, and not at the highest level, does not vanish.
func TestAPromiseWithoutTheHighestLevelIsNamed(t *testing.T) {
	b := newBook(map[string]results.Promise{"a": durable, "b": fleeting}, "a", "b")
	b.cell("a", 1, six(1000)...)
	b.cell("b", 1, six(700)...)
	b.cell("b", 16, six(700)...)
	if got, want := line(t, b.finding(t).Verdict, "Survives a power cut").Text, "a not measured at 16 goroutines"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The cells of a line are those that its sentences rest on.
func TestALineNamesItsCells(t *testing.T) {
	b := one("a", "b", "c", "d", "e")
	for i, name := range []string{"a", "b", "c", "d"} {
		b.cell(name, 16, six(1e5+float64(i))...)
		b.cell(name, 1, six(1e5)...)
	}
	b.cell("a", 4, six(5e5)...)
	b.cell("e", 16, six(1e4)...)
	b.cell("e", 1, six(1e4)...)
	var got []string
	for _, c := range b.finding(t).Verdict.Lines[0].Cells {
		got = append(got, c.Name())
	}
	for _, want := range []string{"log/a@16", "log/d@16", "log/e@16", "log/a@4"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %q", want, got)
		}
	}
}

// Another variant's single goroutine can do more than the leader at the highest
// level: the note says so, and nobody is advised past it.
func TestAPeakAtOneGoroutineOfAnother(t *testing.T) {
	b := one("a", "b")
	b.cell("a", 1, six(2e4)...)
	b.cell("a", 16, six(1e5)...)
	b.cell("b", 1, six(1e6)...)
	b.cell("b", 16, six(5e4)...)
	v := b.finding(t).Verdict
	if want := "at 1 goroutine, b does 1.00M/s, 10.0× as much (10.0–10.0)"; v.Lines[0].Note != want {
		t.Errorf("note %q, want %q", v.Lines[0].Note, want)
	}
	if want := "One goroutine does at least as much as many with b."; v.Advice != want {
		t.Errorf("advice %q, want %q", v.Advice, want)
	}
}

// Where the leader itself does most with one goroutine, no other is told in its place,
// nor advised.
func TestTheLeadersOwnPeakAtOneGoroutine(t *testing.T) {
	b := one("a", "b")
	for n, rate := range map[int]float64{1: 1e6, 16: 1e5} {
		b.cell("a", n, six(rate)...)
		b.cell("b", n, six(rate/2)...)
	}
	v := b.finding(t).Verdict
	if v.Lines[0].Note != "" || strings.Contains(v.Advice, "with b") {
		t.Errorf("note %q, advice %q", v.Lines[0].Note, v.Advice)
	}
}

// What scaling and advice rest on is named with them.
func TestTheCellsOfScalingAndAdvice(t *testing.T) {
	b := one("a", "b")
	for n, rate := range map[int]float64{1: 1e5, 4: 3e5, 16: 3e5} {
		b.cell("a", n, six(rate)...)
		b.cell("b", n, six(1e4)...)
	}
	var got []string
	for _, c := range b.finding(t).Verdict.Cells {
		got = append(got, c.Name())
	}
	for _, want := range []string{"log/a@1", "log/a@4", "log/a@16", "log/b@1", "log/b@16"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %q", want, got)
		}
	}
	b.run.Experiments[0].Apart = true
	if cells := b.finding(t).Verdict.Lines[0].Cells; len(cells) != 2 || cells[1].Variant != "b" {
		t.Errorf("of variants apart: %v", cells)
	}
}

// One goroutine does not do as much where a few do a little more.
func TestALittleMoreIsMore(t *testing.T) {
	b := one("a")
	for n, rate := range map[int]float64{1: 1e5, 2: 1.04e5, 16: 0.3e5} {
		b.cell("a", n, six(rate)...)
	}
	if got := b.finding(t).Verdict.Advice; got != "" {
		t.Errorf("advice %q", got)
	}
}

// A cell with a trial that finished nothing carries no peak, no advice and no trend,
// and a doubt.
func TestEmptyTrialsCarryNothing(t *testing.T) {
	b := one("a")
	b.cell("a", 1, append(six(1e5), six(1e5)...)...)
	b.cell("a", 4, append(six(3e5), 3e5, 3e5, 3e5, 3e5, 3e5, 0)...)
	b.cell("a", 16, append(six(1e5), six(1e5)...)...)
	f := b.finding(t)
	if v := f.Verdict; v.Lines[0].Note != "" || v.Advice != "" {
		t.Errorf("note %q, advice %q", v.Lines[0].Note, v.Advice)
	}
	if !warned(summary(t, f, "a", 4), results.WarnEmpty) {
		t.Error("no doubt of the cell")
	}
	b = one("a")
	b.cell("a", 1, append(six(1e5), six(1e5)...)...)
	b.cell("a", 4, append(six(3e5), 3e5, 3e5, 3e5, 3e5, 3e5, 0)...)
	if got := b.finding(t).Verdict.Scaling; strings.Contains(got, "gains") {
		t.Errorf("scaling %q", got)
	}
}

// What others or a quota kept from a variant is no time in system calls.
func TestNoCauseOfDisturbedTime(t *testing.T) {
	b := one("held")
	b.cell("held", 1, six(1e5)...)
	b.cell("held", 8, six(1e5)...)
	for i := range b.run.Trials {
		trial := &b.run.Trials[i]
		trial.Warnings = append(trial.Warnings, results.Warning{Code: results.WarnDisturbed})
		trial.GoroutineNS = int64(trial.Goroutines) * trial.WallNS
		trial.Usage.UserNS, trial.Usage.SystemNS = results.Number(float64(trial.GoroutineNS)/5), 0
		trial.Usage.MutexWaitNS, trial.Usage.SchedWaitNS = 0, 10e6
	}
	if got := b.finding(t).Verdict.Scaling; strings.Contains(got, "most of the time") {
		t.Errorf("%q", got)
	}
}

// Losses that some trials did not count are those of the others.
func TestLossesOfTheTrialsThatCounted(t *testing.T) {
	b := newBook(map[string]results.Promise{"a": {Order: "none", Result: "lossy", Survives: "nothing"}}, "a")
	b.cell("a", 4, six(1e5)...)
	for i := range b.run.Trials[1:] {
		half := b.run.Trials[i+1].Ops / 2
		b.run.Trials[i+1].Lost = &half
	}
	if got := b.finding(t).Verdict.Lines[0].Text; !strings.Contains(got, "of which 50.0 % were lost") {
		t.Errorf("%q", got)
	}
}

// What others do at one goroutine is no peak of a variant without promise.
func TestNoPeakOfOthersWithoutPromise(t *testing.T) {
	b := newBook(nil, "put", "sum")
	b.cell("put", 1, six(1e5)...)
	b.cell("put", 8, six(3e5)...)
	b.cell("sum", 1, six(9e6)...)
	v := b.finding(t).Verdict
	if strings.Contains(v.Lines[0].Note, "as much") || v.Advice != "Use many goroutines with put, which gains up to 8, the most measured." {
		t.Errorf("note %q, advice %q", v.Lines[0].Note, v.Advice)
	}
}

// Of variants with unlike numbers of trials the one that does most below N is found in the blocks that all have: a
// machine that became faster behind those that one needed is no merit of the others.
func TestPeakGoesByTheSameBlocks(t *testing.T) {
	b := one("a", "b")
	for name, of := range map[string]struct {
		trials int
		rate   float64
	}{"a": {13, 1.15e5}, "b": {40, 1e5}} {
		for n, times := range map[int]float64{1: 1, 2: 1.5, 4: 1} {
			var rates []float64
			for block := range of.trials {
				rate := of.rate * times * (1 + 0.001*float64(block%5))
				if block >= 13 {
					rate *= 1.7
				}
				rates = append(rates, rate)
			}
			b.cell(name, n, rates...)
		}
	}
	v := b.finding(t).Verdict
	if line := v.Lines[0]; !strings.Contains(line.Note, "at 2 goroutines, a does 173k/s,") || !strings.HasPrefix(line.Text, "a, 115k") || line.Variants[0] != "a" {
		t.Errorf("%+v", line)
	}
	if v.Advice != "Use many goroutines with a, which gains up to 2." {
		t.Errorf("%q", v.Advice)
	}
}
