package actor

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// Channel is a mailbox on a buffered channel. Order total, result linearizable,
// survives nothing.
type Channel struct {
	receiver
	events chan Event
	closed atomic.Bool
	leave  chan struct{} // closed: Puts that wait give up

	// Who puts holds entry for reading, so that Close can wait for them before
	// it closes events.
	entry sync.RWMutex

	// The receiver's.
	run     []Event
	carried bool // what ended the last run stands at its end, to begin the next
}

// NewChannel returns an empty mailbox.
func NewChannel(options Options) *Channel {
	return &Channel{events: make(chan Event, options.capacity()), leave: make(chan struct{})}
}

// Put implements [Mailbox].
func (c *Channel) Put(ctx context.Context, event Event) error {
	c.entry.RLock()
	defer c.entry.RUnlock()
	if c.closed.Load() {
		return putError(event, ErrClosed)
	}
	select {
	case c.events <- event:
		return nil
	default:
	}
	select {
	case c.events <- event:
		return nil
	case <-c.leave:
		return putError(event, ErrClosed)
	case <-ctx.Done():
		return putError(event, ctx.Err())
	}
}

// Close implements [Mailbox].
func (c *Channel) Close() error {
	if c.closed.Swap(true) {
		return fmt.Errorf("close: %w", ErrClosed)
	}
	close(c.leave)
	c.entry.Lock()
	defer c.entry.Unlock()
	close(c.events)
	return nil
}

// Receive implements [Mailbox].
func (c *Channel) Receive(ctx context.Context, handle func(run []Event) error) error {
	return c.receive(ctx, c.next, handle)
}

// next waits for an event and returns it with those of its type that are there.
// An event of another type is kept: it begins the next run. None is returned
// when the channel is closed and empty.
func (c *Channel) next(ctx context.Context) ([]Event, error) {
	if err := c.begin(ctx); len(c.run) == 0 || err != nil {
		return nil, err
	}
	for len(c.run) < cap(c.events) {
		select {
		case event, ok := <-c.events:
			if !ok {
				return c.run, nil // the next one finds the channel closed
			}
			c.run = append(c.run, event)
			if last := len(c.run) - 1; event.Type != c.run[0].Type {
				c.carried = true
				return c.run[:last], nil
			}
		default:
			return c.run, nil
		}
	}
	return c.run, nil
}

// begin leaves one event in the run: the one that was carried over, or the next
// that arrives.
func (c *Channel) begin(ctx context.Context) error {
	if last := len(c.run) - 1; c.carried {
		c.run[0] = c.run[last]
		clear(c.run[1:])
		c.run, c.carried = c.run[:1], false
		return nil
	}
	clear(c.run)
	c.run = c.run[:0]
	select {
	case event, ok := <-c.events:
		if ok {
			c.run = append(c.run, event)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
