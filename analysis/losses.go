package analysis

import (
	"fmt"
	"slices"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// Rates of which different shares were lost are not of the same work: one that
// throws most of it away may well be the higher.

// keptPerS is the rate of the operations that had their effect: all of them where
// nobody counted any without.
func keptPerS(t results.Trial) float64 {
	if t.Lost == nil {
		return t.OpsPerS()
	}
	return float64(t.Ops-*t.Lost) / float64(t.RateNS()) * 1e9
}

// spanning is the interval of a ratio of rates, made as wide as that of the rates of
// kept operations has it: what holds of all of it holds of both. Where nothing was lost
// they are one.
func spanning(ratio, kept stats.Interval) stats.Interval {
	return stats.Interval{Median: ratio.Median, Low: min(ratio.Low, kept.Low), High: max(ratio.High, kept.High)}
}

// keptNothing reports that a trial finished no operation, or lost all that it did.
func keptNothing(t results.Trial) bool { return t.Ops == 0 || t.Lost != nil && *t.Lost >= t.Ops }

// didNothing says what is so of trials that kept nothing.
func didNothing(trials []results.Trial) string {
	if slices.ContainsFunc(trials, func(t results.Trial) bool { return t.Ops > 0 && keptNothing(t) }) {
		return "kept no operation"
	}
	return "finished no operation"
}

// losesUnlike reports that two cells did not lose alike: one lost operations and the
// other none, or one lost more of them, as the test of Mann and Whitney sees it, or of all its
// trials together: of few trials the test does not see what befell some. A cell
// that counted no losses lost none as far as anybody knows. What failed is lost, too.
func losesUnlike(a, b []results.Trial) bool {
	x, y := goneShares(a), goneShares(b)
	if some := lostSome(x); some != lostSome(y) {
		return true
	} else if !some {
		return false
	}
	less, more := goneOfAll(a), goneOfAll(b)
	if less > more {
		less, more = more, less
	}
	p, err := stats.MannWhitney(x, y)
	return err == nil && p < 1-Confidence || more-less > max(failing, more/4)
}

// goneOfAll is the share of what was asked of all trials together that was lost, or failed.
func goneOfAll(trials []results.Trial) float64 {
	gone, asked := 0.0, 0.0
	for i, share := range goneShares(trials) {
		all := float64(trials[i].Ops + trials[i].Failed)
		gone, asked = gone+share*all, asked+all
	}
	return gone / max(1, asked)
}

// failing is the share of what was asked from which on a rate is no longer that of the
// whole.
const failing = 0.01

// fails reports that a part of what was asked of all trials failed: of the few requests of
// one trial a single one may be that much.
func fails(trials []results.Trial) bool {
	failed, all := 0, 0
	for _, t := range trials {
		failed, all = failed+t.Failed, all+t.Ops+t.Failed
	}
	return failed > 0 && float64(failed) >= failing*float64(all)
}

// goneShares are what each trial lost of its operations, and what failed of all it was
// asked; next to nothing of all is none.
func goneShares(trials []results.Trial) []float64 {
	failing := fails(trials)
	return each(trials, func(t results.Trial) (share float64) {
		if failing && t.Failed > 0 {
			share = float64(t.Failed) / float64(t.Ops+t.Failed)
		}
		if t.Lost != nil && t.Ops > 0 {
			share += t.LostShare()
		}
		return share
	})
}

// gone names what the shares are of.
func gone(a, b []results.Trial) string {
	if fails(a) || fails(b) {
		return "failed operations"
	}
	return "lost operations"
}

// losesMore reports that the first of two cells lost more.
func losesMore(a, b []results.Trial) bool {
	return losesUnlike(a, b) && goneOfAll(a) > goneOfAll(b)
}

func lostSome(shares []float64) bool {
	return slices.ContainsFunc(shares, func(share float64) bool { return share > 0 })
}

// lostText says what the trials lost: the least and the most of them, or that nobody
// counted it.
func lostText(trials []results.Trial) string {
	shares := goneShares(trials)
	if len(lostShares(trials)) == 0 && !fails(trials) {
		return "none counted"
	}
	low, high := results.Number(slices.Min(shares)), results.Number(slices.Max(shares))
	if low.Share() == high.Share() {
		return low.Share()
	}
	return fmt.Sprintf("%s to %s", low.Share(), high.Share())
}
