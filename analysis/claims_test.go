package analysis_test

import (
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/results"
)

// claimed is what becomes of a claim about fast ÷ slow at these rates.
func claimed(t *testing.T, least, most float64, fast, slow []float64) results.Tested {
	t.Helper()
	b := one("fast", "slow")
	b.run.Experiments[0].Claims = []results.Claim{{By: "somebody", Text: "it is so", Least: least, Most: most,
		Of: results.Side{Variant: "fast"}, To: results.Side{Variant: "slow"}}}
	b.cell("fast", 8, fast...)
	b.cell("slow", 8, slow...)
	all := b.finding(t).Verdict.Claims
	if len(all) != 1 {
		t.Fatalf("%d claims were held against the run, want 1", len(all))
	}
	return all[0]
}

func TestClaims(t *testing.T) {
	noisy := []float64{1e5, 3e5, 1e5, 3e5, 1e5, 3e5}
	for _, c := range []struct {
		name        string
		least, most float64
		fast, slow  []float64
		want        string
	}{
		{"faster, and it is", 1, 0, six(2e5), six(1e5), results.Confirmed},
		{"faster, and it is slower", 1, 0, six(1e5), six(2e5), results.Contradicted},
		{"faster, and it is the same", 1, 0, six(1e5), six(1e5), results.Untold},
		{"faster by 3 %, which code layout makes", 1, 0, six(1.03e5), six(1e5), results.Untold},
		{"slower by 3 %, which code layout makes", 1, 0, six(1e5), six(1.03e5), results.Untold},
		{"faster, with noise", 1, 0, noisy, six(2e5), results.Untold},
		{"slower, and it is", 0, 1, six(1e5), six(2e5), results.Confirmed},
		{"slower, and it is faster", 0, 1, six(2e5), six(1e5), results.Contradicted},
		{"within bounds", 27, 55, six(3e6), six(1e5), results.Confirmed},
		{"below bounds", 27, 55, six(1e6), six(1e5), results.Contradicted},
		{"above bounds", 27, 55, six(6e6), six(1e5), results.Contradicted},
		{"on a bound", 2, 3, noisy, six(1e5), results.Untold},
		{"at least, and it is more", 5, 0, six(6e5), six(1e5), results.Confirmed},
		{"at least, and it is less", 5, 0, six(4e5), six(1e5), results.Contradicted},
		{"too few trials", 1, 0, six(2e5)[:3], six(1e5)[:3], results.Untold},
	} {
		got := claimed(t, c.least, c.most, c.fast, c.slow)
		if got.Status != c.want || !strings.HasPrefix(got.Sentence, c.want+": somebody said: it is so. Here, at 8 goroutines, fast does ") {
			t.Errorf("%s: %s, %s", c.name, got.Status, got.Sentence)
		}
	}
}

// A claim whose side has a factor that no cell has is held against nothing.
func TestClaimOfAFactorThatThereIsNot(t *testing.T) {
	b := one("fast", "slow")
	b.run.Experiments[0].Claims = []results.Claim{{By: "somebody", Text: "it is so", Most: 1,
		Of: results.Side{Variant: "fast"}, To: results.Side{Variant: "slow", Factors: map[string]string{"x": "1"}}}}
	b.cell("fast", 8, six(2e5)...)
	b.cell("slow", 8, six(1e5)...)
	if all := b.finding(t).Verdict.Claims; len(all) > 0 {
		t.Errorf("%+v", all)
	}
}

