package analysis

import (
	"math"

	"github.com/syncwrite/syncwrite/results"
)

// percentile is a quantile of all that was due in a trial, at least and at most; missing
// where fewer than ten of all lie beyond it, answered or not. One that failed is longer than
// any bound: it has not answered. At most, none of what was not sent would ever have been
// answered. At least, each would have been as soon as it had waited: then it has its place in
// front of all that took longer.
func (t Threshold) percentile(trial results.Trial, q float64) (least, most results.Number) {
	left, floor := leftOver(trial), trial.Latency.FloorNS
	all := float64(trial.Ops + trial.Failed + left.n)
	rank := math.Ceil(q * all * (1 - 0x1p-51)) // 0.07 × 100 is a little more than 7
	least, most = atRank(trial, rank)
	switch {
	case all == 0 || !carries(trial, q, q*all):
		return results.Missing(), results.Missing()
	case least <= floor && t.bound <= float64(floor): // the clock cannot tell
		return results.Missing(), results.Missing()
	case most <= floor: // it is at most that
		least, most = floor, floor
	}
	if left.n == 0 {
		return least, most
	}
	front, _ := atRank(trial, rank-float64(left.n))
	if front <= floor {
		front = 0
	}
	return max(front, min(left.waited, least)), most
}

// atRank is between what the latency of a rank lies, of those that were answered alone:
// none is before all of them, and none behind them is ever over.
func atRank(trial results.Trial, rank float64) (low, high results.Number) {
	switch {
	case rank < 1:
		return 0, 0
	case rank > float64(trial.Ops):
		return results.Number(math.Inf(1)), results.Number(math.Inf(1))
	}
	l, h := trial.Latency.Hist.Around(rank / float64(trial.Ops))
	return results.Number(l), results.Number(h)
}

// carries reports whether ten operations lie beyond a rank: of those that were timed, and all
// that were not answered. Of operations that are sampled nothing beyond p99 is known: the
// rare slow one was probably not among the samples.
func carries(trial results.Trial, q, rank float64) bool {
	others := float64(trial.Failed + leftOver(trial).n)
	beyond := float64(trial.Ops) - rank
	if trial.Latency.Mode == results.Sampled {
		if q > mostSampled {
			return false
		}
		beyond *= float64(trial.Latency.Samples) / float64(trial.Ops)
	}
	return beyond+others >= 10-1e-6 // 100 × 0.9 is a little less than 90
}

// mostSampled is the highest quantile that is known of operations that are sampled.
const mostSampled = 0.99
