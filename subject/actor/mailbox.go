package actor

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// Mailbox is where events wait for their one receiver.
type Mailbox interface {
	// Put adds an event behind all that are there. While the mailbox is full it
	// waits; it gives up with the error of ctx, and with [ErrClosed] if the
	// mailbox is closed. An event is handed over if and only if its Put
	// returned nil.
	Put(ctx context.Context, event Event) error
	// Receive hands over what arrives, run by run, until handle returns an
	// error, ctx ends or the mailbox is closed and empty, which is no error. The
	// slice is the mailbox's own: it is valid until handle returns. What was not
	// handed over stays: a later Receive goes on with it. Two at a time are an
	// error.
	Receive(ctx context.Context, handle func(run []Event) error) error
	// Close lets no further event in, and those go that wait in Put. What is in
	// the mailbox stays there to be received. A second Close returns
	// [ErrClosed].
	Close() error
}

var (
	_ Mailbox = (*Channel)(nil)
	_ Mailbox = (*Buffer)(nil)
)

// Errors to test for with errors.Is.
var (
	ErrClosed = errors.New("the mailbox is closed")
	ErrBusy   = errors.New("the mailbox has a receiver already")
)

// Options are the settings of a mailbox; the zero value is useful.
type Options struct {
	// Capacity is how many events the mailbox holds, and a run has at most; 0
	// means 1024.
	Capacity int
}

func (o Options) capacity() int {
	if o.Capacity <= 0 {
		return 1024
	}
	return o.Capacity
}

func putError(event Event, err error) error { return fmt.Errorf("put %v: %w", event.Type, err) }

func stopped(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

// A receiver hands over runs, for one caller at a time.
type receiver struct{ busy atomic.Bool }

// receive calls handle for each run that next returns, until there is none or
// an error.
func (r *receiver) receive(ctx context.Context, next func(context.Context) ([]Event, error), handle func([]Event) error) error {
	if !r.busy.CompareAndSwap(false, true) {
		return fmt.Errorf("receive: %w", ErrBusy)
	}
	defer r.busy.Store(false)
	for {
		if stopped(ctx) {
			return fmt.Errorf("receive: %w", ctx.Err())
		}
		run, err := next(ctx)
		if err != nil {
			return fmt.Errorf("receive: %w", err)
		}
		if len(run) == 0 {
			return nil
		}
		if err := handle(run); err != nil {
			return fmt.Errorf("handle %d of %v: %w", len(run), run[0].Type, err)
		}
	}
}
