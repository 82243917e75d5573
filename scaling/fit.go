package scaling

import (
	"errors"
	"fmt"
	"math"

	"github.com/syncwrite/syncwrite/stats"
)

// A Sweep is throughput over goroutines.
type Sweep struct {
	N []int       // the levels, ascending, each once
	X [][]float64 // X[i][j] is the throughput in block i at N[j], in operations a second
}

// An Estimate lies between Low and High at the confidence that was asked for.
// What the data do not bound is infinite, what they do not tell at all is NaN.
type Estimate struct{ Value, Low, High float64 }

// A Fit is the law that fits a sweep best, and what is known of it.
type Fit struct {
	Law
	SigmaIn, KappaIn, LambdaIn Estimate

	// PeakN is where most is done, PeakX how much, in operations a second. Both are
	// NaN unless the sweep tells that there is a peak, and that it lies no farther
	// than twice the largest N; NoPeak then says why.
	PeakN, PeakX Estimate
	NoPeak       string
	// Falls reports that the last level is certainly lower than the one at the peak. If it is not, the
	// peak is the law's alone: trials that vary much follow it, too, where throughput stays level.
	Falls bool

	// Follows reports that the levels lie where the law says, as far as trials
	// scatter or within 5 %. Where they do not, no number of it means anything.
	Follows bool
	// Worst is the level farthest from the law, and what was measured there as a
	// part of what the law says.
	Worst Deviation

	// Law by which what was measured is told best for the numbers that it takes
	// (AICc, below): linear, Amdahl, USL, or empty where two are as good.
	Best string

	table        *table
	shape        shape
	region       []shape // the border of what the sweep does not exclude
	between      float64 // half-width of the interval of the mean of all, of logarithms
	certainlyOff bool    // the law, though by no more than is tolerated
}

// A Deviation is a level with what was measured there ÷ what a law says.
type Deviation struct {
	N     int
	Ratio float64
}

// Names of laws.
const (
	Linear = "linear"
	Amdahl = "Amdahl"
	USL    = "USL"
)

// LeastLevels of N are what three numbers and one degree of freedom take.
const LeastLevels = 4

const (
	tolerated = 0.05 // a deviation that is no matter, though it may be certain
	rejected  = 0.01 // the probability below which a lack of fit is no chance
	clearly   = 2    // by how much AICc has to differ (Burnham and Anderson 2002)
	farthest  = 2.0  // times the largest N: as far as anything is told
	// The probability below which levels are taken to scatter more in a direction than all do: where
	// a shape differs, and where levels are off the law, of which less power is to be lost.
	unlike    = 0.25
	unlikeOff = 0.1
)

// FitUSL fits the Universal Scalability Law to a sweep, by least squares of the
// logarithm of throughput: a trial is off by a share of what it should be, as much
// at 10 operations a second as at a million. Each block has a level of its own,
// so that a machine that slows down from block to block changes λ alone.
//
// σ and κ are not below 0. Their intervals, and those of what follows from them,
// are profiles: the least and most among all shapes whose sum of squares is not
// above the least one by more than s²t² (Seber and Wild, Nonlinear Regression,
// 1989, section 5.4), where s² is what trials scatter around the level that they
// have in common or, if that is larger, what levels scatter around the law. Where one
// level is noisier than others, s² is that of the direction in which a shape differs
// from the best one, with t of the blocks: from where chance makes trials scatter so
// much more there in one case of four. That of λ and of throughputs also has what the
// means of blocks scatter, which follow a noisier level, too.
//
// Whether the levels follow the law is the F test for lack of fit (Draper and
// Smith, Applied Regression Analysis, section 2.1) at 1 %, by what all trials scatter,
// and, where that is more in nine cases of ten, by what they do in the direction in which
// the levels are off it. Of one block it cannot be told, and Follows is true.
//
// Which law is best is told by AICc (Hurvich and Tsai 1989), where it differs by
// more than 2.
//
// An error says what the sweep lacks: levels, or throughput at one of them. Only
// blocks that have all levels count.
func FitUSL(sweep Sweep, confidence float64) (*Fit, error) {
	if !(confidence > 0 && confidence < 1) {
		return nil, fmt.Errorf("confidence %v is not between 0 and 1", confidence)
	}
	if len(sweep.N) < LeastLevels {
		return nil, fmt.Errorf("%d levels of N are too few to tell a law: it takes %d", len(sweep.N), LeastLevels)
	}
	for j, n := range sweep.N {
		if n < 1 || j > 0 && n <= sweep.N[j-1] {
			return nil, errors.New("levels of N are not ascending from 1 or more")
		}
	}
	t, err := tabulate(sweep)
	if err != nil {
		return nil, err
	}
	return t.fit(confidence), nil
}

