package stats

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// An Interval is a median with the bounds between which the true median is
// believed to lie, all in the unit of the measurements. A bound that the
// measurements cannot carry is infinite; where there is nothing to estimate,
// all three are NaN.
type Interval struct {
	Median, Low, High float64
}

// Covers reports whether Low ≤ x ≤ High. Nothing covers NaN, and an interval of
// NaN covers nothing.
func (iv Interval) Covers(x float64) bool { return iv.Low <= x && x <= iv.High }

// HalfWidth returns the larger distance of a bound to the median, as a fraction
// of the median's size: 0.05 is the doubt of "±5 %".
//
// It is 0 when both bounds equal a finite median, also at 0; otherwise +Inf when
// a bound is infinite or the median is 0, and NaN when the median is infinite or
// any part is NaN.
func (iv Interval) HalfWidth() float64 {
	far := math.Max(iv.High-iv.Median, iv.Median-iv.Low)
	if far == 0 {
		return 0
	}
	return far / math.Abs(iv.Median)
}

// MedianInterval returns the median of xs and its order-statistic interval at
// the given confidence (0.95 for 95 %). It leaves xs as it was.
//
// Up to six values, and above 30, the interval is benchstat's: the order statistics whose
// binomial coverage first reaches the confidence, above 30 by the normal approximation of that binomial
// (golang.org/x/perf/benchmath.AssumeNothing and, behind it, QuantileCI of
// github.com/aclements/go-moremath/stats). Six at 0.95 have that of their lowest and highest, which covers 96.9 %.
//
// From seven values on those steps cost power: eight would have their lowest and highest, too, which
// cover 99.2 %. There the bounds lie between two neighbouring order statistics, so that the
// coverage is the confidence (Hettmansperger and Sheather 1986, "Confidence intervals based on
// interpolated order statistics"), nearly: a test draws samples of five distributions. Across a gap
// of more than half of the range of all values nothing is interpolated: in between, values of two kinds
// have their median, and none of them.
//
// With too few values for the confidence (fewer than 6 for 0.95) both bounds are
// infinite, where benchstat leaves one finite at n = 5: half an interval is
// easily read as a whole one. Without values, with a NaN among them, or with a
// confidence that is not within 0..1, all is NaN.
func MedianInterval(xs []float64, confidence float64) Interval {
	if len(xs) == 0 || hasNaN(xs) || !(confidence >= 0 && confidence <= 1) {
		return Interval{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	thresholds := benchmath.DefaultThresholds
	sample := benchmath.NewSample(slices.Clone(xs), &thresholds)
	s := benchmath.AssumeNothing.Summary(sample, confidence)
	sorted := sample.Values
	iv := Interval{Median: medianSorted(sorted), Low: s.Lo, High: s.Hi}
	if s.Lo < sorted[0] || s.Hi > sorted[len(sorted)-1] {
		iv.Low, iv.High = math.Inf(-1), math.Inf(1)
	} else if n := len(sorted); n >= leastBetween && n <= mostBetween {
		iv.Low, iv.High = betweenOrders(sorted, confidence)
	}
	return iv
}

// Samples of so many have bounds between order statistics.
const leastBetween, mostBetween = 7, 30

// betweenOrders are the bounds of Hettmansperger and Sheather: from the depth whose coverage is
// the last to reach the confidence a part of the way to the next.
func betweenOrders(sorted []float64, confidence float64) (low, high float64) {
	n := len(sorted)
	below := math.Exp2(-float64(n)) // P(B < depth) of the binomial B of n and 1/2
	next, choose := below, 1.0
	for depth := 1; ; depth++ {
		choose *= float64(n-depth+1) / float64(depth)
		next = below + choose*math.Exp2(-float64(n))
		covers, less := 1-2*below, 1-2*next
		if less >= confidence && 2*(depth+1) <= n {
			below = next
			continue
		}
		way := (covers - confidence) / (covers - less)
		d := float64(depth)
		part := min(max((float64(n)-d)*way/(d+(float64(n)-2*d)*way), 0), 1)
		gap := (sorted[n-1] - sorted[0]) / 2
		inward := func(from, to float64) float64 {
			if math.Abs(to-from) > gap {
				return from
			}
			return between(from, to, part)
		}
		return inward(sorted[depth-1], sorted[min(depth, n-1)]), inward(sorted[n-depth], sorted[max(n-depth-1, 0)])
	}
}
