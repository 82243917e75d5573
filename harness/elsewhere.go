package harness

import (
	"cmp"
	"context"
	"errors"

	"github.com/syncwrite/syncwrite/internal/cause"
	"github.com/syncwrite/syncwrite/results"
)

// elsewhere takes a trial that another program measured. What this process used
// meanwhile is nobody's of the trial; what the machine's other processors did is known.
func (w window) elsewhere(ctx context.Context, dir string) (results.Trial, error) {
	before, start := cause.Take(), nanotime()
	t, err := w.cell.variant.Elsewhere(w.setup(ctx, dir, &guardSlot{}))
	if err := first(ctx.Err(), err); err != nil {
		return t, err
	}
	usage := cause.Take().Since(before)
	t.Usage, t.UsageNS = results.MissingUsage(), nanotime()-start
	t.Usage.StealNS, t.Usage.OthersNS, t.Usage.ThrottledNS = usage.StealNS, usage.OthersNS, usage.ThrottledNS
	t.Experiment, t.Variant, t.Factors = w.cell.experiment, w.cell.variant.Name, w.cell.factors
	t.Goroutines, t.Started = w.cell.goroutines, w.cell.goroutines
	t.Naive = results.Naive{SummedLatencyNS: results.Missing(), OpsPerS: results.Missing()}
	if ends := cmp.Or(t.CyclesNS, t.WallNS); len(t.Moments) > 1 && float64(t.WallNS) <= mostTail*float64(ends) {
		each := (t.Ops + t.Failed) / t.Goroutines // nobody counts by user
		t.HalfNS, t.HalfOps = half(t.Moments, t.Moments[1].AtNS, each)
	}
	if t.Ops == 0 && t.Failed > 0 {
		return t, noSuccess(t.Kinds)
	}
	if t.Ops == 0 {
		return t, errors.New("it asked nothing")
	}
	return t, nil
}

// usedBy are the other processes of an instance, with what they have used so far.
func usedBy(instance Instance) []results.Process {
	if instance.Processes == nil {
		return nil
	}
	return instance.Processes()
}

// usedSince is what each process used between two looks.
func usedSince(before, now []results.Process) []results.Process {
	for i := range now[:min(len(now), len(before))] {
		now[i].CPUNS -= before[i].CPUNS
	}
	return now
}
