package actor

import (
	"context"
	"fmt"
)

// Buffer is a mailbox on two buffers: producers fill one under a turn, the receiver
// empties the other, and swaps them when it is done. Order total, result
// exactly-once, survives nothing.
type Buffer[M any] struct {
	outlet   outlet[M]
	bell     bell
	receiver receiver
}

// NewBuffer returns an empty mailbox.
func NewBuffer[M any](options Options[M]) *Buffer[M] {
	b := &Buffer[M]{bell: newBell()}
	b.outlet.open(options.check(), &b.bell)
	return b
}

// Put implements [Producer].
func (b *Buffer[M]) Put(ctx context.Context, message M) error { return b.outlet.Put(ctx, message) }

// PutAll implements [Producer].
func (b *Buffer[M]) PutAll(ctx context.Context, messages []M) (int, error) {
	return b.outlet.PutAll(ctx, messages)
}

// NewProducer implements [Mailbox]: all producers share the buffer.
func (b *Buffer[M]) NewProducer() (producer Producer[M], release func()) { return b, func() {} }

// Close implements [Mailbox].
func (b *Buffer[M]) Close() error {
	if !b.outlet.close() {
		return fmt.Errorf("close: %w", ErrClosed)
	}
	b.bell.ring()
	return nil
}

// Len implements [Mailbox].
func (b *Buffer[M]) Len() int { return b.outlet.len() }

// Dropped implements [Mailbox].
func (b *Buffer[M]) Dropped() int { return b.outlet.tally().dropped }

func (b *Buffer[M]) tally() tally       { return b.outlet.tally() }
func (b *Buffer[M]) watch(watchers int) { b.outlet.watch(watchers) }

// Receive implements [Mailbox].
func (b *Buffer[M]) Receive(ctx context.Context, handle func(run []M) error) error {
	return receive(&b.receiver, ctx, b, handle)
}

// next waits for a message and returns it with those like it that are there.
func (b *Buffer[M]) next(ctx context.Context) ([]M, error) {
	return nextRun(ctx, &b.bell, &b.outlet.ended, b.outlet.next, b.arrived)
}

func (b *Buffer[M]) drained() bool { return b.outlet.ended.Load() && b.Len() == 0 }

// arrived reports whether there is something to take, or nothing will come.
func (b *Buffer[M]) arrived() bool { return b.outlet.waits() > 0 || b.outlet.ended.Load() }
