package stats

import (
	"cmp"
	"math"
	"slices"

	moremath "github.com/aclements/go-moremath/stats"
)

// SignedRankRatio estimates by what factor x[i] exceeds y[i], in pairs that were measured side by
// side: the median of the geometric means of any two of the quotients x[i] ÷ y[i], with the interval that
// Wilcoxon's signed-rank test gives when it is turned around (Hodges and Lehmann 1963; Hollander, Wolfe and
// Chicken, Nonparametric Statistical Methods, 3rd ed., section 3.3). What both of a pair share cancels
// out. It is what [RatioInterval] is for two independent samples, and believes that the logarithms of
// quotients lie alike to both sides of their middle.
//
// Pairs too few for the confidence give infinite bounds; none, slices of different lengths, values that are not
// above 0 and finite, or a confidence outside 0..1 give NaN.
func SignedRankRatio(x, y []float64, confidence float64) Interval {
	if !pairable(x, y) || !(confidence >= 0 && confidence <= 1) {
		return Interval{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	logs := quotientLogs(x, y)
	var walsh []float64
	for i, a := range logs {
		for _, b := range logs[i:] {
			walsh = append(walsh, (a+b)/2)
		}
	}
	slices.Sort(walsh)
	iv := Interval{Median: math.Exp(medianSorted(walsh)), Low: math.Inf(-1), High: math.Inf(1)}
	if k := signedRank(len(logs), 1-confidence); k > 0 {
		iv.Low, iv.High = math.Exp(walsh[k-1]), math.Exp(walsh[len(walsh)-k])
	}
	return iv
}

// MostPairedConfidence is the highest confidence at which n pairs have a [SignedRankRatio] with
// bounds: that of all pairs on one side.
func MostPairedConfidence(n int) float64 {
	return max(0, 1-2*(1+1e-9)*math.Pow(0.5, float64(n)))
}

// SignedRank is the two-sided p of Wilcoxon's signed-rank test (1945) that x and y, which were measured
// in pairs, differ by no factor: exact, of ties and of pairs without a difference, too (which are ranked and then left
// out: Pratt 1959). It is NaN where [SignedRankRatio] is.
func SignedRank(x, y []float64) float64 {
	if !pairable(x, y) {
		return math.NaN()
	}
	logs := quotientLogs(x, y)
	slices.SortFunc(logs, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	var ranks []int // doubled, since those of ties are halves
	sum, below := 0, 0
	for i := 0; i < len(logs); {
		j := i
		for j < len(logs) && math.Abs(logs[j]) == math.Abs(logs[i]) {
			j++
		}
		for _, d := range logs[i:j] {
			rank := i + 1 + j
			if d == 0 {
				continue
			}
			ranks, sum = append(ranks, rank), sum+rank
			if d < 0 {
				below += rank
			}
		}
		i = j
	}
	tail, least := 0.0, min(below, sum-below)
	for s, share := range signSums(ranks) {
		if s <= least {
			tail += share
		}
	}
	return min(1, 2*tail)
}

// PairedT is [SignedRankRatio] by Student's t test of the logarithms: their mean, with bounds at any confidence
// below 1, if they are normal. It is NaN of fewer than two pairs, too.
func PairedT(x, y []float64, confidence float64) Interval {
	if !pairable(x, y) || len(x) < 2 || !(confidence >= 0 && confidence < 1) {
		return Interval{Median: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	logs := quotientLogs(x, y)
	n, mean, off := float64(len(logs)), Mean(logs), 0.0
	if v := Variance(logs); v > 0 {
		off = math.Sqrt(v/n) * moremath.InvCDF(moremath.TDist{V: n - 1})(0.5+confidence/2)
	}
	return Interval{Median: math.Exp(mean), Low: math.Exp(mean - off), High: math.Exp(mean + off)}
}

func pairable(x, y []float64) bool {
	return len(x) > 0 && len(x) == len(y) && allPositive(x) && allPositive(y)
}

func quotientLogs(x, y []float64) (logs []float64) {
	for i := range x {
		logs = append(logs, math.Log(x[i]/y[i]))
	}
	return logs
}

// signedRank is the largest k with P(T ≤ k-1) ≤ alpha/2, T being the sum of the ranks of one sign of n
// differences; 0 if there is none.
func signedRank(n int, alpha float64) (k int) {
	ranks := make([]int, n)
	for i := range ranks {
		ranks[i] = i + 1
	}
	sum := 0.0
	for t, share := range signSums(ranks) {
		if sum += share; sum > alpha/2 {
			return k
		}
		k = t + 1
	}
	return k
}

// signSums is the share of all choices of signs that have each sum of the ranks of one sign.
func signSums(ranks []int) []float64 {
	shares := []float64{1}
	for _, rank := range ranks {
		next := make([]float64, len(shares)+rank)
		for s, share := range shares {
			next[s] += share / 2
			next[s+rank] += share / 2
		}
		shares = next
	}
	return shares
}
