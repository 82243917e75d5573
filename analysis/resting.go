package analysis

import (
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/stats"
)

// restingRate is why nothing is told of two runs whose users rest most of the time.
const restingRate = "users rested for most of the time: the rate is that of their rests, and tells little of what the operation takes; hold that to a threshold"

// restingShare is the part of users' time from which on their rate tells less of the
// operation than of the rests: an operation that takes twice as long costs less than half of it.
const restingShare = 0.5

// resting reports that users were answered for less than half of the time.
func resting(trials []results.Trial) bool {
	busy := each(trials, func(t results.Trial) float64 {
		if t.PausedNS == 0 && len(t.Processes) == 0 || !t.Latency.MeanNS.Known() || t.Ops == 0 {
			return 1
		}
		answering := float64(t.Ops)*float64(t.Latency.MeanNS) + float64(t.FailedNS)
		return answering / (float64(t.Goroutines) * float64(t.RateNS()))
	})
	return len(busy) > 0 && stats.Median(busy) < restingShare
}
