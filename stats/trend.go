package stats

import "math"

// TrendP is the probability that values of one distribution, in any order, rise or fall from
// one to the next as far as these do: the exact two-sided test of Mann (1945) and Kendall, by
// how many pairs are in order. A pair of equal values counts as half a pair in order: where there
// are such pairs the test is no less cautious than an exact one that allows for them. It is NaN
// for fewer than two values, or with a NaN among them.
func TrendP(xs []float64) float64 {
	n := len(xs)
	if n < 2 || hasNaN(xs) {
		return math.NaN()
	}
	pairs, fallen := n*(n-1)/2, 0.0
	for i, x := range xs {
		for _, later := range xs[i+1:] {
			switch {
			case later < x:
				fallen++
			case later == x:
				fallen += 0.5
			}
		}
	}
	least := int(math.Floor(math.Min(fallen, float64(pairs)-fallen) + 0.5))
	tail := 0.0
	for k, share := range inversions(n) {
		if k <= least {
			tail += share
		}
	}
	return math.Min(1, 2*tail)
}

// inversions is the share of the orders of n values that have each number of pairs out of
// order (Knuth, The Art of Computer Programming, volume 3, section 5.1.1).
func inversions(n int) []float64 {
	shares := []float64{1}
	for i := 2; i <= n; i++ {
		next := make([]float64, len(shares)+i-1)
		for k, share := range shares {
			for j := range i {
				next[k+j] += share / float64(i)
			}
		}
		shares = next
	}
	return shares
}
