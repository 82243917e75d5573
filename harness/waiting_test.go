//go:build !race

// Under the race detector the operation here takes a microsecond.

package harness_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// A short operation is not timed each time because hundreds of goroutines wait for
// each other: that would take longer than the operation.
func TestWaitingIsNoReasonToTimeEach(t *testing.T) {
	config := quick(t)
	config.Goroutines = []int{500}
	var n atomic.Int64
	yield := func() error {
		if n.Add(1)%16 == 0 {
			runtime.Gosched()
		}
		return nil
	}
	run, err := harness.Run(t.Context(), config, experiment(harness.Func("yield", promise, yield)))
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range run.Trials {
		if trial.Latency.Mode != results.Sampled {
			t.Errorf("block %d: %s", trial.Block, trial.Latency.Mode)
		}
	}
}
