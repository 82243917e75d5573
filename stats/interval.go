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
// The interval is benchstat's: up to 30 values, the order statistics whose
// binomial coverage first reaches the confidence, the lower of two equal choices
// winning; above 30, the normal approximation of that binomial, which still
// reaches 0.9, 0.95 and 0.99 (a test adds it up as far as 200 values). The source
// is golang.org/x/perf/benchmath.AssumeNothing and, behind it, QuantileCI of
// github.com/aclements/go-moremath/stats.
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
	}
	return iv
}
