package analysis

import (
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// wholeStretches are the stretches of a trial but the last one, in which the window ends:
// it may be shorter than the others, and has what was still under way.
func wholeStretches(t results.Trial) []results.Moment {
	return t.Moments[:max(len(t.Moments)-1, 0)]
}

// timeline is what went on second by second: medians over the trials, of as many
// stretches as all have.
func timeline(trials []results.Trial) []results.Tick {
	all := make([][]results.Moment, len(trials))
	n := -1
	for i, t := range trials {
		all[i] = wholeStretches(t)
		if n < 0 || len(all[i]) < n {
			n = len(all[i])
		}
	}
	var ticks []results.Tick
	for at := range n {
		of := func(get func(results.Trial, results.Moment) float64) results.Number {
			var xs []float64
			for i, t := range trials {
				xs = append(xs, get(t, all[i][at]))
			}
			return results.Number(stats.Median(xs))
		}
		ticks = append(ticks, results.Tick{
			AtNS:  all[0][at].AtNS,
			Users: of(func(_ results.Trial, m results.Moment) float64 { return float64(m.Users) }),
			OpsPerS: of(func(t results.Trial, m results.Moment) float64 {
				return float64(m.Ops) / float64(t.Moments[1].AtNS) * 1e9
			}),
			P50NS: of(func(_ results.Trial, m results.Moment) float64 { return float64(m.P50NS) }),
			P95NS: of(func(_ results.Trial, m results.Moment) float64 { return float64(m.P95NS) }),
		})
	}
	return ticks
}
