package results_test

import (
	"testing"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// Percentiles of several generators are those of all their requests: of one that had
// them all, and not the mean of what each of them says.
func TestKindsOfSeveralGenerators(t *testing.T) {
	whole := new(hist.Histogram)
	var parts []results.Trial
	for generator := range 4 {
		h := new(hist.Histogram)
		for i := range 1000 * (generator + 1) { // unlike: the last one is the busiest and the slowest
			ns := int64(1e6 * (generator*generator + 1) * (i%100 + 1))
			h.Record(ns)
			whole.Record(ns)
		}
		parts = append(parts, results.Trial{Kinds: []results.Kind{{Name: "GET /", Ops: int(h.Count()), Bytes: 10,
			Failures: map[string]int{"timeout": generator}, Latency: results.NewLatency(h, results.Each)}}})
	}
	merged := results.MergeKinds(parts)
	if len(merged) != 1 || merged[0].Ops != 10_000 || merged[0].Failed() != 6 || merged[0].Bytes != 40 {
		t.Fatalf("%+v", merged)
	}
	one := results.NewLatency(whole, results.Each)
	for _, q := range []struct{ one, many results.Number }{
		{one.P50NS, merged[0].Latency.P50NS}, {one.P90NS, merged[0].Latency.P90NS}, {one.P99NS, merged[0].Latency.P99NS},
		{one.P999NS, merged[0].Latency.P999NS}, {one.MaxNS, merged[0].Latency.MaxNS}, {one.MeanNS, merged[0].Latency.MeanNS},
	} {
		if q.one != q.many {
			t.Errorf("%v of one, %v of many", q.one, q.many)
		}
	}
}

func TestReasonsAreInOrder(t *testing.T) {
	k := results.Kind{Failures: map[string]int{"b": 1, "a": 1, "timeout": 5}}
	if got := k.Reasons(); len(got) != 3 || got[0] != "timeout" || got[1] != "a" || got[2] != "b" || k.Failed() != 7 {
		t.Errorf("%q", got)
	}
}
