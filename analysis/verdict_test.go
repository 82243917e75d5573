package analysis_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
	"pgregory.net/rapid"
)

// six trials around a rate, within ±1 %.
func six(rate float64) []float64 {
	return []float64{rate * 0.99, rate * 1.01, rate, rate * 0.995, rate * 1.005, rate}
}

func TestVerdicts(t *testing.T) {
	long := strings.Fields("a b c d e f g h i j")
	for _, c := range []struct {
		name string
		fill func() *book
		want string
	}{
		{"one variant", func() *book {
			b := one("file")
			b.cell("file", 8, six(1e6)...)
			return b
		}, "At 8 goroutines, file does 1.00M appends/s."},
		{"a leader", func() *book {
			b := one("slow", "fast")
			b.cell("slow", 8, six(1e5)...)
			b.cell("fast", 8, six(2e5)...)
			return b
		}, "At 8 goroutines, fast leads with 200k appends/s, 2.00 (2.00–2.00) times as fast as slow."},
		{"identical", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(1e5)...)
			b.cell("b", 8, six(1e5)...)
			return b
		}, "At 8 goroutines, a and b cannot be told apart (a does 100k appends/s)."},
		{"3 % apart, and sure of it", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(1e5)...)
			b.cell("b", 8, six(1.03e5)...)
			return b
		}, "At 8 goroutines, b and a cannot be told apart (b does 103k appends/s)."},
		{"7 % apart, and sure of it", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(1e5)...)
			b.cell("b", 8, six(1.07e5)...)
			return b
		}, "At 8 goroutines, b leads with 107k appends/s, 1.07 (1.07–1.07) times as fast as a."},
		{"20 % apart at 10 ns", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(8e8)...)
			b.cell("b", 8, six(9.6e8)...)
			return b
		}, "At 8 goroutines, b and a cannot be told apart (b does 960M appends/s)."},
		{"50 % apart at 10 ns", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(8e8)...)
			b.cell("b", 8, six(12e8)...)
			return b
		}, "At 8 goroutines, b leads with 1.20G appends/s, 1.50 (1.50–1.50) times as fast as a."},
		{"far apart, but noisy", func() *book {
			b := one("a", "b")
			b.cell("a", 8, 1e5, 3e5, 1e5, 3e5, 1e5, 3e5)
			b.cell("b", 8, 3e5, 2e5, 3e5, 2e5, 3e5, 2e5)
			return b
		}, "At 8 goroutines, b and a cannot be told apart (b does 250k appends/s)."},
		{"a tie is not handed on", func() *book {
			b := one("noisy", "fast", "slow")
			b.cell("noisy", 8, 3e4, 22e4, 5e4, 21e4, 22e4, 21e4)
			b.cell("fast", 8, six(1.5e5)...)
			b.cell("slow", 8, six(5e4)...)
			return b
		}, "At 8 goroutines, noisy and fast cannot be told apart (noisy does 210k appends/s) and fast is 3.00 (3.00–3.00) times as fast as slow."},
		{"two lead a third", func() *book {
			b := one("a", "b", "c")
			b.cell("a", 8, six(2e5)...)
			b.cell("b", 8, six(2.01e5)...)
			b.cell("c", 8, six(1e5)...)
			return b
		}, "At 8 goroutines, b and a cannot be told apart (b does 201k appends/s) and b is 2.01 (2.01–2.01) times as fast as c."},
		{"three promises", func() *book {
			b := newBook(map[string]results.Promise{"memory": fleeting, "file": crash, "async": crash, "synced": durable}, "synced", "file", "async", "memory")
			b.cell("memory", 8, six(9e6)...)
			b.cell("file", 8, six(2e5)...)
			b.cell("async", 8, six(1e5)...)
			b.cell("synced", 8, six(900)...)
			return b
		}, "At 8 goroutines, alone in surviving no crash, memory does 9.00M appends/s; " +
			"of those that survive a process crash, file leads with 200k appends/s, 2.00 (2.00–2.00) times as fast as async; " +
			"alone in surviving a power cut, synced does 900 appends/s."},
		{"promises that differ in two words", func() *book {
			b := newBook(map[string]results.Promise{"a": {Order: "none", Result: "lossy", Survives: "nothing"}, "b": fleeting, "c": fleeting}, "a", "b", "c")
			for _, v := range []string{"a", "b", "c"} {
				b.cell(v, 2, six(1e5)...)
			}
			return b
		}, "At 2 goroutines, alone in keeping no order and giving lossy results, a does 100k appends/s; " +
			"of those that keep total order and give linearizable results, b and c cannot be told apart (b does 100k appends/s)."},
		{"no promise", func() *book {
			b := newBook(nil, "a", "b")
			b.cell("a", 2, six(1e5)...)
			b.cell("b", 2, six(9e5)...)
			return b
		}, "At 2 goroutines, b and a state no promise and are not ranked."},
		{"one without promise", func() *book {
			b := newBook(map[string]results.Promise{"a": crash, "b": crash}, "a", "b", "c")
			b.cell("a", 2, six(1e5)...)
			b.cell("b", 2, six(3e5)...)
			b.cell("c", 2, six(9e5)...)
			return b
		}, "At 2 goroutines, c does 900k appends/s, stating no promise; b leads with 300k appends/s, 3.00 (3.00–3.00) times as fast as a."},
		{"five trials", func() *book {
			b := one("a", "b")
			b.cell("a", 2, 100, 200, 300, 400, 500)
			b.cell("b", 2, 1e3, 2e3, 3e3, 4e3, 5e3)
			return b
		}, "At 2 goroutines, too few trials to rank b and a."},
		{"a leader that died early", func() *book {
			b := one("a", "b", "c")
			b.cell("a", 2, 9e5, 9e5)
			b.cell("b", 2, six(2e5)...)
			b.cell("c", 2, six(1e5)...)
			return b
		}, "At 2 goroutines, b leads with 200k appends/s, 2.00 (2.00–2.00) times as fast as c, with too few trials in common to place a."},
		{"nothing but zeros", func() *book {
			b := one("a", "b")
			b.cell("a", 2, 0, 0, 0, 0, 0, 0)
			b.cell("b", 2, 0, 0, 0, 0, 0, 0)
			return b
		}, "At 2 goroutines, a and b finished no operation."},
		{"many tied", func() *book {
			b := one(long...)
			for _, v := range long {
				b.cell(v, 2, six(1e5)...)
			}
			return b
		}, "At 2 goroutines, a, b, c, d, e, f, g, h and 2 others cannot be told apart (a does 100k appends/s)."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.fill().finding(t).Verdict.Sentence; got != c.want {
				t.Errorf("verdict\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestTooFewTrialsRankNothing(t *testing.T) {
	for n := 1; n <= 5; n++ {
		b := one("a", "b")
		for range n {
			b.run.Trials = append(b.run.Trials, trial("a", 4, len(b.run.Trials)+1, 100), trial("b", 4, len(b.run.Trials)+1, 1e6))
		}
		f := b.finding(t)
		if !strings.Contains(f.Verdict.Sentence, "too few trials to rank") || strings.Contains(f.Verdict.Sentence, "leads") {
			t.Errorf("%d trials: %s", n, f.Verdict.Sentence)
		}
		if s := f.Summaries[0]; s.OpsPerS.Bounded() || !warned(s, results.WarnTrials) {
			t.Errorf("%d trials: %+v", n, s)
		}
	}
}

func TestAVariantWithoutTheHighestLevelIsNamed(t *testing.T) {
	b := one("a", "b")
	b.cell("a", 1, six(1e5)...)
	b.cell("b", 1, six(1e5)...)
	b.cell("a", 8, six(1e5)...)
	v := b.finding(t).Verdict
	if v.Sentence != "At 8 goroutines, a does 100k appends/s." || !slices.Contains(v.Details, "Not measured at 8 goroutines: b.") {
		t.Errorf("verdict %+v", v)
	}
}

func TestEndedVariantsAreTold(t *testing.T) {
	b := one("a", "b", "c")
	b.cell("a", 8, six(1e5)...)
	b.cell("b", 8, 1e6, 1e6)
	b.run.Outcomes = []results.Outcome{
		{Experiment: "log", Variant: "b", Goroutines: 8, Block: 3, Kind: results.OutcomeError, Text: "append: no space left on device"},
		{Experiment: "log", Variant: "c", Goroutines: 1, Kind: results.OutcomeError, Text: "open: permission denied"},
	}
	f := b.finding(t)
	if want := "At 8 goroutines, a does 100k appends/s, with too few trials in common to place b."; f.Verdict.Sentence != want {
		t.Errorf("verdict %s\nwant %s", f.Verdict.Sentence, want)
	}
	for _, want := range []string{
		"b ended by an error at 8 goroutines, in block 3: append: no space left on device",
		"c ended by an error at 1 goroutine, before the first block: open: permission denied",
	} {
		if !slices.Contains(f.Verdict.Details, want) {
			t.Errorf("no %q in %q", want, f.Verdict.Details)
		}
	}
	if !warned(summary(t, f, "b", 8), results.WarnEnded) || warned(summary(t, f, "a", 8), results.WarnEnded) {
		t.Error("the warning stands at the wrong variant")
	}
}

func TestAnotherUnit(t *testing.T) {
	for unit, want := range map[string]string{"": "operations", "append": "appends", "entry": "entries", "fetch": "fetches", "key": "keys", "y": "ies"} {
		b := one("a")
		b.run.Experiments[0].Unit = unit
		b.cell("a", 1, six(100)...)
		if got := b.finding(t).Verdict.Sentence; !strings.Contains(got, " "+want+"/s.") {
			t.Errorf("unit %q: %s", unit, got)
		}
	}
}

func TestAsides(t *testing.T) {
	b := one("async", "file", "keeping-up")
	b.cell("keeping-up", 4, six(1e5)...)
	b.cell("async", 4, six(1e5)...)
	b.cell("file", 4, six(1e5)...)
	for i := range b.run.Trials {
		switch trial := &b.run.Trials[i]; trial.Variant {
		case "async":
			trial.AcceptedNS = 10e6
		case "keeping-up":
			trial.AcceptedNS = trial.WallNS * 99 / 100
		default:
			trial.Naive.OpsPerS = 25e3
		}
	}
	details := b.finding(t).Verdict.Details
	if slices.ContainsFunc(details, func(d string) bool { return strings.Contains(d, "keeping-up accepted") }) {
		t.Errorf("what keeps up is said to run ahead: %q", details)
	}
	for _, want := range []string{
		"async accepted 1.00M/s at 4 goroutines and finished 100k/s; the finished rate is the one shown.",
		"Adding up the clients' latencies would have claimed 25.0k/s for file at 4 goroutines, 4.00 times too little.",
	} {
		if !slices.Contains(details, want) {
			t.Errorf("no %q in %q", want, details)
		}
	}
}

// Whatever the promises and the rates: two names stand in one clause only if
// they promise the same.
func TestOnlyEqualPromisesAreRanked(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		word := func(words ...string) string { return rapid.SampledFrom(words).Draw(rt, "word") }
		promises := map[string]results.Promise{}
		var names []string
		for i := range rapid.IntRange(2, 7).Draw(rt, "variants") {
			name := fmt.Sprintf("v%d", i)
			names = append(names, name)
			promises[name] = results.Promise{
				Order: word("total", "none"), Result: word("unique", "lossy", ""), Survives: word("nothing", "power-cut"),
			}
		}
		b := newBook(promises, names...)
		for _, name := range names {
			b.cell(name, 4, six(rapid.Float64Range(100, 1e7).Draw(rt, "rate"))...)
		}
		sentence := b.finding(t).Verdict.Sentence
		told := 0
		for _, clause := range strings.Split(sentence, ";") {
			found := regexp.MustCompile(`\bv\d\b`).FindAllString(clause, -1)
			told += len(found)
			for _, name := range found {
				if promises[name] != promises[found[0]] {
					rt.Fatalf("%s and %s in one clause: %s", found[0], name, sentence)
				}
				if promises[name].Result == "" && (strings.Contains(clause, "leads") || strings.Contains(clause, "times as fast")) {
					rt.Fatalf("%s promises nothing and is ranked: %s", name, sentence)
				}
			}
		}
		if told == 0 {
			rt.Fatalf("nobody named: %s", sentence)
		}
	})
}

