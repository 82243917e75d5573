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
// golang.org/x/perf/benchmath: exact up to 50 values a sample, the normal approximation above; and of our own where there are ties in
// up to 25 values a sample, exact as well (that of benchmath is not the same there for y and x as for x and y).
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
	if max(len(x), len(y)) <= mostTied && tied(x, y) {
		return rankSum(x, y), nil
	}
	thresholds := benchmath.DefaultThresholds
	c := benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(x), &thresholds),
		benchmath.NewSample(slices.Clone(y), &thresholds))
	// Twice a tail of a skewed distribution, as ties make one, can pass 1.
	return min(c.P, 1), nil
}

// mostTied is how many values a sample may have of which an exact p is counted where there are ties.
const mostTied = 25

// tied reports whether any two of the values are equal.
func tied(x, y []float64) bool {
	all := slices.Concat(x, y)
	slices.Sort(all)
	return len(slices.Compact(all)) < len(x)+len(y)
}

// rankSum is twice the smaller tail of the sum of x's ranks, over all ways to choose so many of the values, of which those
// that are equal share their mean rank (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed.,
// section 4.1).
func rankSum(x, y []float64) float64 {
	ranks, sum := doubledRanks(slices.Concat(x, y)), 0
	for _, rank := range ranks[:len(x)] {
		sum += rank
	}
	below, above, all := 0.0, 0.0, 0.0
	for s, ways := range tiedSums(ranks, len(x)) {
		all += ways
		if s <= sum {
			below += ways
		}
		if s >= sum {
			above += ways
		}
	}
	return min(1, 2*min(below, above)/all)
}

// doubledRanks are the values' ranks, doubled, since those of ties are halves.
func doubledRanks(values []float64) (ranks []int) {
	for _, v := range values {
		rank := 1
		for _, other := range values {
			switch {
			case other < v:
				rank += 2
			case other == v:
				rank++
			}
		}
		ranks = append(ranks, rank)
	}
	return ranks
}

// tiedSums is in how many ways n of the ranks make each sum.
func tiedSums(ranks []int, n int) []float64 {
	most := 0
	for _, rank := range ranks {
		most += rank
	}
	ways := make([][]float64, n+1) // by how many were chosen
	for i := range ways {
		ways[i] = make([]float64, most+1)
	}
	ways[0][0] = 1
	for _, rank := range ranks {
		for chosen := n; chosen > 0; chosen-- {
			for s := most; s >= rank; s-- {
				ways[chosen][s] += ways[chosen-1][s-rank]
			}
		}
	}
	return ways[n]
}
