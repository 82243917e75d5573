package harness

import (
	"context"

	"github.com/syncwrite/syncwrite/results"
)

// overhead measures the instrument on an operation that does nothing: what it
// adds to an operation that is sampled, at most, to one that is timed each, and what a
// sample itself costs.
func (r *runner) overhead(ctx context.Context) (results.Overhead, error) {
	idle := Func("empty", results.Promise{}, func() error { return nil })
	measure := func(how sampling) (results.Trial, error) {
		var best results.Trial
		for range 3 { // the least disturbed of three
			w := window{cell: cell{variant: idle, goroutines: 1}, ops: 1 << 20, sampling: how, seed: 1, root: r.config.Dir}
			t, err := w.measure(ctx)
			if err != nil {
				return t, err
			}
			if best.Ops == 0 || t.Latency.MeanNS < best.Latency.MeanNS {
				best = t
			}
		}
		return best, nil
	}
	sampled, err := measure(oneIn128)
	if err != nil {
		return results.Overhead{}, err
	}
	each, err := measure(eachTimed)
	o := results.Overhead{
		SampledNS: sampled.Latency.MeanNS,
		TimedNS:   each.Latency.MeanNS,
		ClockNS:   results.NewLatency(sampled.Latency.Hist, results.Sampled).P50NS, // all of it the clock's
		StepNS:    results.Number(clockStep(nanotime)),
	}
	o.FloorNS = floorOf(o.ClockNS, o.StepNS)
	return o, err
}

// floorOf is as long as an operation must be for the clock to time it: two
// readings or two steps, whichever is more.
func floorOf(reading, step results.Number) results.Number { return 2 * max(reading, step) }
