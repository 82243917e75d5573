package harness

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause/traced"
	"github.com/syncwrite/syncwrite/results"
)

const (
	mostTrace   = 64 << 20               // bytes: the window counts up to there
	tracedLeast = 200 * time.Millisecond // of a window, where operations are counted
	reading     = time.Minute            // in which a trace can be read
)

// explain traces each cell once, if that is asked for: where its time went.
func (r *runner) explain(ctx context.Context) error {
	if !r.config.Why {
		return nil
	}
	all := cells(r.allSeries)
	for r.state.Why < len(all) {
		p := all[r.state.Why]
		if p.series.lost() || p.variant.Observe != nil || p.variant.Elsewhere != nil {
			r.state.Why++
			continue
		}
		now := Progress{Done: r.state.Why, Total: len(all), Cell: p.name(), Tracing: true}
		if err := r.doing(p, r.deadline(p)+reading, now); err != nil {
			return err
		}
		if err := r.explainCell(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// explainCell keeps what a window of a cell tells that is traced and, where tracing changed
// it, one that is profiled, which costs less and tells less. A window that fails costs no trial.
func (r *runner) explainCell(ctx context.Context, p *planned) error {
	r.state.Why++
	b, err := undisturbed(ctx, p, r.trace)
	if kept := r.keepWhy(ctx, b, err); kept != nil || !errors.Is(err, traced.ErrTracing) && !b.Changed(p.Rates) {
		return kept
	}
	b, err = undisturbed(ctx, p, r.profile)
	return r.keepWhy(ctx, b, err)
}

// undisturbed looks into a window, and once more where others took much of the processors.
func undisturbed(ctx context.Context, p *planned, look func(context.Context, *planned) (results.Breakdown, error)) (results.Breakdown, error) {
	b, err := look(ctx, p)
	if err != nil || len(b.Warnings) == 0 {
		return b, err
	}
	return look(ctx, p)
}

// looked is a breakdown with what is known of its window besides.
func looked(b results.Breakdown, t results.Trial, p *planned) results.Breakdown {
	b.OpsPerS, b.OpNS, b.UsedNS = results.Number(t.OpsPerS()), t.OpNS(), t.Usage.UserNS+t.Usage.SystemNS
	if doubt, is := disturbance(t, p); is {
		b.Warnings = []results.Warning{doubt}
	}
	return b
}

// keepWhy keeps a breakdown, or why there is none.
func (r *runner) keepWhy(ctx context.Context, b results.Breakdown, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	stuck := false
	if err != nil {
		f := asFailure(err)
		b.Reason, stuck = results.OneLine(f.Error()), f.stuck
	}
	r.state.Stuck = r.state.Stuck || stuck
	if err := r.keep(b); err != nil || !stuck || !r.renew {
		return err
	}
	return errRenew
}

// trace measures a cell while it is traced. The error says why nothing is known of where the
// time went.
func (r *runner) trace(ctx context.Context, p *planned) (b results.Breakdown, err error) {
	b = results.NoBreakdown(results.SourceTrace, p.name(), p.factors)
	if len(r.config.Rates) > 0 {
		return b, errors.New("operations are due by the clock, for which the goroutines wait")
	}
	file, done, err := r.traceFile(p)
	if err != nil {
		return b, err
	}
	defer func() { err = first(err, done()) }()
	w := r.whyWindow(p)
	w.traced = true
	recording, err := traced.Record(file, mostTrace)
	if err != nil {
		return b, err
	}
	t, err := w.measure(ctx)
	cut, stopped := recording.Stop()
	if err == nil {
		err = stopped
	}
	if err != nil {
		return b, err
	}
	b = looked(b, t, p)
	if _, err := file.Seek(0, 0); err != nil {
		return b, err
	}
	found, err := traced.Read(file)
	if err == nil && found.Cut && !cut {
		err = errors.New("the trace ended before the window did")
	}
	if err != nil {
		return b, err
	}
	b.WindowNS, b.TimeNS, b.Parts = found.Window.Nanoseconds(), found.Time.Nanoseconds(), found.Told()
	return b, nil
}

// whyWindow is a window of a cell that is no trial's, and long enough, unless the variant
// says how many operations each goroutine does.
func (r *runner) whyWindow(p *planned) window {
	w := r.window(p, r.config.Trials+1, uint64(r.state.Why))
	w.deadline = r.deadline(p) + 10*tracedLeast
	if p.byTime || r.config.Ops > 0 || p.variant.PerGoroutine > 0 {
		return w
	}
	takes := w.span
	if len(p.Rates) > 0 && slices.Max(p.Rates) > 0 { // which tell better than the plan
		takes = time.Duration(float64(w.ops) / slices.Max(p.Rates) * 1e9)
	}
	if takes < tracedLeast {
		w.ops = int(float64(w.ops) * float64(tracedLeast) / float64(max(takes, time.Millisecond)))
	}
	return w
}
