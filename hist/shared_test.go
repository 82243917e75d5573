package hist

import (
	"sync"
	"testing"
)

// What many goroutines count at once is what one histogram counts: bucket by bucket.
func TestSharedCountsAsOneDoes(t *testing.T) {
	shared, one := new(Shared), new(Histogram)
	var group sync.WaitGroup
	for g := range int64(4) {
		for i := range int64(1000) {
			one.Record(i*i*g - 5)
		}
		group.Go(func() {
			for i := range int64(1000) {
				shared.Record(i*i*g - 5)
			}
		})
	}
	group.Wait()
	got := new(Histogram)
	shared.AddTo(got)
	if got.counts != one.counts || got.Count() != one.Count() {
		t.Errorf("%d latencies, not %d, or in other buckets", got.Count(), one.Count())
	}
}
