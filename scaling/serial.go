package scaling

import (
	"math"

	"github.com/syncwrite/syncwrite/stats"
)

// SerialRate returns the serial rate 1/w in operations a second, where wNs is
// the service time w: the mean nanoseconds of an operation at one goroutine. It
// is the theoretical throughput of the documents this project began with: what
// operations that exclude each other completely cannot exceed, however many
// goroutines wait. It is NaN unless wNs is above 0 and finite.
func SerialRate(wNs float64) float64 {
	if !(wNs > 0) || math.IsInf(wNs, 1) {
		return math.NaN()
	}
	return 1e9 / wNs
}

// PercentOfSerial returns X(N)/X(1)·100 and its order-statistic interval at the
// given confidence (0.95 for 95 %), where xN[i] and x1[i] are the throughputs at
// N and at one goroutine in block i, in any unit they share. 100 means that the
// goroutines together are as fast as one alone.
//
// The ratio is taken within each block because the two cells of a block are
// neighbours in time: what drifts from block to block (clock frequency, other
// work on the machine, a disk that fills) stands in both and cancels. In the
// simulations behind this project's design the paired interval kept 96 to 97 %
// coverage where dividing two intervals, or bootstrapping the cells
// independently, failed.
//
// Blocks with a NaN or with x1[i] = 0 are left out, and fewer than 6 blocks give
// infinite bounds at 0.95: see [stats.PairedRatio].
func PercentOfSerial(xN, x1 []float64, confidence float64) stats.Interval {
	iv := stats.PairedRatio(xN, x1, confidence)
	return stats.Interval{Median: 100 * iv.Median, Low: 100 * iv.Low, High: 100 * iv.High}
}
