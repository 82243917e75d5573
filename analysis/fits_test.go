package analysis_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/analysis"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/scaling"
)

// sweep adds six blocks of a law to a book, each level off by up to a part of it.
func (b *book) sweep(variant string, law scaling.Law, off float64, levels ...int) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, n := range levels {
		var rates []float64
		for range 6 {
			rates = append(rates, law.Throughput(float64(n))*(1+off*(2*random.Float64()-1)))
		}
		b.cell(variant, n, rates...)
	}
}

func fitOf(t *testing.T, b *book) results.Fit {
	t.Helper()
	f := b.finding(t)
	if len(f.Fits) != 1 {
		t.Fatalf("%d fits", len(f.Fits))
	}
	return f.Fits[0]
}

func TestFits(t *testing.T) {
	seven := []int{1, 2, 4, 8, 16, 32, 64}
	for _, c := range []struct {
		name   string
		make   func(*book)
		told   bool
		begins string
		holds  string
		ends   string
	}{
		{name: "coherency", make: func(b *book) { b.sweep("a", scaling.Law{Lambda: 1e6, Sigma: 0.04, Kappa: 0.001}, 0.02, seven...) },
			told: true, begins: "contention 4.", holds: ": the peak is near N = 31 (30–32), with 9.8"},
		{name: "Amdahl", make: func(b *book) { b.sweep("a", scaling.Law{Lambda: 1e6, Sigma: 0.2}, 0.02, seven...) },
			told: true, begins: "contention 20 %", holds: ", coherency at most 0.0"},
		{name: "linear", make: func(b *book) { b.sweep("a", scaling.Law{Lambda: 1e6}, 0.02, seven...) },
			told: true, begins: "contention at most 0.", holds: ": no peak up to N = "},
		{name: "less by two than by one", make: func(b *book) { b.sweep("a", scaling.Law{Lambda: 1e6, Sigma: 1.5, Kappa: 0.1}, 0.02, seven...) },
			told: true, begins: "contention 15", holds: ": one goroutine alone does most"},
		{name: "a step", make: func(b *book) {
			for i, n := range seven {
				b.cell("a", n, six(float64(min(i+1, 2))*1e6)...)
			}
		}, begins: "no law of contention and coherency describes it: at N = "},
		{name: "level from eight on, in noise", make: func(b *book) {
			random := rand.New(rand.NewPCG(1, 1))
			for _, n := range []int{1, 2, 4, 8, 16} {
				rates := six(float64(min(n, 8)) * 1e6)
				for i := range rates {
					rates[i] *= math.Exp(0.2 * random.NormFloat64())
				}
				b.cell("a", n, rates...)
			}
		}, told: true, begins: "contention ", holds: ": by the law the peak is near N = 1", ends: ", but no fall is seen up to N = 16"},
		{name: "few levels", make: func(b *book) { b.sweep("a", scaling.Law{Lambda: 1e6}, 0.02, 1, 2, 4) }, begins: "3 levels of N are too few to tell a law: it takes 4"},
		{name: "two trials", make: func(b *book) {
			for _, n := range seven {
				b.cell("a", n, 1e6, 1.1e6)
			}
		}, begins: "too few blocks have a trial at every N"},
		{name: "nothing done", make: func(b *book) {
			b.sweep("a", scaling.Law{Lambda: 1e6}, 0.02, 1, 2, 4)
			b.cell("a", 8, make([]float64, 6)...)
		}, begins: "log/a@8: "},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			b := one("a")
			c.make(b)
			fit := fitOf(t, b)
			if fit.Told != c.told || !strings.HasPrefix(fit.Text, c.begins) || !strings.Contains(fit.Text, c.holds) || !strings.HasSuffix(fit.Text, c.ends) {
				t.Errorf("told %v: %q", fit.Told, fit.Text)
			}
		})
	}
}

