package analysis_test

import (
	"math"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

var lossy = results.Promise{Order: "none", Result: results.Lossy, Survives: "nothing"}

// losing makes trials lose so many of their million operations, one after another.
func losing(run *results.Run, lost ...int) *results.Run {
	for i := range run.Trials {
		n := lost[i%len(lost)]
		run.Trials[i].Lost = &n
	}
	return run
}

// A run that loses more than before is not as good at the same rate, and one that
// loses less is not worse at a lower one.
func TestLossesAreCompared(t *testing.T) {
	fast, slow := spread(2e6), spread(1e6)
	for name, c := range map[string]struct {
		older, newer *results.Run
		call, gate   string
		text         string
	}{
		"nothing is lost":           {losing(runOf(slow...), 0), losing(runOf(slow...), 0), results.Same, results.GatePassed, ""},
		"nothing is counted":        {runOf(slow...), runOf(slow...), results.Same, results.GatePassed, ""},
		"faster, for it loses most": {losing(runOf(slow...), 0), losing(runOf(fast...), 850_000), results.CannotTell, results.GateUnseen, "lost operations: 0 % in the older run, 85.0 % in the newer"},
		"slower, for it loses none": {losing(runOf(fast...), 850_000), losing(runOf(slow...), 0), results.CannotTell, results.GateUnseen, "85.0 % in the older run, 0 % in the newer"},
		"one trial lost one":        {losing(runOf(slow...), 0), losing(runOf(slow...), 0, 0, 0, 0, 0, 1), results.CannotTell, results.GateUnseen, "0 % to <0.001 % in the newer"},
		"none counted before":       {runOf(slow...), losing(runOf(slow...), 10_000), results.CannotTell, results.GateUnseen, "none counted in the older run"},
		"more than before":          {losing(runOf(slow...), 10_000, 11_000, 12_000), losing(runOf(slow...), 20_000, 21_000, 22_000), results.CannotTell, results.GateUnseen, "1.00 % to 1.20 %"},
		"as much as before":         {losing(runOf(slow...), 10_000, 12_000, 14_000), losing(runOf(slow...), 11_000, 12_000, 13_000), results.Same, results.GatePassed, ""},
	} {
		comparison := analysis.Compare(c.older, c.newer)
		change := comparison.Changes[0]
		if change.Call != c.call || !strings.Contains(change.Doubt, c.text) || c.text == "" && change.Doubt != "" {
			t.Errorf("%s: called %q, want %q; doubt %q", name, change.Call, c.call, change.Doubt)
		}
		if gates := analysis.GateChanges(comparison, 0.05); gates[0].Status != c.gate {
			t.Errorf("%s: %+v, want %s", name, gates[0], c.gate)
		}
		if counted := c.newer.Trials[0].Lost != nil; (change.NewLost != nil) != counted {
			t.Errorf("%s: lost %v", name, change.NewLost)
		}
	}
}

// Whoever promises more and loses less is told to be faster, too.
func TestAStrongerPromiseThatLosesLess(t *testing.T) {
	b := newBook(map[string]results.Promise{"a": lossy, "b": fleeting}, "a", "b")
	b.losing("a", 4, 0.4, six(1e5)...)
	b.cell("b", 4, six(5e5)...)
	found := false
	for _, l := range b.finding(t).Verdict.Lines {
		found = found || l.Note == "b promises more and is 5.00× as fast (5.00–8.33)"
	}
	if !found {
		t.Errorf("%+v", b.finding(t).Verdict.Lines)
	}
}

// Nor is a gain that throws operations away a reason to use many goroutines.
func TestNoAdviceToLoseOperations(t *testing.T) {
	for lost, want := range map[int]string{0: "Use many goroutines with a, which gains up to 4, the most measured.", 5000: ""} {
		b := one("a")
		b.cell("a", 1, six(1e5)...)
		losing(&b.run, 0)
		b.cell("a", 4, six(3e5)...)
		for i := range b.run.Trials[6:] {
			b.run.Trials[6+i].Lost = &lost
		}
		if got := b.finding(t).Verdict.Advice; got != want {
			t.Errorf("%d lost: %q, want %q", lost, got, want)
		}
	}
}

// A speed-up that throws operations away is none that anybody asked for.
func TestASpeedupThatLosesIsNotSeen(t *testing.T) {
	for lost, want := range map[int]string{0: results.GatePassed, 500_000: results.GateUnseen} {
		run := losing(runOf(spread(1e6)...), 0)
		many := losing(runOf(spread(3e6)...), lost)
		for _, trial := range many.Trials {
			trial.Goroutines = 4
			run.Trials = append(run.Trials, trial)
		}
		gates, err := analysis.GateSpeedup(analysis.Analyze(run), analysis.Speedup{Cell: "log/file@4", Times: 2})
		if err != nil || len(gates) != 1 || gates[0].Status != want {
			t.Errorf("%d lost: %+v, %v, want %s", lost, gates, err, want)
		}
	}
}

// Losses that are too loose to be told apart may still have grown: a cell is called,
// and passes a threshold, only if its rate of kept operations does as well.
func TestKeptOperationsAreHeldToTheThreshold(t *testing.T) {
	steady := spread(1e6)
	loose := []int{100_000, 500_000, 200_000, 400_000, 300_000, 350_000} // 32 %
	more := []int{200_000, 600_000, 300_000, 500_000, 400_000, 450_000}  // 42 %
	for name, c := range map[string]struct {
		older, newer *results.Run
		call, gate   string
	}{
		"may have lost more":        {losing(runOf(steady...), loose...), losing(runOf(steady...), more...), results.CannotTell, results.GateUnseen},
		"lost as loosely":           {losing(runOf(steady...), loose...), losing(runOf(steady...), loose...), results.CannotTell, results.GateUnseen},
		"faster in any case":        {losing(runOf(steady...), loose...), losing(runOf(spread(9e6)...), more...), results.Better, results.GatePassed},
		"slower in any case":        {losing(runOf(steady...), loose...), losing(runOf(spread(1e5)...), more...), results.Worse, results.GateFailed},
		"slower, and may keep more": {losing(runOf(steady...), more...), losing(runOf(spread(8e5)...), loose...), results.CannotTell, results.GateUnseen},
		"all lost in both":          {losing(runOf(steady...), 1_000_000), losing(runOf(spread(3e6)...), 1_000_000), results.CannotTell, results.GateUnseen},
		"as steady as its losses":   {losing(runOf(steady...), 300_000), losing(runOf(steady...), 300_000), results.Same, results.GatePassed},
	} {
		comparison := analysis.Compare(c.older, c.newer)
		if change := comparison.Changes[0]; change.Call != c.call || strings.Contains(change.Doubt, "lost operations") {
			t.Errorf("%s: called %q, want %q: %+v, doubt %q", name, change.Call, c.call, change.Ratio, change.Doubt)
		}
		if gate := analysis.GateChanges(comparison, 0.05)[0]; gate.Status != c.gate {
			t.Errorf("%s: %+v, want %s", name, gate, c.gate)
		}
	}
}

// So is a speed-up.
func TestASpeedupIsOfKeptOperations(t *testing.T) {
	for name, c := range map[string]struct {
		alone, many []int
		want        string
	}{
		"as much":            {[]int{300_000}, []int{300_000}, results.GatePassed},
		"more, perhaps":      {[]int{100_000, 500_000, 200_000, 400_000, 300_000, 350_000}, []int{450_000, 200_000, 600_000, 300_000, 500_000, 400_000}, results.GateUnseen},
		"all, wherever":      {[]int{1_000_000}, []int{1_000_000}, results.GateUnseen},
		"all, in both, once": {[]int{0, 0, 0, 0, 0, 1_000_000}, []int{0, 0, 0, 0, 0, 1_000_000}, results.GateUnseen},
	} {
		run, many := losing(runOf(spread(1e6)...), c.alone...), losing(runOf(spread(3e6)...), c.many...)
		for _, trial := range many.Trials {
			trial.Goroutines = 4
			run.Trials = append(run.Trials, trial)
		}
		gates, err := analysis.GateSpeedup(analysis.Analyze(run), analysis.Speedup{Cell: "log/file@4", Times: 2})
		if err != nil || len(gates) != 1 || gates[0].Status != c.want {
			t.Errorf("%s: %+v, %v, want %s", name, gates, err, c.want)
		}
	}
}

// Two variants of one promise are ranked only if the kept operations rank them alike.
func TestKeptOperationsRank(t *testing.T) {
	for lost, want := range map[float64]string{
		0:   "At 4 goroutines: a, 200k appends/s of which 0 % were lost, 2.00× b (2.00–2.00).",
		0.9: "At 4 goroutines: a, 200k appends/s of which 90.0 % were lost, cannot be told apart from b (2.00×, 0.200–2.00).",
		1:   "At 4 goroutines: b, 100k appends/s of which 0 % were lost, while a kept no operation.",
	} {
		b := newBook(map[string]results.Promise{"a": lossy, "b": lossy}, "a", "b")
		b.losing("a", 4, lost, six(2e5)...)
		b.losing("b", 4, 0, six(1e5)...)
		if got := b.finding(t).Verdict.Sentence; got != want {
			t.Errorf("%g lost: %q, want %q", lost, got, want)
		}
	}
}

// losing adds a cell whose trials lose that share of their operations.
func (b *book) losing(variant string, n int, share float64, opsPerS ...float64) {
	at := len(b.run.Trials)
	b.cell(variant, n, opsPerS...)
	for i := range b.run.Trials[at:] {
		lost := int(math.Round(share * float64(b.run.Trials[at+i].Ops)))
		b.run.Trials[at+i].Lost = &lost
	}
}

// Of another level that does more because it loses more no peak is told, and of one
// that does more in any case with what it loses.
func TestAPeakNamesItsLosses(t *testing.T) {
	for lost, want := range map[float64]string{0.95: "", 0.5: "at 4 goroutines, b does 600k/s of which 50.0 % were lost, 3.00× as much (1.50–3.00)"} {
		b := newBook(map[string]results.Promise{"a": lossy, "b": lossy}, "a", "b")
		b.losing("a", 16, 0, six(2e5)...)
		b.losing("b", 4, lost, six(6e5)...)
		b.losing("b", 16, 0, six(1e5)...)
		if got := b.finding(t).Verdict.Lines[0].Note; got != want {
			t.Errorf("%g lost: %q, want %q", lost, got, want)
		}
	}
}

// One goroutine that loses most does not do as much as many that keep it, and a gain
// by losses is none.
func TestLossesOfOneAndOfMany(t *testing.T) {
	for _, c := range []struct {
		one, many       float64 // rates
		oneLost         float64
		manyLost        float64
		scaling, advice string
	}{
		{5e5, 2e5, 0.1, 0.1, "From 1 to 16 goroutines, q (0.400×, 0.400–0.400) loses.", "One goroutine does at least as much as many with q."},
		{5e5, 2e5, 0.7, 0.1, "From 1 to 16 goroutines, of q (lost operations: 70.0 % at 1, 10.0 % at 16) one cannot tell.", ""},
		{5e5, 2e5, 0.2, 0.1, "From 1 to 16 goroutines, q (0.400×, 0.400–0.450; lost operations: 20.0 % at 1, 10.0 % at 16) loses.", "One goroutine does at least as much as many with q."},
		{1e5, 5e5, 0, 0.9, "From 1 to 16 goroutines, of q (lost operations: 0 % at 1, 90.0 % at 16) one cannot tell.", ""},
		{1e5, 5e5, 0.1, 0.1, "From 1 to 16 goroutines, q (5.00×, 5.00–5.00) gains.", "Use many goroutines with q, which gains up to 16, the most measured."},
	} {
		b := newBook(map[string]results.Promise{"q": lossy}, "q")
		b.losing("q", 1, c.oneLost, six(c.one)...)
		b.losing("q", 16, c.manyLost, six(c.many)...)
		if v := b.finding(t).Verdict; v.Scaling != c.scaling || v.Advice != c.advice {
			t.Errorf("%+v: %q, %q", c, v.Scaling, v.Advice)
		}
	}
}

// Who promises more and loses more is not as good at a higher rate.
func TestAStrongerPromiseThatLosesMore(t *testing.T) {
	stronger := lossy
	stronger.Survives = "process-crash"
	for lost, want := range map[float64]string{0: "b promises more and is 5.00× as fast (5.00–5.00)", 0.5: "", 0.95: ""} {
		b := newBook(map[string]results.Promise{"a": lossy, "b": stronger}, "a", "b")
		b.losing("a", 4, 0, six(1e5)...)
		b.losing("b", 4, lost, six(5e5)...)
		if got := line(t, b.finding(t).Verdict, "Without crash safety").Note; got != want {
			t.Errorf("%g lost: %q, want %q", lost, got, want)
		}
	}
}

// A trade and a claim say what is lost; a claim is told only where it holds of the
// operations that were kept, too.
func TestTradesAndClaimsOfLosses(t *testing.T) {
	for lost, status := range map[float64]string{0.1: results.Confirmed, 0.9: results.Untold} {
		want := "Lost operations: " + results.Number(lost).Share() + " of weak, none counted of strong."
		b := newBook(map[string]results.Promise{"weak": lossy, "strong": fleeting}, "weak", "strong")
		b.run.Experiments[0].Trades = []results.Trade{{Weaker: "weak", Stronger: "strong"}}
		b.run.Experiments[0].Claims = []results.Claim{{By: "somebody", Text: "it is so", Least: 1,
			Of: results.Side{Variant: "weak"}, To: results.Side{Variant: "strong"}}}
		b.losing("weak", 8, lost, six(2e5)...)
		b.cell("strong", 8, six(1e5)...)
		v := b.finding(t).Verdict
		if c := v.Claims[0]; c.Status != status || !strings.HasSuffix(c.Sentence, want) {
			t.Errorf("%g lost: claim %q", lost, c.Sentence)
		}
		want = results.Number(lost).Share() + " of weak) the appends/s of strong."
		if text := strings.Join(v.Trades, "\n"); !strings.Contains(text, "(lost operations: "+want) {
			t.Errorf("details lack %q:\n%s", want, text)
		}
	}
}