func TestTrend(t *testing.T) {
	for _, c := range []struct {
		percents []float64
		want     string
	}{
		{[]float64{150, 151, 152, 153, 154, 155}, "above it: a (153 %)"},
		{[]float64{106, 107, 107, 107, 107, 108}, "above it: a (107 %)"},
		{[]float64{102, 105, 108, 110, 111, 115}, "above it: a (109 %)"},
		{[]float64{97, 98, 99, 101, 102, 103}, "within 10 % of it: a (100 %)"},
		{[]float64{100, 100, 100, 100, 100, 100}, "within 10 % of it: a (100 %)"},
		{[]float64{85, 88, 90, 92, 94, 98}, "below it: a (91 %)"},
		{[]float64{40, 41, 42, 43, 44, 45}, "below it: a (43 %)"},
		{[]float64{60, 90, 95, 105, 110, 190}, "cannot tell: a (100 %)"},
		{[]float64{85, 98, 99, 101, 102, 103}, "cannot tell: a (100 %)"},
		{[]float64{150, 150, 150, 150, 150}, "cannot tell: a (150 %)"},
	} {
		b := one("a")
		for i, p := range c.percents {
			b.run.Trials = append(b.run.Trials, trial("a", 1, i+1, 100_000), trial("a", 8, i+1, 1000*p))
		}
		want := "Against the serial rate, at 8 goroutines — " + c.want + "."
		if details := b.finding(t).Verdict.Details; !slices.Contains(details, want) {
			t.Errorf("%v: no %q in %q", c.percents, want, details)
		}
	}
}

