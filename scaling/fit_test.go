package scaling

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/internal/racing"
)

// draw is a sweep of a law, with noise of so large a share for each trial and for
// each block.
func draw(random *rand.Rand, law Law, n []int, blocks int, trial, block float64) Sweep {
	s := Sweep{N: n}
	for range blocks {
		shift := block * random.NormFloat64()
		row := make([]float64, len(n))
		for j := range n {
			row[j] = law.Throughput(float64(n[j])) * math.Exp(shift+trial*random.NormFloat64())
		}
		s.X = append(s.X, row)
	}
	return s
}

// draws is how many sweeps a simulation draws; SYNCWRITE_DRAWS=long takes 4,000.
func draws() int {
	if os.Getenv("SYNCWRITE_DRAWS") == "long" {
		return 4000
	}
	return 400
}

type planted struct {
	law    Law
	n      []int
	blocks int
}

var laws = map[string]planted{
	"contention and coherency": {Law{1e6, 0.04, 0.001}, []int{1, 2, 4, 8, 16, 32, 64}, 6},
	"much coherency":           {Law{1000, 0.1, 0.02}, []int{1, 2, 4, 8, 16}, 6},
	"of the literature":        {Law{995.6, 0.0267, 7.69e-4}, []int{1, 2, 4, 8, 12, 16, 24, 32, 48}, 10},
	"Amdahl":                   {Law{5e4, 0.2, 0}, []int{1, 2, 4, 8, 16, 32}, 6},
	"a lock":                   {Law{5e4, 1.3, 0.01}, []int{1, 2, 4, 8, 16}, 6},
}

// What is planted comes back: on average within 2 %, in an interval of 95 % by that often, up to
// what so many draws can tell.
func TestFitCovers(t *testing.T) {
	racing.Simulation(t)
	for name, p := range laws {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			middle := float64(p.n[len(p.n)-1]) / 3
			peak := p.law.PeakN()
			covered := map[string]*coverage{}
			hold := func(what string, e Estimate, truth float64) {
				if covered[what] == nil {
					covered[what] = new(coverage)
				}
				covered[what].add(e, truth)
			}
			follows, sum := 0, Law{}
			for range draws() {
				f, err := FitUSL(draw(random, p.law, p.n, p.blocks, 0.05, 0.05), 0.95)
				if err != nil {
					t.Fatal(err)
				}
				hold("λ", f.LambdaIn, p.law.Lambda)
				hold("σ", f.SigmaIn, p.law.Sigma)
				hold("κ", f.KappaIn, p.law.Kappa)
				if f.Follows {
					follows++
					hold("X", f.At(middle), p.law.Throughput(middle))
				}
				if !math.IsNaN(f.PeakN.Value) {
					hold("peak", f.PeakN, peak)
					hold("X there", f.PeakX, p.law.Throughput(peak))
				}
				sum = Law{sum.Lambda + f.Lambda, sum.Sigma + f.Sigma, sum.Kappa + f.Kappa}
			}
			d := float64(draws())
			for what, c := range covered {
				t.Logf("%s: %v", what, c)
				if c.share() < 0.92 && c.of > 40 {
					t.Errorf("%s: %v", what, c)
				}
			}
			if math.IsInf(peak, 1) && covered["peak"] != nil && float64(covered["peak"].of) > 0.02*d {
				t.Errorf("a peak is named in %d of %.0f sweeps without one", covered["peak"].of, d)
			}
			if float64(follows) < 0.97*d {
				t.Errorf("%d of %.0f sweeps follow the law that they were drawn from", follows, d)
			}
			t.Logf("means: λ %.5g, σ %.4g, κ %.4g; planted %v", sum.Lambda/d, sum.Sigma/d, sum.Kappa/d, p.law)
			for _, c := range [][2]float64{{sum.Lambda / d, p.law.Lambda}, {sum.Sigma / d, p.law.Sigma}, {sum.Kappa / d, p.law.Kappa}} {
				if c[1] > 0 && math.Abs(c[0]/c[1]-1) > 0.02 {
					t.Errorf("mean %v, planted %v", c[0], c[1])
				}
			}
		})
	}
}

