package stats_test

import (
	"fmt"
	"math"

	"github.com/syncwrite/syncwrite/stats"
)

// Six trials are the fewest that carry an interval at 95 %.
func ExampleMedianInterval() {
	opsPerS := []float64{1_010, 985, 1_040, 990, 1_000, 930}

	six := stats.MedianInterval(opsPerS, 0.95)
	fmt.Printf("%v from %v to %v, ±%.1f %%\n", six.Median, six.Low, six.High, 100*six.HalfWidth())

	five := stats.MedianInterval(opsPerS[:5], 0.95)
	fmt.Printf("%v from %v to %v\n", five.Median, five.Low, five.High)
	// Output:
	// 995 from 930 to 1040, ±6.5 %
	// 1000 from -Inf to +Inf
}

// The machine slowed down from pair to pair; the ratio did not.
func ExamplePairedRatio() {
	before := []float64{100, 95, 90, 80, 70, 60}
	after := []float64{150, 142.5, 135, 120, 105, 90}
	fmt.Println(stats.PairedRatio(after, before, 0.95))
	// Output: {1.5 1.5 1.5}
}

func ExampleAlikeNeighbours() {
	// The rates of two cells, block by block: both rise, though not by much.
	rows := [][]float64{{101, 100, 102, 103, 104, 105}, {50, 51, 51.5, 51.2, 52, 53}}
	found := stats.AlikeNeighbours(rows)
	fmt.Printf("neighbours differ by %.0f %% of what any two do, p = %.2f %%\n", 100*found.Share, 100*found.P)
	// Output: neighbours differ by 51 % of what any two do, p = 0.28 %
}

func ExampleSignedRankRatio() {
	// A machine that was slow now and then, and two programs that were measured side by side.
	older := []float64{100, 80, 101, 60, 99, 100, 70, 98}
	newer := []float64{90, 72, 92, 54, 88, 91, 63, 88}
	iv := stats.SignedRankRatio(newer, older, 0.95)
	fmt.Printf("%.2f (%.2f–%.2f), p = %.3f\n", iv.Median, iv.Low, iv.High, stats.SignedRank(newer, older))
	// Output: 0.90 (0.89–0.91), p = 0.008
}

// How many pairs whose ratios are off by 8 % tell a drop of 5 % from none in 19 comparisons of 20.
func ExampleErrorThatDecides() {
	of := stats.ErrorThatDecides(0.05, 0.95, math.Inf(1))
	fmt.Printf("a standard error of %.2f %%: %.0f pairs\n", 100*of, (0.08/of)*(0.08/of))
	// Output: a standard error of 1.42 %: 32 pairs
}
