package stats

import (
	"math"
	"slices"
)

// Median returns the middle value of xs, or the mean of the two middle ones, and
// leaves xs as it was. It is NaN without values or with a NaN among them.
func Median(xs []float64) float64 {
	if len(xs) == 0 || hasNaN(xs) {
		return math.NaN()
	}
	sorted := slices.Clone(xs)
	slices.Sort(sorted)
	return medianSorted(sorted)
}

func medianSorted(sorted []float64) float64 {
	n := len(sorted)
	return between(sorted[(n-1)/2], sorted[n/2], 0.5)
}

// Quantile returns the q-quantile of values in ascending order. It interpolates
// by definition 8 of Hyndman and Fan, "Sample Quantiles in Statistical Packages"
// (The American Statistician 50, 1996): at position n·q + (q+1)/3, clamped to
// the first and last value. At q = 0.5 it is the median. It is NaN without
// values, with a NaN among them, or for a q that is not within 0..1.
func Quantile(sorted []float64, q float64) float64 {
	n := len(sorted)
	if n == 0 || hasNaN(sorted) || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	whole, fraction := math.Modf((float64(3*n+1)*q + 1) / 3)
	switch k := int(whole); {
	case k < 1:
		return sorted[0]
	case k >= n:
		return sorted[n-1]
	default:
		return between(sorted[k-1], sorted[k], fraction)
	}
}

// between returns the point at the given fraction of the way from a to b. It
// weighs both ends instead of adding to one, so that an infinite end gives no
// NaN and the largest values no overflow.
func between(a, b, fraction float64) float64 {
	if a == b || fraction == 0 {
		return a
	}
	return (1-fraction)*a + fraction*b
}

func hasNaN(xs []float64) bool { return slices.ContainsFunc(xs, math.IsNaN) }
