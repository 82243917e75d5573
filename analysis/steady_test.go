package analysis_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
)

// grown is a trial of an operation that takes first nanoseconds and each more for every
// operation before it, as of a list that is looked through.
func grown(t results.Trial, ops int, first, each, noise float64) results.Trial {
	took := func(ops float64) int64 { return int64(noise * (first*ops + each*ops*ops/2)) }
	t.Ops, t.WallNS, t.HalfOps, t.HalfNS = ops, took(float64(ops)), ops/2, took(float64(ops/2))
	return t
}

// A rate that follows the number of operations is neither better nor worse for having
// had more of them; what is truly different still is, and what is steady stays as sharp
// as it was.
func TestRatesOfUnequalWork(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	run := func(ops int, first, each float64) *results.Run {
		r := runOf(spread(1e6)...)
		for i := range r.Trials {
			r.Trials[i] = grown(r.Trials[i], ops, first, each, 1+0.01*random.NormFloat64())
		}
		return r
	}
	for _, c := range []struct {
		name         string
		older, newer *results.Run
		want         string
	}{
		{"the same, more of it", run(14_500, 3000, 0.7), run(22_000, 3000, 0.7), results.CannotTell},
		{"the same, four times as much", run(5_000, 3000, 0.7), run(20_000, 3000, 0.7), results.CannotTell},
		{"the same, less of it", run(22_000, 3000, 0.7), run(14_500, 3000, 0.7), results.CannotTell},
		{"all of it is what grows", run(22_000, 0, 1), run(33_000, 0, 1), results.CannotTell},
		{"twice the work in half as many", run(76_000, 0, 1), run(40_000, 0, 2), results.CannotTell},
		{"twice the work in as many", run(40_000, 0, 1), run(40_000, 0, 2), results.Worse},
		{"a hundred times the work in half as many", run(40_000, 300, 1), run(20_000, 30_000, 100), results.Worse},
		{"steady, half as fast, half as many", run(40_000, 1000, 0), run(20_000, 2000, 0), results.Worse},
		{"it gets faster, more of it", run(20_000, 3000, -0.05), run(30_000, 3000, -0.05), results.CannotTell},
	} {
		change := analysis.Compare(c.older, c.newer).Changes[0]
		if change.Call != c.want {
			t.Errorf("%s: %s, %v to %v", c.name, change.Call, change.Ratio.Low, change.Ratio.High)
		}
		if strings.HasPrefix(c.name, "steady") && (change.Ratio.Low < 0.45 || change.Ratio.High > 0.55) {
			t.Errorf("%s: %v to %v", c.name, change.Ratio.Low, change.Ratio.High)
		}
	}
}

// One trial of six of which something else took the processor in the first half does not make an operation steady
// that takes longer the more were done.
func TestOneOddTrialMakesNothingSteady(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	run := func(ops, odd int) *results.Run {
		r := runOf(spread(1e6)...)
		for i := range r.Trials {
			r.Trials[i] = grown(r.Trials[i], ops, 0, 1000, 1+0.01*random.NormFloat64())
			if i == odd {
				r.Trials[i].HalfNS += r.Trials[i].WallNS * 6 / 10
				r.Trials[i].WallNS += r.Trials[i].WallNS * 6 / 10
			}
		}
		return r
	}
	for odd := range 6 {
		change := analysis.Compare(run(400, odd), run(750, 5-odd)).Changes[0]
		if change.Call != results.CannotTell {
			t.Errorf("trial %d is odd: %s, %v to %v", odd, change.Call, change.Ratio.Low, change.Ratio.High)
		}
	}
}

// Twins that were given other numbers of operations are not ranked, and the doubt says
// why their rates are not to be trusted.
func TestTwinsOfUnequalWorkAreNotRanked(t *testing.T) {
	b := one("a", "b")
	b.cell("a", 1, six(1e5)...)
	b.cell("b", 1, six(1e5)...)
	for i := range b.run.Trials {
		ops := map[string]int{"a": 14_500, "b": 22_000}[b.run.Trials[i].Variant]
		b.run.Trials[i] = grown(b.run.Trials[i], ops, 3000, 0.7, 1)
	}
	f := b.finding(t)
	if text := fmt.Sprint(f.Verdict); !strings.Contains(text, "cannot be told apart") {
		t.Error(text)
	}
	if !warned(f.Summaries[0], results.WarnUnsteady) {
		t.Errorf("%+v", f.Summaries[0].Warnings)
	}
}

// A ratio that is wider than its trials have it says so, and what they have; that of
// steady operations is as they have it.
func TestWidenedRatiosSaySo(t *testing.T) {
	for _, slows := range []bool{true, false} {
		b := one("a", "b")
		b.cell("a", 1, six(2e5)...)
		b.cell("b", 1, six(1e5)...)
		for i := range b.run.Trials {
			each := 0.0
			if slows {
				each = 0.3
			}
			if trial := &b.run.Trials[i]; trial.Variant == "a" {
				*trial = grown(*trial, 20_000, 3000, each, 1)
			} else {
				*trial = grown(*trial, 10_000, 12_000, 0, 1)
			}
		}
		v := b.finding(t).Verdict
		text, details := fmt.Sprint(v.Lines), strings.Join(v.Details, " ")
		if strings.Contains(text, ", widened") != slows {
			t.Errorf("slows %v: %s", slows, text)
		}
		if got := strings.Contains(details, "The trials themselves had a ÷ b "); got != slows {
			t.Errorf("slows %v: %q", slows, v.Details)
		}
		b.run.Experiments[0].Apart = true
		if told := b.finding(t).Verdict.Details; strings.Contains(strings.Join(told, " "), "The trials themselves") {
			t.Errorf("slows %v, nobody is ranked: %q", slows, told)
		}
	}
}

