package scaling

import "math"

// A shape is the law without its rate.
type shape struct{ sigma, kappa float64 }

func (s shape) law() Law { return Law{1, s.sigma, s.kappa} }

// gain is how many times as much as one N goroutines get done.
func (s shape) gain(n float64) float64 { return s.law().Throughput(n) }

// deviations are what is left of each level when a shape is taken off; not one
// where the shape is none for these levels.
type deviations func(shape) []float64

func (d deviations) squares(s shape) float64 {
	sum := 0.0
	for _, r := range d(s) {
		sum += r * r
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// minimize finds the shape of least squares with σ and κ not below 0. Where the
// least lies beyond that border, it is the lower of those on its two edges.
// most is the largest N: by it both are brought to one size.
func minimize(d deviations, most float64) shape {
	best := shape{}
	for _, free := range [][2]bool{{true, true}, {true, false}, {false, true}} {
		s := descend(d, free, most)
		if s.sigma < 0 || s.kappa < 0 || d.squares(s) >= d.squares(best) {
			continue
		}
		best = s
		if free[0] && free[1] {
			break
		}
	}
	return best
}

// descend is the method of Levenberg and Marquardt (Marquardt 1963), with the
// derivatives taken by differences, from a shape of little contention. What is
// not free stays 0.
func descend(d deviations, free [2]bool, most float64) shape {
	at := shape{}
	if free[0] {
		at.sigma = 0.1 / most
	}
	if free[1] {
		at.kappa = 0.1 / (most * most)
	}
	least, damping := d.squares(at), 1e-3
	for range 500 {
		step, ok := newton(d, at, free, most, damping)
		if !ok {
			break
		}
		next := shape{at.sigma + step.sigma, at.kappa + step.kappa}
		squares := d.squares(next)
		if !(squares < least) {
			if damping *= 4; damping > 1e12 {
				break
			}
			continue
		}
		done := least-squares <= 1e-14*least && math.Abs(step.sigma) <= 1e-10*math.Abs(next.sigma) && math.Abs(step.kappa) <= 1e-10*math.Abs(next.kappa)
		at, least, damping = next, squares, math.Max(damping/3, 1e-12)
		if done {
			break
		}
	}
	return at
}

// newton is the damped step towards the least squares.
func newton(d deviations, at shape, free [2]bool, most, damping float64) (shape, bool) {
	here, bySigma, byKappa := d(at), slope(d, at, shape{1e-6 / most, 0}), slope(d, at, shape{0, 1e-6 / (most * most)})
	var a, b, c, g, h float64 // of the equations a·x + b·y = -g, b·x + c·y = -h
	for i := range here {
		a += bySigma[i] * bySigma[i]
		b += bySigma[i] * byKappa[i]
		c += byKappa[i] * byKappa[i]
		g += bySigma[i] * here[i]
		h += byKappa[i] * here[i]
	}
	a, c = a*(1+damping), c*(1+damping)
	switch {
	case !free[1]:
		return shape{-g / a, 0}, a > 0
	case !free[0]:
		return shape{0, -h / c}, c > 0
	}
	det := a*c - b*b
	return shape{(b*h - c*g) / det, (b*g - a*h) / det}, det > 0
}

// slope is the change of each deviation along a small step.
func slope(d deviations, at, step shape) []float64 {
	up := d(shape{at.sigma + step.sigma, at.kappa + step.kappa})
	down := d(shape{at.sigma - step.sigma, at.kappa - step.kappa})
	for i := range up {
		up[i] = (up[i] - down[i]) / (2 * (step.sigma + step.kappa))
	}
	return up
}
