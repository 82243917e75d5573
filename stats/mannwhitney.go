package stats

import (
	"errors"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// MannWhitney returns the two-sided p-value of the Mann–Whitney U test: how
// likely samples as far apart as x and y are if both come from the same
// distribution. It leaves x and y as they were. The test is that of
// golang.org/x/perf/benchmath: exact up to 50 values a sample (25 with ties),
// the normal approximation above.
//
// A p of 1 is the answer for values that are all equal. The smallest p that n
// and m values can reach is 2/C(n+m, n): 3 against 3 never get below 0.1, so a
// large p from a few values is no evidence of equality. An empty sample or a NaN
// is an error, and p is NaN.
func MannWhitney(x, y []float64) (p float64, err error) {
	if len(x) == 0 || len(y) == 0 {
		return math.NaN(), errors.New("mann-whitney: empty sample")
	}
	if hasNaN(x) || hasNaN(y) {
		return math.NaN(), errors.New("mann-whitney: NaN in a sample")
	}
	thresholds := benchmath.DefaultThresholds
	c := benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(x), &thresholds),
		benchmath.NewSample(slices.Clone(y), &thresholds))
	// Twice a tail of a skewed distribution, as ties make one, can pass 1.
	return min(c.P, 1), nil
}