// A coverage is how often an interval held the truth.
type coverage struct{ held, of int }

func (c *coverage) add(e Estimate, truth float64) {
	c.of++
	if e.Low <= truth && truth <= e.High {
		c.held++
	}
}

func (c *coverage) share() float64 { return float64(c.held) / float64(c.of) }

func (c *coverage) String() string {
	return fmt.Sprintf("%.1f %% of %d intervals hold it", 100*c.share(), c.of)
}

func TestFitOfWhatIsNone(t *testing.T) {
	four := []int{1, 2, 4, 8}
	for want, s := range map[string]Sweep{
		"3 levels of N are too few to tell a law: it takes 4":        {N: four[:3], X: [][]float64{{1, 2, 3}}},
		"levels of N are not ascending from 1 or more":               {N: []int{1, 2, 2, 4}, X: [][]float64{{1, 2, 2, 3}}},
		"no block has a trial at every N":                            {N: four, X: [][]float64{{1, 2, 3}, {1, math.NaN(), 3, 4}}},
		"a trial at N = 2 has no throughput: no law is told of that": {N: four, X: [][]float64{{1, 0, 3, 4}}},
	} {
		if _, err := FitUSL(s, 0.95); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := FitUSL(Sweep{N: four, X: [][]float64{{1, 2, 3, 4}}}, 1); err == nil {
		t.Error("a confidence of 1 is none")
	}
}

// A law that fits to the last digit leaves nothing to doubt, nor to divide by.
func TestFitOfExactLaws(t *testing.T) {
	for _, law := range []Law{{100, 0.1, 0.01}, {100, 0.1, 0}, {100, 0, 0}, {100, 0, 0.01}, {100, 1.2, 0}} {
		s := Sweep{N: []int{1, 2, 4, 8, 16}}
		for range 6 {
			var row []float64
			for _, n := range s.N {
				row = append(row, law.Throughput(float64(n)))
			}
			s.X = append(s.X, row)
		}
		f, err := FitUSL(s, 0.95)
		if err != nil || !f.Follows || math.Abs(f.Sigma-law.Sigma) > 1e-4 || math.Abs(f.Kappa-law.Kappa) > 1e-5 || math.IsNaN(f.At(16).High) {
			t.Errorf("%v: %+v, %v", law, f, err)
		}
	}
}

// Levels that no shape of the law has are refused, and nothing is told of them.
func TestFitRefuses(t *testing.T) {
	s := Sweep{N: []int{1, 2, 4, 8, 16}}
	for i := range 6 {
		wiggle := 1 + 0.01*float64(i%3-1)
		s.X = append(s.X, []float64{1000, 2000 * wiggle, 2010, 2000 / wiggle, 2005})
	}
	f, err := FitUSL(s, 0.95)
	if err != nil || f.Follows || !math.IsNaN(f.At(4).Value) || !math.IsNaN(f.PeakN.Value) || f.Worst.Ratio > 0.9 && f.Worst.Ratio < 1.1 {
		t.Errorf("%+v, %v", f, err)
	}
}

// What stays level has a peak by the law where trials vary much, but none that it is seen to fall from.
func TestLevelsThatStayHaveNoFall(t *testing.T) {
	racing.Simulation(t)
	random := rand.New(rand.NewPCG(1, 2))
	n := []int{1, 2, 4, 8, 16}
	told, falls := 0, 0
	const times = 400
	for range times {
		s := Sweep{N: n}
		for range 6 {
			row := make([]float64, len(n))
			for j := range n {
				row[j] = 1e6 * math.Min(float64(n[j]), 8) * math.Exp(0.2*random.NormFloat64())
			}
			s.X = append(s.X, row)
		}
		f, err := FitUSL(s, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if !math.IsNaN(f.PeakN.Value) {
			told++
		}
		if f.Falls {
			falls++
		}
	}
	t.Logf("of %d, %d have a peak by the law, %d a fall", times, told, falls)
	if told < times/4 || falls > times*4/100 {
		t.Errorf("of %d, %d have a peak by the law, %d a fall", times, told, falls)
	}
}

// Of noisy trials whose peak is among the levels nobody says that there is none.
func TestNoPeakIsNotSaidOfNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	law := Law{Lambda: 1e5, Sigma: 0.3, Kappa: 0.7 / 36} // N = 6 is its peak
	for range 200 {
		f, err := FitUSL(draw(random, law, []int{1, 2, 4, 8, 16}, 6, 0.4, 0), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(f.NoPeak, "no peak up to") {
			t.Fatalf("%s, of contention %+v, coherency %+v", f.NoPeak, f.SigmaIn, f.KappaIn)
		}
	}
}

// Where the truth lies on the law's edge, what follows beyond the levels is as wide as it says, and
// who falls from a peak that lies within them is seen to.
func TestBeyondTheLevels(t *testing.T) {
	racing.Simulation(t)
	for name, p := range map[string]struct {
		law   Law
		falls bool
	}{"linear": {Law{1e6, 0, 0}, false}, "nearly": {Law{1e6, 0.01, 0}, false}, "much coherency": {Law{1e3, 0.1, 0.02}, true}} {
		random := rand.New(rand.NewPCG(1, 2))
		held, falls := coverage{}, 0
		for range draws() {
			f, err := FitUSL(draw(random, p.law, []int{1, 2, 4, 8, 16}, 6, 0.1, 0.05), 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if f.Follows {
				held.add(f.At(32), p.law.Throughput(32))
			}
			if f.Falls {
				falls++
			}
		}
		t.Logf("%s: %v, %d fall", name, &held, falls)
		if held.share() < 0.93 || p.falls != (falls > draws()*9/10) || !p.falls && falls > draws()*4/100 {
			t.Errorf("%s: %v, %d fall", name, &held, falls)
		}
	}
}

// Beyond the levels nothing is said by a law that they are certainly off, however little.
func TestCertainlyOffTheLaw(t *testing.T) {
	s, law := Sweep{N: []int{1, 2, 4, 8, 16}}, Law{1e3, 0.05, 0.001}
	for i := range 6 {
		var row []float64
		for _, n := range s.N {
			x := law.Throughput(float64(n)) * (1 + 1e-4*float64(i%3-1)*float64(n%3))
			if n == 4 {
				x *= 1.03
			}
			row = append(row, x)
		}
		s.X = append(s.X, row)
	}
	f, err := FitUSL(s, 0.95)
	if err != nil || !f.Follows || math.IsNaN(f.At(16).Value) || !math.IsNaN(f.At(17).Value) {
		t.Errorf("%+v, %v", f, err)
	}
}

// One goroutine alone does most by the law wherever more of them do hardly less; a fall is seen only of
// what falls.
func TestFallFromOneGoroutine(t *testing.T) {
	for law, want := range map[Law]bool{{1e6, 1.5, 0.1}: true, {1e6, 1.06, 0}: false} {
		random := rand.New(rand.NewPCG(1, 2))
		told, falls := 0, 0
		const times = 300
		for range times {
			f, err := FitUSL(draw(random, law, []int{1, 2, 4, 8, 16}, 6, 0.05, 0.05), 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if f.PeakN.High == 1 {
				told++
				if f.Falls {
					falls++
				}
			}
		}
		t.Logf("%v: in %d of %d one goroutine does most, %d fall", law, told, times, falls)
		if told < 20 || want && falls < told || !want && falls > told*9/10 {
			t.Errorf("%v: in %d of %d one goroutine does most, %d fall", law, told, times, falls)
		}
	}
}
