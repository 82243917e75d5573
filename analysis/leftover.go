package analysis

import (
	"math"

	"github.com/syncwrite/syncwrite/results"
)

// A leftover is what was due in a trial of the open loop and never sent.
type leftover struct {
	n      int
	waited results.Number // ns, each of them at least
}

// leftOver is that of a trial. What was not sent still waited when the last one was begun,
// and was due when the last one was due or before.
func leftOver(trial results.Trial) leftover {
	if trial.Open == nil {
		return leftover{}
	}
	return leftover{trial.Open.Unsent, results.Number(max(trial.Open.BegunNS-trial.Open.LastNS, 0))}
}

// quantileWith is a quantile of all that was due. At most, none of what was not sent would
// ever have been answered. At least, each would have been as soon as it had waited: then
// it has its place in front of all that took longer.
func (t Threshold) quantileWith(left leftover, trial results.Trial, q float64) (least, most results.Number) {
	n := float64(left.n)
	rank := q * (float64(trial.Ops+trial.Failed) + n)
	if rank > n {
		least = t.at(trial, rank-n)
	}
	most = t.at(trial, rank)
	unknown := func(n results.Number) bool { return math.IsNaN(float64(n)) } // it can be infinite
	switch {
	case unknown(most) && least > 0:
		return least, results.Number(math.Inf(1))
	case unknown(most):
		return most, most
	case unknown(least):
		return min(left.waited, most), most
	}
	return max(least, min(left.waited, most)), most
}

// mean is the mean of all that was due, at least.
func (left leftover) mean(trial results.Trial) results.Number {
	sum := left.waited * results.Number(left.n)
	if trial.Ops > 0 {
		sum += trial.Latency.MeanNS * results.Number(trial.Ops)
	}
	return sum / results.Number(trial.Ops+left.n)
}

// unsentText says how many were never sent, if any were.
func unsentText(trials []results.Trial) string {
	n := 0
	for _, trial := range trials {
		n += leftOver(trial).n
	}
	if n == 0 {
		return ""
	}
	return results.Count(n, "operation") + " that were due were never sent"
}
