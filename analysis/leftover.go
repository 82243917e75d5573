package analysis

import "github.com/syncwrite/syncwrite/results"

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
