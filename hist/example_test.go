package hist_test

import (
	"fmt"

	"github.com/syncwrite/syncwrite/hist"
)

// Each goroutine records into a histogram of its own; merging them loses
// nothing.
func Example() {
	var fast, slow, all hist.Histogram
	fast.RecordN(120, 98)
	slow.Record(4_000)
	slow.Record(90_000)

	all.Merge(&fast)
	all.Merge(&slow)

	fmt.Println("count", all.Count(), "mean", all.Mean(), "ns")
	fmt.Println("p50", all.Quantile(0.50), "p99", all.Quantile(0.99), "max", all.Max())
	for b := range all.Buckets() {
		fmt.Printf("%d to %d ns: %d\n", b.Low, b.High, b.Count)
	}
	// Output:
	// count 100 mean 1057.6 ns
	// p50 120 p99 4007.5 max 90000
	// 120 to 120 ns: 98
	// 4000 to 4015 ns: 1
	// 89600 to 90111 ns: 1
}
