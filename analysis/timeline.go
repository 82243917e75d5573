package analysis

import (
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// wholeStretches are the stretches of a trial that lie in its window, but for a last one
// of which half or more is missing.
func wholeStretches(t results.Trial) []results.Moment {
	if len(t.Moments) < 2 {
		return nil
	}
	stretch := t.Moments[1].AtNS - t.Moments[0].AtNS
	n := 0
	for _, m := range t.Moments {
		if m.AtNS+stretch/2 <= t.WallNS {
			n++
		}
	}
	return t.Moments[:n]
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
			AtNS:    all[0][at].AtNS,
			Users:   of(func(_ results.Trial, m results.Moment) float64 { return float64(m.Users) }),
			OpsPerS: of(func(t results.Trial, m results.Moment) float64 { return float64(m.Ops) / lasts(t, m) }),
			P50NS:   of(func(_ results.Trial, m results.Moment) float64 { return float64(m.P50NS) }),
			P95NS:   of(func(_ results.Trial, m results.Moment) float64 { return float64(m.P95NS) }),
		})
	}
	return ticks
}

// lasts is how much of a stretch lies in the window, in seconds.
func lasts(t results.Trial, m results.Moment) float64 {
	return float64(min(t.Moments[1].AtNS-t.Moments[0].AtNS, t.WallNS-m.AtNS)) / 1e9
}