func (t *table) fit(confidence float64) *Fit {
	d := deviations(t.deviations)
	most := t.n[len(t.n)-1]
	best := minimize(d, most)
	off := d.squares(best)
	f := &Fit{table: t, shape: best, Worst: t.worst(best)}
	variance, freedom := t.variance(off, f)
	chance, here := t.chance(variance, freedom, confidence), d(best)
	f.region = border(func(s shape) bool { return d.squares(s)-off > chance(difference(d(s), here)) }, best, most)
	f.between = t.between(variance, freedom, confidence)
	f.Law = Law{math.Exp(t.middle - t.center(best)), best.sigma, best.kappa}
	f.SigmaIn = f.over(func(s shape) float64 { return s.sigma })
	f.KappaIn = f.over(func(s shape) float64 { return s.kappa })
	f.LambdaIn = f.rate(func(shape) float64 { return 1 })
	f.Best = t.best(off)
	f.peak(func(direction []float64) float64 { return math.Sqrt(chance(direction) * 2 / t.blocks) })
	return f
}

// chance is up to what sum of squares levels are off in a direction by chance: by what all trials scatter, or
// what they do in that direction, if that is more.
func (t *table) chance(variance, freedom, confidence float64) func(direction []float64) float64 {
	all := studentT(freedom, confidence)
	if t.blocks < 2 {
		return func([]float64) float64 { return variance * all * all }
	}
	these, more := studentT(t.blocks-1, confidence), variance*fQuantile(unlike, t.blocks-1, freedom)
	return func(direction []float64) float64 {
		if along := t.along(direction); along > more {
			return along * these * these
		}
		return variance * all * all
	}
}

// variance is that of a trial, and its degrees of freedom. It decides whether the
// levels follow the law.
func (t *table) variance(off float64, f *Fit) (variance, freedom float64) {
	levels := float64(len(t.n))
	lacks, pure := levels-3, (levels-1)*(t.blocks-1)
	f.Follows = true
	if pure == 0 {
		return off / lacks, lacks
	}
	ratio := (off / lacks) / (t.scatter / pure)
	tail, along := fTail(ratio, lacks, pure), t.along(t.deviations(f.shape))
	if along > t.scatter/pure*fQuantile(unlikeOff, t.blocks-1, pure) {
		tail = math.Max(tail, fTail(off/lacks/along, lacks, t.blocks-1))
	}
	if tail > rejected || off == 0 {
		return (off + t.scatter) / (lacks + pure), lacks + pure
	}
	f.Follows, f.certainlyOff = math.Abs(f.Worst.Ratio-1) <= tolerated, true
	return off / lacks, lacks
}

// worst is the level that is farthest from a shape.
func (t *table) worst(s shape) Deviation {
	far, at := 0.0, 0
	for j, off := range t.deviations(s) {
		if off = off / math.Sqrt(t.blocks); math.Abs(off) > math.Abs(far) {
			far, at = off, j
		}
	}
	return Deviation{int(t.n[at]), math.Exp(far)}
}

// between is the half-width of the interval of the mean of all, of logarithms.
func (t *table) between(variance, freedom, confidence float64) float64 {
	if t.blocks < 2 {
		return studentT(freedom, confidence) * math.Sqrt(variance/float64(len(t.n)))
	}
	return studentT(t.blocks-1, confidence) * math.Sqrt(stats.Variance(t.means)/t.blocks)
}

// best names the law of the least AICc; empty where another is as good.
func (t *table) best(off float64) string {
	d := deviations(t.deviations)
	amdahl := descend(d, [2]bool{true, false}, t.n[len(t.n)-1])
	amdahl.sigma = math.Max(amdahl.sigma, 0)
	count := t.blocks * (float64(len(t.n)) - 1)
	aicc := map[string]float64{
		Linear: t.aicc(d.squares(shape{}), 1, count),
		Amdahl: t.aicc(d.squares(amdahl), 2, count),
		USL:    t.aicc(off, 3, count),
	}
	for name, least := range aicc {
		if clearest(aicc, name, least) {
			return name
		}
	}
	return ""
}

// clearest reports whether every other law's criterion is clearly above one's.
func clearest(aicc map[string]float64, name string, least float64) bool {
	for other, is := range aicc {
		if other != name && !(is-least > clearly) {
			return false
		}
	}
	return true
}

