package scaling

import (
	"math"
	"testing"
)

// What others fitted to data that they published, by least squares of throughput
// itself, each level measured once.
var published = []struct {
	name    string
	n, x    []float64
	law     Law
	rounded Law // by half a unit of the last digit that they printed
	peak    float64
}{
	{
		// SPEC SDM91 on a SPARCcenter 2000, of Gunther 2007; usl for R 3.0, tests/summary and tests/peak-scalability.
		name: "specsdm91",
		n:    []float64{1, 18, 36, 72, 108, 144, 216},
		x:    []float64{64.9, 995.9, 1652.4, 1853.2, 1828.9, 1775.0, 1702.2},
		law:  Law{89.9952330, 0.0277285, 0.0001044}, rounded: Law{0.0002, 5e-8, 5e-8}, peak: 96.51956,
	},
	{
		// A ray tracer, of Gunther 2007; usl for R 3.0, its vignette.
		name: "raytracer",
		n:    []float64{1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64},
		x:    []float64{20, 78, 130, 170, 190, 200, 210, 230, 260, 280, 310},
		law:  Law{21.848843, 0.057771, 0}, rounded: Law{5e-4, 5e-6, 5e-8}, peak: math.Inf(1),
	},
	{
		// Its first six rows; usl for R 3.0, tests/confint.
		name: "raytracer to 20",
		n:    []float64{1, 4, 8, 12, 16, 20},
		x:    []float64{20, 78, 130, 170, 190, 200},
		law:  Law{20.85605, 0.02444, 0.00163}, rounded: Law{5e-5, 5e-6, 5e-6}, peak: math.Sqrt((1 - 0.02444) / 0.00163),
	},
	{
		// MySQL on a server of Cisco, of Schwartz, Practical Scalability Analysis with the Universal Scalability Law, 2015.
		name: "cisco",
		n:    []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32},
		x: []float64{955.16, 1878.91, 2688.01, 3548.68, 4315.54, 5130.43, 5931.37, 6531.08, 7219.8, 7867.61, 8278.71, 8646.7, 9047.84, 9426.55, 9645.37, 9897.24,
			10097.6, 10240.5, 10532.39, 10798.52, 11151.43, 11518.63, 11806, 12089.37, 12075.41, 12177.29, 12211.41, 12158.93, 12155.27, 12118.04, 12140.4, 12074.39},
		law: Law{995.6486, 0.02671591, 7.690945e-4}, rounded: Law{5e-4, 5e-8, 5e-9}, peak: 35.57,
	},
}

// throughputs are the deviations of throughput itself from the law, with the λ that
// fits a shape best.
func throughputs(n, x []float64) (deviations, func(shape) float64) {
	lambda := func(s shape) float64 {
		up, down := 0.0, 0.0
		for i := range n {
			up += x[i] * s.gain(n[i])
			down += s.gain(n[i]) * s.gain(n[i])
		}
		return up / down
	}
	return func(s shape) []float64 {
		l, all := lambda(s), make([]float64, len(n))
		for i := range n {
			all[i] = x[i] - l*s.gain(n[i])
		}
		return all
	}, lambda
}

func TestPublishedFits(t *testing.T) {
	for _, p := range published {
		d, lambda := throughputs(p.n, p.x)
		s := minimize(d, p.n[len(p.n)-1])
		got := Law{lambda(s), s.sigma, s.kappa}
		off := Law{math.Abs(got.Lambda - p.law.Lambda), math.Abs(got.Sigma - p.law.Sigma), math.Abs(got.Kappa - p.law.Kappa)}
		if off.Lambda > p.rounded.Lambda || off.Sigma > p.rounded.Sigma || off.Kappa > p.rounded.Kappa {
			t.Errorf("%s: %+v, they have %+v", p.name, got, p.law)
		}
		if peak := got.PeakN(); math.Abs(peak-p.peak) > 0.005*p.peak || math.IsInf(p.peak, 1) != math.IsInf(peak, 1) {
			t.Errorf("%s: peak at %v, they have %v", p.name, peak, p.peak)
		}
	}
}
