package harness

import (
	"context"
	"reflect"
	"runtime"

	"github.com/syncwrite/syncwrite/internal/cause/profiled"
	"github.com/syncwrite/syncwrite/results"
)

// ofWorkers is the call that each goroutine of a window is in.
var ofWorkers = runtime.FuncForPC(reflect.ValueOf((*worker).run).Pointer()).Name()

// profile measures a cell while profiles are taken. The error says why nothing is known of
// where the time went.
func (r *runner) profile(ctx context.Context, p *planned) (b results.Breakdown, err error) {
	b = results.NoBreakdown(results.SourceProfiles, p.name(), p.factors)
	recording, err := profiled.Record()
	if err != nil {
		return b, err
	}
	var begun results.Number
	w := r.whyWindow(p)
	w.begun = &begun
	t, err := w.measure(ctx)
	samples, stopped := recording.Stop(ofWorkers)
	if err == nil {
		err = stopped
	}
	if err != nil {
		return b, err
	}
	b = looked(b, t, p)
	b.WindowNS, b.TimeNS = t.WallNS, t.GoroutineNS
	of := profiled.Window{WallNS: t.WallNS, TimeNS: t.GoroutineNS, UsedNS: b.UsedNS, WaitedNS: t.Usage.SchedWaitNS, LockedNS: t.Usage.MutexWaitNS, Besides: t.Besides, Begun: begun}
	if b.Parts, err = of.Parts(samples); r.config.WhyFiles != "" {
		err = first(err, samples.Keep(r.keptName(p)))
	}
	return b, err
}