// aicc is that of a law of so many numbers, of so many trials beyond the blocks' own levels.
func (t *table) aicc(off float64, numbers, count float64) float64 {
	left := count - numbers - 1
	if left <= 0 {
		return math.Inf(1)
	}
	return count*math.Log((off+t.scatter)/count) + 2*numbers + 2*numbers*(numbers+1)/left
}

// peak is told only where the sweep tells it. By chance two levels differ so much, in logarithms.
func (f *Fit) peak(chance func(direction []float64) float64) {
	nan := Estimate{math.NaN(), math.NaN(), math.NaN()}
	f.PeakN, f.PeakX = nan, nan
	most := f.most()
	at := f.over(func(s shape) float64 { return s.law().PeakN() })
	switch {
	case !f.Follows:
		f.NoPeak = fmt.Sprintf("no peak is told: at N = %d the sweep is %.0f %% of the law", f.Worst.N, 100*f.Worst.Ratio)
	case at.High == 1: // N = 1 is the highest by any law that is not excluded
		f.PeakN, f.PeakX, f.Falls = at, f.LambdaIn, f.falls(1, chance)
	case at.Low > most && (f.Best == Linear || f.Best == Amdahl && f.SigmaIn.High < 1): // by no law that is not excluded
		f.NoPeak = fmt.Sprintf("no peak up to N = %.0f, the most measured", most)
	case at.Low > farthest*most:
		f.NoPeak = fmt.Sprintf("no peak up to N = %.0f, twice the most measured", farthest*most)
	case f.Best != USL || at.High > farthest*most:
		f.NoPeak = "the trials do not tell whether there is a peak"
	default:
		f.PeakN, f.Falls = at, f.falls(at.Value, chance)
		f.PeakX = f.rate(func(s shape) float64 { return s.law().Throughput(s.law().PeakN()) })
	}
}

// falls reports whether the last level is lower than the one nearest to N by more than chance makes it.
func (f *Fit) falls(n float64, chance func(direction []float64) float64) bool {
	by, direction := f.table.falls(n)
	return by > chance(direction)
}

// most is the largest N that was measured.
func (f *Fit) most() float64 { return f.table.n[len(f.table.n)-1] }

// At is the throughput of N goroutines by the law. It is NaN where the levels do not
// follow it, below one goroutine, and beyond twice the largest N: nobody knows what
// comes there. Beyond the largest N its interval is that of sweeps that go on by the law:
// where levels are off it by no more than is tolerated, but certainly, it is NaN there, too.
func (f *Fit) At(n float64) Estimate {
	if !f.Follows || !(n >= 1) || n > farthest*f.most() || f.certainlyOff && n > f.most() {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	return f.rate(func(s shape) float64 { return s.gain(n) })
}

// over is what follows from a shape, over all that are not excluded.
func (f *Fit) over(of func(shape) float64) Estimate {
	least, most := f.ends(of)
	return Estimate{of(f.shape), of(least), of(most)}
}

// ends are the shapes that are not excluded from which the least follows, and the most.
func (f *Fit) ends(of func(shape) float64) (least, most shape) {
	least, most = f.shape, f.shape
	for _, s := range f.region {
		if of(s) < of(least) {
			least = s
		}
		if of(s) > of(most) {
			most = s
		}
	}
	return least, most
}

// rate is a throughput of which the shape tells how many times λ it is. It has two
// sources of doubt: the means of blocks, and differences within them.
func (f *Fit) rate(times func(shape) float64) Estimate {
	of := func(s shape) float64 { return math.Log(times(s)) - f.table.center(s) }
	least, most := f.ends(of)
	middle := f.table.middle + of(f.shape)
	return Estimate{
		Value: math.Exp(middle),
		Low:   math.Exp(middle - f.off(least, of)),
		High:  math.Exp(middle + f.off(most, of)),
	}
}

// off is how far both sources together are off on the side of a shape. They cancel out as a rule, but
// not where the law's own edge ends what shapes there are: the true one is as likely there as nearer; nor
// as far as both follow one level that is noisier than others.
func (f *Fit) off(end shape, of func(shape) float64) float64 {
	within := of(end) - of(f.shape)
	alike := 1.0
	if end.sigma > 0 && end.kappa > 0 {
		toward := difference(f.table.deviations(f.shape), f.table.deviations(end)) // of what the law says
		alike = math.Max(0, f.table.withMeans(toward)*math.Copysign(1, within))
	}
	return math.Sqrt(within*within + f.between*f.between + 2*alike*math.Abs(within)*f.between)
}
