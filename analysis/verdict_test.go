package analysis_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/syncwrite/syncwrite/results"
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
		}, "At 8 goroutines: file, 1.00M appends/s."},
		{"a leader", func() *book {
			b := one("slow", "fast")
			b.cell("slow", 8, six(1e5)...)
			b.cell("fast", 8, six(2e5)...)
			return b
		}, "At 8 goroutines: fast, 200k appends/s, 2.00× slow (2.00–2.00)."},
		{"identical", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(1e5)...)
			b.cell("b", 8, six(1e5)...)
			return b
		}, "At 8 goroutines: a, 100k appends/s, cannot be told apart from b (1.00×, 1.00–1.00)."},
		{"3 % apart, and sure of it", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(1e5)...)
			b.cell("b", 8, six(1.03e5)...)
			return b
		}, "At 8 goroutines: b, 103k appends/s, cannot be told apart from a (1.03×, 1.03–1.03: code layout alone can make as much)."},
		{"7 % apart, and sure of it", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(1e5)...)
			b.cell("b", 8, six(1.07e5)...)
			return b
		}, "At 8 goroutines: b, 107k appends/s, 1.07× a (1.07–1.07)."},
		{"20 % apart at 10 ns", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(8e8)...)
			b.cell("b", 8, six(9.6e8)...)
			return b
		}, "At 8 goroutines: b, 960M appends/s, cannot be told apart from a (1.20×, 1.20–1.20: code layout alone can make as much)."},
		{"50 % apart at 10 ns", func() *book {
			b := one("a", "b")
			b.cell("a", 8, six(8e8)...)
			b.cell("b", 8, six(12e8)...)
			return b
		}, "At 8 goroutines: b, 1.20G appends/s, 1.50× a (1.50–1.50)."},
		{"far apart, but noisy", func() *book {
			b := one("a", "b")
			b.cell("a", 8, 1e5, 3e5, 1e5, 3e5, 1e5, 3e5)
			b.cell("b", 8, 3e5, 2e5, 3e5, 2e5, 3e5, 2e5)
			return b
		}, "At 8 goroutines: b, 250k appends/s, cannot be told apart from a (1.83×, 0.667–3.00)."},
		{"a tie is not handed on", func() *book {
			b := one("noisy", "fast", "slow")
			b.cell("noisy", 8, 3e4, 22e4, 5e4, 21e4, 22e4, 21e4)
			b.cell("fast", 8, six(1.5e5)...)
			b.cell("slow", 8, six(5e4)...)
			return b
		}, "At 8 goroutines: noisy, 210k appends/s, cannot be told apart from fast (1.40×, 0.202–1.46); fast is 3.00× slow (3.00–3.00)."},
		{"behind block by block", func() *book {
			b := one("a", "b")
			b.cell("a", 8, 1e5, 1.2e5, 1.4e5, 4e5, 4e5, 4e5)
			b.cell("b", 8, 1.2e5, 1.4e5, 1.6e5, 3e5, 2e5, 4.4e5)
			return b
		}, "At 8 goroutines: a, 270k appends/s, cannot be told apart from b (which is 1.12× a, 0.500–1.20, block by block)."},
		{"two lead a third", func() *book {
			b := one("a", "b", "c")
			b.cell("a", 8, six(2e5)...)
			b.cell("b", 8, six(2.01e5)...)
			b.cell("c", 8, six(1e5)...)
			return b
		}, "At 8 goroutines: b, 201k appends/s, cannot be told apart from a (1.00×, 1.00–1.01: code layout alone can make as much), 2.01× c (2.01–2.01)."},
		{"three promises", func() *book {
			b := newBook(map[string]results.Promise{"memory": fleeting, "file": crash, "async": crash, "synced": durable}, "synced", "file", "async", "memory")
			b.cell("memory", 8, six(9e6)...)
			b.cell("file", 8, six(2e5)...)
			b.cell("async", 8, six(1e5)...)
			b.cell("synced", 8, six(900)...)
			return b
		}, "At 8 goroutines — survives a power cut: synced, 900 appends/s; survives a process crash: file, 200k appends/s, 2.00× async (2.00–2.00); without crash safety: memory, 9.00M appends/s."},
		{"a crash that all survive", func() *book {
			b := newBook(map[string]results.Promise{"a": durable, "b": durable}, "a", "b")
			b.cell("a", 8, six(2e5)...)
			b.cell("b", 8, six(1e5)...)
			return b
		}, "At 8 goroutines — survives a power cut: a, 200k appends/s, 2.00× b (2.00–2.00)."},
		{"promises that differ in two words", func() *book {
			b := newBook(map[string]results.Promise{"a": {Order: "none", Result: "lossy", Survives: "nothing"}, "b": fleeting, "c": fleeting}, "a", "b", "c")
			for _, v := range []string{"a", "b", "c"} {
				b.cell(v, 2, six(1e5)...)
			}
			return b
		}, "At 2 goroutines — in total order, linearizable: b, 100k appends/s, cannot be told apart from c (1.00×, 1.00–1.00); in no order, may lose operations: a, 100k appends/s."},
		{"no promise", func() *book {
			b := newBook(nil, "a", "b")
			b.cell("a", 2, six(1e5)...)
			b.cell("b", 2, six(9e5)...)
			return b
		}, "At 2 goroutines — no promise stated: b and a are not ranked."},
		{"one without promise", func() *book {
			b := newBook(map[string]results.Promise{"a": crash, "b": crash}, "a", "b", "c")
			b.cell("a", 2, six(1e5)...)
			b.cell("b", 2, six(3e5)...)
			b.cell("c", 2, six(9e5)...)
			return b
		}, "At 2 goroutines — survives a process crash: b, 300k appends/s, 3.00× a (3.00–3.00); no promise stated: c, 900k appends/s."},
		{"five trials", func() *book {
			b := one("a", "b")
			b.cell("a", 2, 100, 200, 300, 400, 500)
			b.cell("b", 2, 1e3, 2e3, 3e3, 4e3, 5e3)
			return b
		}, "At 2 goroutines: too few trials in common to rank b and a."},
		{"a leader that died early", func() *book {
			b := one("a", "b", "c")
			b.cell("a", 2, 9e5, 9e5)
			b.cell("b", 2, six(2e5)...)
			b.cell("c", 2, six(1e5)...)
			return b
		}, "At 2 goroutines: b, 200k appends/s, 2.00× c (2.00–2.00), too few trials in common to place a."},
		{"nothing but zeros", func() *book {
			b := one("a", "b")
			b.cell("a", 2, 0, 0, 0, 0, 0, 0)
			b.cell("b", 2, 0, 0, 0, 0, 0, 0)
			return b
		}, "At 2 goroutines: a and b finished no operation."},
		{"far apart in the middle alone", func() *book {
			b := one("a", "b")
			b.cell("a", 2, 1000, 1000, 1000, 1000, 1000, 1000)
			b.cell("b", 2, 1020, 2000, 2900, 3100, 4000, 5000)
			return b
		}, "At 2 goroutines: b, 3.00k appends/s, cannot be told apart from a (3.00×, 1.02–5.00: not certainly more than code layout can make)."},
		{"trials without an operation", func() *book {
			b := one("a", "b")
			b.cell("a", 2, 500, 0, 500, 0, 500, 500, 500)
			b.cell("b", 2, 1000, 1000, 1000, 1000, 1000, 1000, 1000)
			return b
		}, "At 2 goroutines: b, 1.00k appends/s, while a finished no operation in 2 of 7 trials."},
		{"trials without an operation, alone", func() *book {
			b := one("a")
			b.cell("a", 2, 500, 0, 500, 0, 500, 500, 500)
			return b
		}, "At 2 goroutines: a, 500 appends/s, and finished no operation in 2 of 7 trials."},
		{"a word of a promise nobody knows", func() *book {
			b := newBook(map[string]results.Promise{"a": {Order: "total", Result: "linearizable", Survives: "übersteht"}, "b": crash}, "a", "b")
			b.cell("a", 2, six(1000)...)
			b.cell("b", 2, six(1000)...)
			return b
		}, "At 2 goroutines — survives a process crash: b, 1.00k appends/s; übersteht: a, 1.00k appends/s."},
		{"part of a promise", func() *book {
			b := newBook(map[string]results.Promise{"a": {Result: "linearizable", Survives: "nothing"}, "b": fleeting}, "a", "b")
			b.cell("a", 2, six(1000)...)
			b.cell("b", 2, six(1000)...)
			return b
		}, "At 2 goroutines — without crash safety: b, 1.00k appends/s; no promise stated: a, 1.00k appends/s."},
		{"many tied", func() *book {
			b := one(long...)
			for _, v := range long {
				b.cell(v, 2, six(1e5)...)
			}
			return b
		}, "At 2 goroutines: a, 100k appends/s, cannot be told apart from b, c, d, e, f, g, h, i and j."},
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
		if !strings.Contains(f.Verdict.Sentence, "too few trials in common to rank") || strings.Contains(f.Verdict.Sentence, "×") {
			t.Errorf("%d trials: %s", n, f.Verdict.Sentence)
		}
		if s := f.Summaries[0]; s.OpsPerS.Bounded() != (n == 5) || !warned(s, results.WarnTrials) {
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
	if v.Sentence != "At 8 goroutines: a, 100k appends/s; b not measured at 8 goroutines." {
		t.Errorf("verdict %+v", v)
	}
}