// costly is a run of trials whose k-th operation takes what cost says, and what comes
// behind all of them so long, in nanoseconds.
func costly(ops int, cost func(k int) float64, behind float64) *results.Run {
	random := rand.New(rand.NewPCG(5, 6))
	r := runOf(spread(1e6)...)
	for i := range r.Trials {
		t, noise := &r.Trials[i], 1+0.01*random.NormFloat64()
		sum := 0.0
		for k := range ops {
			if sum += noise * cost(k); k+1 == ops/2 {
				t.HalfNS = int64(sum)
			}
		}
		t.Ops, t.HalfOps, t.AcceptedNS, t.WallNS = ops, ops/2, int64(sum), int64(sum+behind)
	}
	return r
}

// What takes a jump, grows faster than in a line, or has a part behind its last
// operation, is neither better nor worse for more of it; what is steady and slower is.
func TestWorkThatIsNoLine(t *testing.T) {
	jump := func(k int) float64 {
		if k < 250 {
			return 1e6
		}
		return 10e6
	}
	square := func(k int) float64 { return float64(k) * float64(k) }
	even := func(int) float64 { return 1e6 }
	for _, c := range []struct {
		name         string
		older, newer *results.Run
		want         string
	}{
		{"a jump", costly(196, jump, 0), costly(343, jump, 0), results.CannotTell},
		{"a jump, turned round", costly(343, jump, 0), costly(196, jump, 0), results.CannotTell},
		{"squares", costly(10_000, square, 0), costly(15_000, square, 0), results.CannotTell},
		{"a jump, two hundred times as fast", costly(196, jump, 0), costly(343, func(k int) float64 { return jump(k) / 200 }, 0), results.Better},
		{"a flush behind", costly(196, even, 150e6), costly(343, even, 150e6), results.CannotTell},
		{"a flush behind, in half as many and half as fast", costly(400, even, 1e6), costly(200, func(int) float64 { return 2e6 }, 1e6), results.Worse},
	} {
		if change := analysis.Compare(c.older, c.newer).Changes[0]; change.Call != c.want {
			t.Errorf("%s: %s, %v to %v", c.name, change.Call, float64(change.Ratio.Low), float64(change.Ratio.High))
		}
	}
}

// More goroutines that do more operations in all are not slower for that.
func TestScalingOfUnequalWork(t *testing.T) {
	b := one("queue")
	for n, ops := range map[int]int{1: 2000, 4: 8000} {
		b.cell("queue", n, six(1e5)...)
		for i := range b.run.Trials {
			if trial := &b.run.Trials[i]; trial.Goroutines == n {
				*trial = grown(*trial, ops, 0, 100, 1)
			}
		}
	}
	if text := b.finding(t).Verdict.Scaling; !strings.Contains(text, "one cannot tell") {
		t.Error(text)
	}
}

// Only trials that make up the ratio say how unequal the work in it was.
func TestWorkOfOtherRunsIsNotAsked(t *testing.T) {
	b := one("a", "b")
	b.cell("a", 1, six(1e5)...)
	b.cell("b", 1, six(1e5)...)
	for i := range b.run.Trials {
		ops := map[string]int{"a": 10_000, "b": 20_000}[b.run.Trials[i].Variant]
		b.run.Trials[i] = grown(b.run.Trials[i], ops, 0, 1, 1)
	}
	b.run.Envs, b.run.Ends = append(b.run.Envs, b.run.Envs[0]), append(b.run.Ends, b.run.Ends[0])
	for block := range 10 { // another run has only a, of as many operations as b has here
		other := grown(trial("a", 1, block+1, 1e5), 20_000, 0, 1, 1)
		other.Env = 1
		b.run.Trials = append(b.run.Trials, other)
	}
	if text := fmt.Sprint(b.finding(t).Verdict); !strings.Contains(text, "cannot be told apart") {
		t.Error(text)
	}
}

// Steady operations whose halves scatter, each for itself, are seldom doubted for it.
func TestScatterIsNoSlowing(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	const draws = 400
	doubted := 0
	for range draws {
		b := one("a")
		b.cell("a", 1, six(1e5)...)
		for i := range b.run.Trials {
			trial := &b.run.Trials[i]
			first, second := math.Exp(0.2*random.NormFloat64()), math.Exp(0.2*random.NormFloat64())
			trial.HalfOps, trial.HalfNS = trial.Ops/2, int64(float64(trial.WallNS)/2*first)
			trial.WallNS = trial.HalfNS + int64(float64(trial.WallNS)/2*second)
		}
		if warned(b.finding(t).Summaries[0], results.WarnUnsteady) {
			doubted++
		}
	}
	if doubted > draws/50 {
		t.Errorf("%d of %d times", doubted, draws)
	}
}
