package results_test

import (
	"encoding/json"
	"testing"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

func latencyOf(ns int64) results.Latency {
	h := new(hist.Histogram)
	h.RecordN(ns, 100_000)
	return results.NewLatency(h, results.Each)
}

// A quantile that is not above the floor is missing; the mean and the maximum,
// which are no quantiles, stay.
func TestAbove(t *testing.T) {
	for _, c := range []struct {
		floor results.Number
		known bool
	}{{results.Missing(), true}, {49, true}, {50, false}, {51, false}} {
		l := latencyOf(50).Above(c.floor)
		for _, q := range []results.Number{l.P50NS, l.P90NS, l.P99NS, l.P999NS} {
			if q.Known() != c.known {
				t.Errorf("floor %v: quantile %v", c.floor, q)
			}
		}
		if l.MeanNS != 50 || l.MaxNS != 50 || l.FloorNS.Known() != c.floor.Known() {
			t.Errorf("floor %v: %+v", c.floor, l)
		}
	}
}

// A median above twice the mean is the clock's.
func TestAMedianAboveTwiceTheMean(t *testing.T) {
	l := latencyOf(118)
	l.MeanNS = 15.67
	if got := l.Above(100); got.P50NS.Known() || got.P99NS.Known() || !(got.FloorNS >= 118) {
		t.Errorf("%+v", got)
	}
	l.MeanNS = 60
	if got := l.Above(100); !got.P50NS.Known() || got.FloorNS != 100 {
		t.Errorf("%+v", got)
	}
}

// Trials merge under the highest floor of theirs.
func TestMergedFloor(t *testing.T) {
	trials := []results.Trial{{Latency: latencyOf(50).Above(20)}, {Latency: latencyOf(50).Above(60)}, {Latency: latencyOf(50)}}
	l, whole := results.MergeLatencies(trials)
	if !whole || l.P50NS.Known() || l.FloorNS != 60 {
		t.Errorf("%+v", l)
	}
	if l, _ := results.MergeLatencies(trials[2:]); !l.P50NS.Known() || l.FloorNS.Known() {
		t.Errorf("without a floor: %+v", l)
	}
}

// A file without a floor has none.
func TestFloorInJSON(t *testing.T) {
	text, err := json.Marshal(latencyOf(50))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil || fields["floor_ns"] != nil {
		t.Errorf("%v, floor_ns %v", err, fields["floor_ns"])
	}
}
