package stats

import (
	"math"
	"slices"
)

// RatioInterval estimates by what factor the values of x exceed those of y,
// two independent samples: the median of all quotients x[i] ÷ y[j], with the
// interval that the Mann–Whitney test gives when it is turned around. Its
// bounds are the quotients of rank k and of rank n·m+1-k, where k-1 is the
// largest U that the exact test still rejects at the confidence (Hodges and
// Lehmann 1963; Hollander, Wolfe and Chicken, Nonparametric Statistical
// Methods, 3rd ed., section 4.3). So it excludes 1 exactly where that test
// sees a difference, ties apart.
//
// Samples too small for the confidence give infinite bounds; empty ones,
// values that are not above 0 and not finite, or a confidence outside 0..1
// give NaN.
func RatioInterval(x, y []float64, confidence float64) Interval {
	if len(x) == 0 || len(y) == 0 || !allPositive(x) || !allPositive(y) || !(confidence >= 0 && confidence <= 1) {
		return Interval{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	quotients := make([]float64, 0, len(x)*len(y))
	for _, a := range x {
		for _, b := range y {
			quotients = append(quotients, a/b)
		}
	}
	slices.Sort(quotients)
	iv := Interval{Median: medianSorted(quotients), Low: math.Inf(-1), High: math.Inf(1)}
	if k := criticalRank(len(x), len(y), 1-confidence); k > 0 {
		iv.Low, iv.High = quotients[k-1], quotients[len(quotients)-k]
	}
	return iv
}

// MostConfidence is the highest confidence at which samples of n and m values have a
// [RatioInterval] with bounds: that of all values of one above all of the other.
func MostConfidence(n, m int) float64 {
	if n < 1 || m < 1 {
		return 0
	}
	orders := 1.0
	for i := range min(n, m) {
		orders *= float64(n+m-i) / float64(i+1)
	}
	return max(0, 1-2*(1+1e-9)/orders)
}

func allPositive(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return !(x > 0) || math.IsInf(x, 1) })
}

// mostExact is the largest sample whose U is counted out; that of larger ones is
// normal to the third digit.
const mostExact = 50

// criticalRank is the largest k with P(U ≤ k-1) ≤ alpha/2; 0 if there is none.
func criticalRank(n, m int, alpha float64) int {
	if max(n, m) > mostExact {
		return normalRank(float64(n), float64(m), alpha)
	}
	counts := rankSums(n, m)
	total := 0.0
	for _, c := range counts {
		total += c
	}
	k, sum := 0, 0.0
	for u := 0; u < len(counts)/2; u++ {
		if sum += counts[u]; sum/total > alpha/2 {
			break
		}
		k = u + 1
	}
	return k
}

// normalRank is criticalRank by the normal approximation of U, with a correction
// for continuity (Hollander, Wolfe and Chicken, section 4.1).
func normalRank(n, m, alpha float64) int {
	z := math.Sqrt2 * math.Erfinv(1-alpha)
	u := n*m/2 - z*math.Sqrt(n*m*(n+m+1)/12) - 0.5
	return max(int(math.Floor(u))+1, 0)
}

// rankSums counts, for every U from 0 to n·m, the orders of n and m values
// that give it (the recurrence of Mann and Whitney, 1947: the largest value
// is one of the n, and beats all m, or one of the m).
func rankSums(n, m int) []float64 {
	table := make([][]float64, m+1) // table[j][u] for i values against j
	for j := range table {
		table[j] = []float64{1}
	}
	for i := 1; i <= n; i++ {
		next := make([][]float64, m+1)
		next[0] = []float64{1}
		for j := 1; j <= m; j++ {
			sums := make([]float64, i*j+1)
			for u, c := range table[j] {
				sums[u+j] += c
			}
			for u, c := range next[j-1] {
				sums[u] += c
			}
			next[j] = sums
		}
		table = next
	}
	return table[m]
}
