package cause

import (
	"math"
	"runtime/metrics"
	"testing"
)

func TestParseStat(t *testing.T) {
	got := parseStat("cpu  10 1 5 1000 7 2 3 4 0 0\ncpu0 1 2 3\n")
	if got.busy != 21*tickNS || got.steal != 4*tickNS {
		t.Errorf("busy %v, steal %v; want 21 and 4 ticks", got.busy/tickNS, got.steal/tickNS)
	}
	for _, bad := range []string{"", "cpu 1 2", "cpu  a 1 1 1 1 1 1 1", "intr 1 2 3 4 5 6 7 8"} {
		if parseStat(bad).busy.Known() {
			t.Errorf("%q: a number from nothing", bad)
		}
	}
}

func TestHistogramSumUsesClosedEnds(t *testing.T) {
	h := &metrics.Float64Histogram{
		Counts:  []uint64{1, 2, 3},
		Buckets: []float64{math.Inf(-1), 1, 3, math.Inf(1)},
	}
	if sum, count := sumBuckets(h); sum != 1*1+2*2+3*3 || count != 6 {
		t.Errorf("sum %v of %v values, want 14 of 6", sum, count)
	}
}
