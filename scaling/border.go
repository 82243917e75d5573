package scaling

import (
	"math"

	"github.com/aclements/go-moremath/mathx"
	moremath "github.com/aclements/go-moremath/stats"
)

// rays is how many directions the border of a region is looked for in. An interval that is read
// off its points is a little short; TestFitCovers sees by how much.
const rays = 120

// border are the shapes around the best one behind which those are that are too far
// from it, and those that σ ≥ 0 and κ ≥ 0 cut off from them.
func border(far func(shape) bool, best shape, most float64) []shape {
	sigma, kappa := reach(far, best, most)
	var all []shape
	for i := range rays {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / rays)
		toward := shape{sigma * cos, kappa * sin}
		all = append(all, along(far, best, toward, room(best, toward)))
	}
	return all
}

// reach is how far the region goes along each axis, as the unit of a direction.
func reach(far func(shape) bool, best shape, most float64) (sigma, kappa float64) {
	s := along(far, best, shape{1 / most, 0}, math.Inf(1))
	k := along(far, best, shape{0, 1 / (most * most)}, math.Inf(1))
	return math.Max(s.sigma-best.sigma, 1e-12), math.Max(k.kappa-best.kappa, 1e-15)
}

// room is how many steps lead from a shape to where σ or κ is 0.
func room(from, toward shape) float64 {
	steps := math.Inf(1)
	if toward.sigma < 0 {
		steps = math.Min(steps, from.sigma/-toward.sigma)
	}
	if toward.kappa < 0 {
		steps = math.Min(steps, from.kappa/-toward.kappa)
	}
	return steps
}

// along is the last shape in a direction that is not far, at most room steps away.
func along(far func(shape) bool, from, toward shape, room float64) shape {
	at := func(steps float64) shape {
		s := shape{from.sigma + steps*toward.sigma, from.kappa + steps*toward.kappa}
		if steps == room { // not off it by a rounding
			s = shape{math.Max(s.sigma, 0), math.Max(s.kappa, 0)}
			if toward.sigma < 0 && from.sigma/-toward.sigma == room {
				s.sigma = 0
			}
			if toward.kappa < 0 && from.kappa/-toward.kappa == room {
				s.kappa = 0
			}
		}
		return s
	}
	near, beyond := 0.0, math.Min(1, room)
	for !far(at(beyond)) {
		if beyond == room || beyond > 1e12 {
			return at(beyond)
		}
		near, beyond = beyond, math.Min(2*beyond, room)
	}
	for range 50 {
		if middle := (near + beyond) / 2; far(at(middle)) {
			beyond = middle
		} else {
			near = middle
		}
	}
	return at(near)
}

// studentT is the quantile of Student's distribution that bounds a two-sided interval.
func studentT(freedom, confidence float64) float64 {
	return moremath.InvCDF(moremath.TDist{V: freedom})(0.5 + confidence/2)
}

// fQuantile is the ratio of variances that is exceeded by chance with a probability.
func fQuantile(tail, above, below float64) float64 {
	low, high := 0.0, 1e6
	for range 60 {
		if middle := (low + high) / 2; fTail(middle, above, below) > tail {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// fTail is the probability that a ratio of variances is at least so large by chance,
// with the degrees of freedom of each.
func fTail(ratio, above, below float64) float64 {
	switch {
	case math.IsNaN(ratio):
		return 1
	case math.IsInf(ratio, 1):
		return 0
	}
	return 1 - mathx.BetaInc(above*ratio/(above*ratio+below), above/2, below/2)
}
