package actor

import (
	"context"
	"fmt"
	"sync/atomic"
)

// A receiver hands over runs, for one caller at a time.
type receiver struct{ busy atomic.Bool }

// A source is where runs come from.
type source[M any] interface {
	next(ctx context.Context) ([]M, error) // none if it is drained
	drained() bool                         // closed and empty: nothing comes any more
}

// receive calls handle for each run of the source, until there is none or an error, and
// clears it. That there is none goes before the error of ctx.
func receive[M any](r *receiver, ctx context.Context, from source[M], handle func([]M) error) error {
	if !r.busy.CompareAndSwap(false, true) {
		return fmt.Errorf("receive: %w", ErrBusy)
	}
	defer r.busy.Store(false)
	for {
		run, err := nextWhile(ctx, from)
		if err != nil && !from.drained() {
			return fmt.Errorf("receive: %w", err)
		}
		if len(run) == 0 {
			return nil
		}
		if err := handle(run); err != nil {
			err = handleError(run, err)
			clear(run)
			return err
		}
		clear(run) // the mailbox is not what keeps alive what it has handed over
	}
}

// nextWhile is next, but of what is there it takes nothing once ctx has ended.
func nextWhile[M any](ctx context.Context, from source[M]) ([]M, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return from.next(ctx)
}

// nextRun waits for a run that find finds. It is none when all is closed and there is
// nothing more to find.
func nextRun[M any](ctx context.Context, bell *bell, closed *atomic.Bool, find func() []M, arrived func() bool) ([]M, error) {
	for {
		if run := find(); len(run) > 0 {
			return run, nil
		}
		if closed.Load() {
			return find(), nil // once more: what came before the end is there by now
		}
		if err := bell.await(ctx, arrived); err != nil {
			return nil, err
		}
	}
}

// handleError says what was handled.
func handleError[M any](run []M, err error) error {
	what := "message"
	if e, ok := any(run[0]).(Event); ok {
		what = e.Type.String()
	}
	if len(run) == 1 {
		return fmt.Errorf("handle %s: %w", what, err)
	}
	return fmt.Errorf("handle %d of %s: %w", len(run), what, err)
}
