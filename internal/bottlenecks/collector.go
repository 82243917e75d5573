package main

import (
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func collector() []bottleneck {
	any := []string{results.TimeRunning, results.TimeRunnable, results.TimeCollector}
	return []bottleneck{
		{"garbage", "each makes 64 KiB of it an operation", 4, any, 0, "", openGarbage(0)},
		{"garbage beside a large heap", "beside a million live objects", 4, any, 0, "", openGarbage(1 << 20)},
	}
}

type object struct {
	next *object
	rest [2]int
}

func openGarbage(live int) func(harness.Setup) (harness.Instance, error) {
	return func(s harness.Setup) (harness.Instance, error) {
		var heap *object
		for range live {
			heap = &object{next: heap}
		}
		kept := make([]*object, s.Goroutines)
		return instance(func(g int) {
			var first *object
			for range 2_000 {
				first = &object{next: first}
			}
			kept[g] = first
			if heap != nil && heap.rest[0] > 0 { // it lives as long as this
				kept[g] = heap
			}
		}, nil), nil
	}
}
