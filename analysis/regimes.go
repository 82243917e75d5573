package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// regimes says of trials that have one of two rates what these are; empty where they have one.
func regimes(trials []results.Trial) string {
	if isOpen(trials) || len(trials) < minTrials {
		return ""
	}
	r, two := stats.TwoRegimes(each(trials, results.Trial.OpsPerS))
	if !two {
		return ""
	}
	return fmt.Sprintf("two rates, and none between: near %s/s in %.0f %% of the trials, near %s/s in the others: the median is a rate of one of them, or of none",
		results.Number(r.Low).Rate(), 100*(1-r.Share), results.Number(r.High).Rate())
}

const (
	trendP    = 0.005 // six trials in a row that rise or fall have 2 in 720
	trendSize = 1.25  // from the first third of the trials to the last
)

// risesOrFalls says of trials whose rates rise or fall from one to the next from where to where;
// empty where they do not.
func risesOrFalls(trials []results.Trial) string {
	if isOpen(trials) || len(trials) < minTrials || warned(trials, results.WarnKept) > 0 {
		return ""
	}
	rates := each(inTurn(trials), results.Trial.OpsPerS)
	third := len(rates) / 3
	from, to := stats.Median(rates[:third]), stats.Median(rates[len(rates)-third:])
	if !(stats.TrendP(rates) <= trendP) || math.Abs(math.Log(to/from)) < math.Log(trendSize) {
		return ""
	}
	how := "rises"
	if to < from {
		how = "falls"
	}
	return fmt.Sprintf("throughput %s from trial to trial, from %s/s to %s/s: nothing is steady here, and other trials would have other figures", how, results.Number(from).Rate(), results.Number(to).Rate())
}

// inTurn are trials in the order in which they were measured.
func inTurn(trials []results.Trial) []results.Trial {
	ordered := slices.Clone(trials)
	slices.SortStableFunc(ordered, func(a, b results.Trial) int { return cmp.Or(a.Env-b.Env, a.Block-b.Block, a.Position-b.Position) })
	return ordered
}