// Of variants apart, which nobody ranks, that one was not measured is a detail.
func TestAVariantApartWithoutTheHighestLevel(t *testing.T) {
	b := one("a", "b")
	b.run.Experiments[0].Apart = true
	b.cell("a", 1, six(1e5)...)
	b.cell("b", 1, six(1e5)...)
	b.cell("a", 8, six(1e5)...)
	v := b.finding(t).Verdict
	if v.Lines[0].Note != "" || !slices.Contains(v.Details, "Left out: b not measured at 8 goroutines.") {
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
	if want := "At 8 goroutines: a, 100k appends/s, too few trials in common to place b; b ended by an error at 8 goroutines; c ended by an error at 1 goroutine."; f.Verdict.Sentence != want {
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

// A rate of users who asked once is a bound from below, and is told as one, ranked or not.
func TestARateFromBelowIsToldAsOne(t *testing.T) {
	for apart, want := range map[bool]string{
		false: "At 8 goroutines: a, at least 100k appends/s.",
		true:  "At 8 goroutines: from a (at least 100k/s) to b (200k/s); every variant is an operation of its own, so none is ranked.",
	} {
		b := one("a")
		if apart {
			b = one("a", "b")
			b.cell("b", 8, six(2e5)...)
		}
		b.run.Experiments[0].Apart = apart
		b.cell("a", 8, six(1e5)...)
		for i := range b.run.Trials {
			if b.run.Trials[i].Variant == "a" {
				b.run.Trials[i].Warnings = []results.Warning{{Code: results.WarnFewCycles}}
			}
		}
		if got := b.finding(t).Verdict.Sentence; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
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
		"Adding up the clients' latencies, as is often done, would have claimed 25.0k/s for file at 4 goroutines, 4.00 times too little.",
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
		told := 0
		for _, line := range b.finding(t).Verdict.Lines {
			found := regexp.MustCompile(`\bv\d\b`).FindAllString(line.Text, -1)
			told += len(found)
			for _, name := range found {
				if promises[name] != promises[found[0]] {
					rt.Fatalf("%s and %s in one line: %s", found[0], name, line.Text)
				}
				if promises[name].Result == "" && strings.Contains(line.Text, "×") {
					rt.Fatalf("%s promises nothing and is ranked: %s", name, line.Text)
				}
			}
			for _, name := range regexp.MustCompile(`(v\d) promises more`).FindAllStringSubmatch(line.Note, -1) {
				if weak := promises[found[0]]; !promises[name[1]].Covers(weak) || promises[name[1]] == weak {
					rt.Fatalf("%s does not promise more than %s: %s", name[1], found[0], line.Note)
				}
			}
		}
		if told == 0 {
			rt.Fatal("nobody named")
		}
	})
}

func TestTrend(t *testing.T) {
	for _, c := range []struct {
		percents []float64
		want     string
	}{
		{[]float64{150, 151, 152, 153, 154, 155}, "a (1.52×, 1.50–1.55) gains"},
		{[]float64{106, 107, 107, 107, 107, 108}, "a (1.07×, 1.06–1.08) gains"},
		{[]float64{102, 105, 108, 110, 111, 115}, "a (1.09×, 1.02–1.15) gains"},
		{[]float64{97, 98, 99, 101, 102, 103}, "a (1.00×, 0.970–1.03) holds its rate"},
		{[]float64{100, 100, 100, 100, 100, 100}, "a (1.00×, 1.00–1.00) holds its rate"},
		{[]float64{85, 88, 90, 92, 94, 98}, "a (0.910×, 0.850–0.980) loses"},
		{[]float64{40, 41, 42, 43, 44, 45}, "a (0.425×, 0.400–0.450) loses"},
		{[]float64{60, 90, 95, 105, 110, 190}, "of a one cannot tell"},
		{[]float64{85, 98, 99, 101, 102, 103}, "of a one cannot tell"},
		{[]float64{150, 150, 150, 150, 150}, "of a one cannot tell"},
	} {
		b := one("a")
		for i, p := range c.percents {
			b.run.Trials = append(b.run.Trials, trial("a", 1, i+1, 100_000), trial("a", 8, i+1, 1000*p))
		}
		want := "From 1 to 8 goroutines, " + c.want + "."
		if got := b.finding(t).Verdict.Scaling; got != want {
			t.Errorf("%v: %q, want %q", c.percents, got, want)
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
	if got, want := b.finding(t).Verdict.Sentence, "At 8 goroutines: switch, 100k appends/s."; got != want {
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
	want := "At 8 goroutines: b, 390k appends/s, 3.90× a (3.90–3.90)."
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
	if got := b.finding(t).Verdict.Sentence; !strings.Contains(got, "nobody leads") {
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
	want := "At 8 goroutines: b, 400k appends/s, 2.00× c (2.00–2.00), too few trials in common to place a."
	if got := b.finding(t).Verdict.Sentence; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