func TestNoFitOfOneLevel(t *testing.T) {
	b := one("a")
	b.cell("a", 1, six(1e6)...)
	if f := b.finding(t); len(f.Fits) != 0 {
		t.Errorf("%+v", f.Fits)
	}
}

// On four processors eight goroutines that do twice what one does are half of what they
// could.
func TestEfficiency(t *testing.T) {
	b := one("a")
	b.run.Envs[0].Machine.Cores, b.run.Envs[0].Machine.GOMAXPROCS = 4, 4
	for n, rate := range map[int]float64{1: 1e6, 8: 2e6} {
		b.cell("a", n, six(rate)...)
	}
	if fit := fitOf(t, b); math.Abs(float64(fit.Efficiency.Median)-50) > 1 || fit.Most != 8 {
		t.Errorf("%+v", fit)
	}
	for quota, whole := range map[results.Number]float64{2: 2, 0.5: 1, 8: 4} { // of a control group
		b.run.Envs[0].Machine.CPUQuota = quota
		if fit := fitOf(t, b); math.Abs(float64(fit.Efficiency.Median)-200/whole) > 2 {
			t.Errorf("with a quota of %v processors: %+v", quota, fit)
		}
	}
}

// Of machines, or programs, that each scale in their own way nothing is told together; what is of one of them
// is, whatever else stands in the report.
func TestMixturesDoNotScale(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*results.Env)
		also   func(trial int) bool // of another environment
		said   string
	}{
		"GOMAXPROCS": {func(e *results.Env) { e.Machine.GOMAXPROCS = 2 }, odd, "different machines"},
		"quota":      {func(e *results.Env) { e.Machine.CPUQuota = 1 }, odd, "different machines"},
		"commit":     {func(e *results.Env) { e.Machine.Commit = "other" }, odd, "different commits"},
		"window":     {func(e *results.Env) { e.Settings.WindowNS *= 2 }, odd, ""},
		"elsewhere":  {func(e *results.Env) { e.Machine.GOMAXPROCS = 2 }, func(int) bool { return false }, ""},
	} {
		b := one("a")
		b.run.Envs[0].Machine.Cores, b.run.Envs[0].Machine.GOMAXPROCS, b.run.Envs[0].Machine.Commit = 4, 4, "one"
		for n, rate := range map[int]float64{1: 1e6, 8: 2e6} {
			b.cell("a", n, six(rate)...)
		}
		other := b.run.Envs[0]
		c.change(&other)
		b.run.Envs = append(b.run.Envs, other)
		for i := range b.run.Trials {
			if c.also(i) {
				b.run.Trials[i].Env = 1
			}
		}
		r := analysis.Analyze(&b.run)
		if fit := r.Findings[0].Fits[0]; fit.Efficiency.Median.Known() != (c.said == "") || c.said != "" && !strings.Contains(fit.Text, c.said) {
			t.Errorf("another %s: %+v", name, fit)
		}
		gates, err := analysis.GateSpeedup(r, analysis.Speedup{Cell: "log/a@8", Times: 0.5})
		if err != nil || len(gates) != 1 || (gates[0].Status == results.GateUnseen) != (c.said != "") || !strings.Contains(gates[0].Text, c.said) {
			t.Errorf("another %s: %+v, %v", name, gates, err)
		}
	}
}

func odd(n int) bool { return n%2 == 1 }

func TestCrossovers(t *testing.T) {
	b := one("a", "b")
	for n, rates := range map[int][2]float64{1: {2e6, 1e6}, 2: {1.5e6, 1.2e6}, 4: {1.3e6, 1.29e6}, 8: {1e6, 1.5e6}, 16: {1e6, 2e6}} {
		b.cell("a", n, six(rates[0])...)
		b.cell("b", n, six(rates[1])...)
	}
	if got := fmt.Sprint(b.finding(t).Crossovers); got != "[{map[] b a 2 8}]" {
		t.Error(got)
	}
}