// A claim is held against every cell that it speaks of, and no other; its
// sides may stand at different levels of a factor.
func TestClaimsFindTheirCells(t *testing.T) {
	b := one("a", "b")
	claim := func(of, to results.Side, n int) results.Claim {
		return results.Claim{By: "somebody", Text: "so", Least: 1, Of: of, To: to, Goroutines: n}
	}
	side := func(variant string, levels ...string) results.Side {
		s := results.Side{Variant: variant, Factors: map[string]string{}}
		for i := 0; i < len(levels); i += 2 {
			s.Factors[levels[i]] = levels[i+1]
		}
		return s
	}
	for _, n := range []int{1, 8} {
		for _, size := range []string{"1", "2"} {
			b.cellWith("a", n, map[string]string{"size": size, "procs": "all"}, six(4e5)...)
			b.cellWith("b", n, map[string]string{"size": size, "procs": "all"}, six(1e5)...)
		}
	}
	b.cellWith("a", 1, map[string]string{"size": "1", "procs": "1"}, six(8e5)...)
	b.run.Experiments[0].Claims = []results.Claim{
		claim(side("a"), side("b"), 0),
		claim(side("a", "size", "2"), side("b", "size", "2"), 1),
		claim(side("a", "procs", "1"), side("a", "procs", "all"), 1),
		claim(side("a"), side("absent"), 0),
		claim(side("a"), side("b"), 3),
	}
	var got []string
	for _, c := range b.finding(t).Verdict.Claims {
		got = append(got, strings.TrimPrefix(c.Sentence, "confirmed: somebody said: so. Here, "))
	}
	want := []string{
		"at 8 goroutines with procs=all/size=1, a does 4.00 (4.00–4.00) times the appends/s of b.",
		"at 8 goroutines with procs=all/size=2, a does 4.00 (4.00–4.00) times the appends/s of b.",
		"at 1 goroutine with procs=all/size=2, a does 4.00 (4.00–4.00) times the appends/s of b.",
		"at 1 goroutine with procs=1/size=1, a does 2.00 (2.00–2.00) times the appends/s of a with procs=all.",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("claims:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Where the two sides promise different things a claim says so.
func TestAClaimAcrossPromisesSaysSo(t *testing.T) {
	b := newBook(map[string]results.Promise{"a": fleeting, "b": durable}, "a", "b")
	b.run.Experiments[0].Claims = []results.Claim{{Least: 1, Of: results.Side{Variant: "a"}, To: results.Side{Variant: "b"}}}
	b.cell("a", 1, six(2e5)...)
	b.cell("b", 1, six(1e5)...)
	if got := b.finding(t).Verdict.Claims[0].Sentence; !strings.HasSuffix(got, "(unequal promises: a survives no crash, b a power cut).") {
		t.Error(got)
	}
}

func TestAClaimAcrossResultsSaysSo(t *testing.T) {
	b := newBook(map[string]results.Promise{"a": fleeting, "b": {Order: "none", Result: "lossy", Survives: "nothing"}}, "a", "b")
	b.run.Experiments[0].Claims = []results.Claim{{Least: 1, Of: results.Side{Variant: "a"}, To: results.Side{Variant: "b"}}}
	b.cell("a", 1, six(2e5)...)
	b.cell("b", 1, six(1e5)...)
	if got := b.finding(t).Verdict.Claims[0].Sentence; !strings.HasSuffix(got, "(unequal promises: a total, linearizable; b none, lossy).") {
		t.Error(got)
	}
}

// Without a level of its own a claim is held to the highest that both sides have.
func TestAClaimIsHeldWhereBothWereMeasured(t *testing.T) {
	b := one("a", "b")
	b.run.Experiments[0].Claims = []results.Claim{{Least: 1, Of: results.Side{Variant: "a"}, To: results.Side{Variant: "b"}}}
	b.cell("a", 1, six(2e5)...)
	b.cell("a", 16, six(2e5)...)
	b.cell("b", 1, six(1e5)...)
	if got := b.finding(t).Verdict.Claims; len(got) != 1 || got[0].Goroutines != 1 || got[0].Status != results.Confirmed ||
		len(got[0].Cells) != 2 || got[0].Cells[0].Name() != "log/a@1" || got[0].Cells[1].Name() != "log/b@1" {
		t.Errorf("%+v", got)
	}
}

// Equal promises are ranked and no trade, and a claim without a bound claims nothing.
func TestTradesAndClaimsThatSayNothing(t *testing.T) {
	b := one("a", "b")
	b.run.Experiments[0].Trades = []results.Trade{{Weaker: "a", Stronger: "b"}, {Weaker: "a", Stronger: "a"}}
	b.run.Experiments[0].Claims = []results.Claim{{Of: results.Side{Variant: "a"}, To: results.Side{Variant: "b"}}}
	b.cell("a", 1, six(2e5)...)
	b.cell("b", 1, six(1e5)...)
	v := b.finding(t).Verdict
	if text := strings.Join(v.Trades, "\n"); strings.Contains(text, "promises differ") {
		t.Error(text)
	}
	if len(v.Claims) != 1 || v.Claims[0].Status != results.Untold {
		t.Errorf("claims %+v", v.Claims)
	}
}

// What a weaker promise buys is told at every level, and ranked with nobody.
func TestTrades(t *testing.T) {
	b := newBook(map[string]results.Promise{"weak": fleeting, "strong": crash}, "weak", "strong")
	b.run.Experiments[0].Trades = []results.Trade{{Weaker: "weak", Stronger: "strong"}, {Weaker: "weak", Stronger: "absent"}}
	for size, rate := range map[string]float64{"16": 9e5, "1024": 2e5} {
		b.cellWith("weak", 1, map[string]string{"size": size}, six(rate)...)
		b.cellWith("weak", 8, map[string]string{"size": size}, six(rate)...)
		b.cellWith("strong", 1, map[string]string{"size": size}, six(1e5)...)
		b.cellWith("strong", 8, map[string]string{"size": size}, six(1e5)...)
	}
	v := b.finding(t).Verdict
	want := "Not ranked, since the promises differ: weak survives no crash, strong a process crash. What the weaker promise buys: at 1 goroutine " +
		"weak does 9.00 (9.00–9.00) times with size=16 and 2.00 (2.00–2.00) times with size=1024 the appends/s of strong."
	if text := strings.Join(v.Trades, "\n"); !strings.Contains(text, want) || strings.Count(text, "Not ranked, since") != 1 {
		t.Errorf("details lack %q:\n%s", want, text)
	}
	if strings.Contains(v.Sentence, "leads") {
		t.Errorf("unequal promises are ranked: %s", v.Sentence)
	}
}

// What a weaker order buys is told where most goroutines would wait for each other.
func TestTradesOfOrder(t *testing.T) {
	ordered := results.Promise{Order: "total", Result: "exactly-once", Survives: "nothing"}
	loose := ordered
	loose.Order = "per-caller"
	b := newBook(map[string]results.Promise{"rings": loose, "buffer": ordered}, "rings", "buffer")
	b.run.Experiments[0].Trades = []results.Trade{{Weaker: "rings", Stronger: "buffer"}}
	b.cell("rings", 1, six(1e5)...)
	b.cell("rings", 8, six(4e5)...)
	b.cell("buffer", 1, six(1e5)...)
	b.cell("buffer", 8, six(1e5)...)
	want := "Not ranked, since the promises differ: the order of rings is per-caller, that of buffer total. What the weaker promise buys: at 8 goroutines " +
		"rings does 4.00 (4.00–4.00) times the appends/s of buffer."
	if text := strings.Join(b.finding(t).Verdict.Trades, "\n"); !strings.Contains(text, want) {
		t.Errorf("details lack %q:\n%s", want, text)
	}
}

// A trial without a finished operation carries no ratio, in a trade or a claim either.
func TestTradesAndClaimsOfEmptyTrials(t *testing.T) {
	b := newBook(map[string]results.Promise{"weak": fleeting, "strong": crash}, "weak", "strong")
	b.run.Experiments[0].Trades = []results.Trade{{Weaker: "weak", Stronger: "strong"}}
	b.run.Experiments[0].Claims = []results.Claim{{By: "somebody", Text: "it is so", Least: 1,
		Of: results.Side{Variant: "weak"}, To: results.Side{Variant: "strong"}}}
	b.cell("weak", 8, append(six(2e5), 2e5, 2e5, 2e5, 2e5, 2e5, 0)...)
	b.cell("strong", 8, append(six(1e5), six(1e5)...)...)
	v := b.finding(t).Verdict
	want := "weak does 2.00 times (no interval: too few trials, some without an operation that had its effect, or users who asked once)"
	if text := strings.Join(v.Trades, "\n"); !strings.Contains(text, want) {
		t.Errorf("details lack %q:\n%s", want, text)
	}
	if c := v.Claims[0]; c.Status != results.Untold || !strings.Contains(c.Sentence, want) || c.Ratio.Bounded() {
		t.Errorf("claim %+v", c)
	}
}