func warned(s results.Summary, code string) bool {
	return slices.ContainsFunc(s.Warnings, func(w results.Warning) bool { return w.Code == code })
}

func TestOneOfALadder(t *testing.T) {
	b := one("switch")
	b.run.Experiments[0].Apart = true
	b.cell("switch", 8, six(1e5)...)
	if got, want := b.finding(t).Verdict.Sentence, "At 8 goroutines, switch does 100k appends/s."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Who leads is decided in the blocks that two have in common, not by medians of
// different blocks.
func TestLeaderIsThatOfCommonBlocks(t *testing.T) {
	b := one("a", "b")
	b.cell("a", 8, 4e5, 4e5, 4e5, 4e5, 4e5, 4e5, 4e5, 1e5, 1e5, 1e5, 1e5, 1e5, 1e5)
	b.cell("b", 8, 0, 0, 0, 0, 0, 0, 0, 3.9e5, 3.9e5, 3.9e5, 3.9e5, 3.9e5, 3.9e5)
	b.run.Trials = slices.DeleteFunc(b.run.Trials, func(x results.Trial) bool { return x.Variant == "b" && x.Block <= 7 })
	want := "At 8 goroutines, b leads with 390k appends/s, 3.90 (3.90–3.90) times as fast as a."
	if got := b.finding(t).Verdict.Sentence; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// Each is faster than another, each in other blocks: nobody leads.
func TestRing(t *testing.T) {
	b := one("a", "b", "c")
	for i, pair := range [][2]string{{"a", "b"}, {"b", "c"}, {"c", "a"}} {
		for block := range 6 {
			for j, name := range pair {
				rate := 2e5 / float64(j+1)
				b.run.Trials = append(b.run.Trials, results.Trial{Experiment: b.run.Experiments[0].Name, Variant: name, Goroutines: 8, Started: 8,
					Block: 6*i + block + 1, Ops: 1e5, WallNS: int64(1e14 / rate), GoroutineNS: int64(8e14 / rate), Usage: results.MissingUsage()})
			}
		}
	}
	if got := b.finding(t).Verdict.Sentence; !strings.Contains(got, "cannot be told apart") {
		t.Errorf("%s", got)
	}
}

// One without a block in common with anybody is not placed, whatever its median; nor
// is it tied with those who are.
func TestAloneIsNotPlaced(t *testing.T) {
	b := one("a", "b", "c")
	b.cell("a", 8, 9e5, 9e5, 9e5, 9e5, 9e5, 9e5)
	b.cell("b", 8, 4e5, 4e5, 4e5, 4e5, 4e5, 4e5)
	b.cell("c", 8, 2e5, 2e5, 2e5, 2e5, 2e5, 2e5)
	for i := range b.run.Trials {
		if x := &b.run.Trials[i]; x.Variant == "a" {
			x.Block += 6
		}
	}
	want := "At 8 goroutines, b leads with 400k appends/s, 2.00 (2.00–2.00) times as fast as c, with too few trials in common to place a."
	if got := b.finding(t).Verdict.Sentence; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
