package analysis

import (
	"math"

	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// unlikeSamples is how many times as long, or as short, as all operations those that were timed
// take on average, from which a cell is doubted.
const unlikeSamples = 2

// beyondLaw holds the latencies of a cell's sampled operations to Little's law (1961), by which N
// goroutines that do X operations a second have N ÷ X for each: this mean is exact, but for what
// they wait before their first one, which is taken off. It says by how
// much those that were timed are unlike it, where the interval of the trials says so; empty where
// it does not, and where each operation was timed: these are all there are.
func beyondLaw(trials []results.Trial) string {
	var longer, shorter []float64 // than all operations: without, and with, what reading the clock may take
	for _, t := range trials {
		l := t.Latency
		all := float64(t.GoroutineNS-t.StartWaitNS) / float64(t.Ops)
		if isOpen(trials) || l.Mode != results.Sampled || l.Hist == nil || l.Hist.Count() == 0 || !(all > 0) || math.IsInf(all, 0) {
			return ""
		}
		timed := l.Hist.Mean()
		shorter = append(shorter, math.Log(timed/all))
		longer = append(longer, math.Log(max(timed-float64(l.FloorNS), all)/all))
	}
	if len(shorter) < minTrials {
		return ""
	}
	if i := stats.MedianInterval(longer, Confidence); i.Low > math.Log(unlikeSamples) {
		return "operations that were timed took over twice as long as all did on average (N ÷ X, Little's law): quantiles are of them, and whoever stops to read the clock may lose its turn"
	}
	if i := stats.MedianInterval(shorter, Confidence); i.High < -math.Log(unlikeSamples) {
		return "operations that were timed took less than half as long as all did on average (N ÷ X, Little's law): what takes most of the time is too rare to be among them, and quantiles are without it"
	}
	return ""
}
