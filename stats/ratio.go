package stats

import "math"

// PairedRatio returns the median of num[i]/den[i] and its order-statistic
// interval as [MedianInterval] gives it. What num[i] and den[i] share, such as a
// machine that was slow while both were measured, cancels out; dividing two
// medians would keep it.
//
// A denominator of 0 makes an infinite ratio, which counts: leaving it out would
// favour whatever was 0. Left out are pairs with a NaN, of two zeros or two
// infinities, and what the longer slice has beyond the shorter. All is NaN when no
// pair is left.
func PairedRatio(num, den []float64, confidence float64) Interval {
	n := min(len(num), len(den))
	ratios := make([]float64, 0, n)
	for i := range n {
		ratio := num[i] / den[i]
		if !math.IsNaN(ratio) {
			ratios = append(ratios, ratio)
		}
	}
	return MedianInterval(ratios, confidence)
}

// Geomean returns the geometric mean of xs, exp(mean(ln x)), or NaN without
// values or when one is not above 0.
func Geomean(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range xs {
		if !(x > 0) {
			return math.NaN()
		}
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(xs)))
}
