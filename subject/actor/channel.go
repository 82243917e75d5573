package actor

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// Channel is a mailbox on a buffered channel. Order total, result exactly-once,
// survives nothing.
type Channel[M any] struct {
	messages chan M
	full     WhenFull
	alike    func(first, message M) bool
	came     atomic.Int64
	handed   atomic.Int64
	dropped  atomic.Int64
	closed   atomic.Bool
	sealed   atomic.Bool   // messages is closed, too: who was putting has put
	leave    chan struct{} // closed: Puts that wait give up

	// Who puts holds entry for reading, so that Close can wait for them before it
	// closes messages.
	entry sync.RWMutex

	// The receiver's.
	receiver receiver
	run      []M
	carried  atomic.Bool // what ended the last run stands at its end, to begin the next
}

// NewChannel returns an empty mailbox.
func NewChannel[M any](options Options[M]) *Channel[M] {
	options = options.check()
	return &Channel[M]{messages: make(chan M, options.Capacity), full: options.WhenFull, alike: options.Alike, leave: make(chan struct{})}
}

// Put implements [Producer].
func (c *Channel[M]) Put(ctx context.Context, message M) error {
	dropped, err := c.put(ctx, message)
	if err != nil {
		return putError(message, err)
	}
	if c.full != DropNewest || len(dropped) == 0 {
		c.came.Add(1)
	}
	c.dropped.Add(int64(len(dropped)))
	for _, d := range dropped { // no lock is held
		refuse(d, ErrFull)
	}
	return nil
}

func (c *Channel[M]) put(ctx context.Context, message M) (dropped []M, err error) {
	c.entry.RLock()
	defer c.entry.RUnlock()
	if c.closed.Load() {
		return nil, ErrClosed
	}
	select {
	case c.messages <- message:
		return nil, nil
	default:
	}
	return c.putFull(ctx, message)
}

// putFull puts a message that found no room.
func (c *Channel[M]) putFull(ctx context.Context, message M) (dropped []M, err error) {
	switch c.full {
	case Fail:
		return nil, ErrFull
	case DropNewest:
		return []M{message}, nil
	case DropOldest:
		return c.putOverOldest(message), nil
	}
	select {
	case c.messages <- message:
		return nil, nil
	case <-c.leave:
		return nil, ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// putOverOldest takes from the front until there is room at the end.
func (c *Channel[M]) putOverOldest(message M) (dropped []M) {
	for {
		select {
		case c.messages <- message:
			return dropped
		default:
		}
		select {
		case oldest := <-c.messages:
			dropped = append(dropped, oldest)
		default:
		}
	}
}

// PutAll implements [Producer], one after the other: those of others may come between
// anywhere.
func (c *Channel[M]) PutAll(ctx context.Context, messages []M) (int, error) {
	for n, message := range messages {
		if err := c.Put(ctx, message); err != nil {
			return n, err
		}
	}
	return len(messages), nil
}

// NewProducer implements [Mailbox]: all producers share the channel.
func (c *Channel[M]) NewProducer() (producer Producer[M], release func()) { return c, func() {} }

// Close implements [Mailbox].
func (c *Channel[M]) Close() error {
	if c.closed.Swap(true) {
		return fmt.Errorf("close: %w", ErrClosed)
	}
	close(c.leave)
	c.entry.Lock()
	defer c.entry.Unlock()
	close(c.messages)
	c.sealed.Store(true)
	return nil
}

// Len implements [Mailbox].
func (c *Channel[M]) Len() int {
	n := len(c.messages)
	if c.carried.Load() {
		n++
	}
	return n
}

// Dropped implements [Mailbox].
func (c *Channel[M]) Dropped() int { return int(c.dropped.Load()) }

func (c *Channel[M]) tally() tally {
	t := tally{dropped: c.Dropped()}
	if c.full == DropOldest {
		t.shed.n = int64(t.dropped)
	}
	t.came.n, t.handed = c.came.Load(), c.handed.Load()
	return t
}

// Receive implements [Mailbox].
func (c *Channel[M]) Receive(ctx context.Context, handle func(run []M) error) error {
	return receive(&c.receiver, ctx, c, func(run []M) error {
		c.handed.Add(int64(len(run)))
		return handle(run)
	})
}

func (c *Channel[M]) drained() bool { return c.sealed.Load() && c.Len() == 0 }

// next waits for a message and returns it with those like it that are there. One
// that is not like it is kept: it begins the next run. None is returned when the
// channel is closed and empty.
func (c *Channel[M]) next(ctx context.Context) ([]M, error) {
	if err := c.begin(ctx); len(c.run) == 0 || err != nil {
		return nil, err
	}
	for len(c.run) < cap(c.messages) {
		select {
		case message, ok := <-c.messages:
			if !ok {
				return c.run, nil // the next one finds the channel closed
			}
			c.run = append(c.run, message)
			if c.alike != nil && !c.alike(c.run[0], message) {
				c.carried.Store(true)
				n := len(c.run) - 1
				return c.run[:n:n], nil // who appends to it does not write over the one that is carried
			}
		default:
			return c.run, nil
		}
	}
	return c.run, nil
}

// begin leaves one message in the run: the one that was carried over, or the next
// that arrives.
func (c *Channel[M]) begin(ctx context.Context) error {
	if c.carried.Load() {
		last := len(c.run) - 1
		c.run[0] = c.run[last]
		clear(c.run[1:])
		c.run = c.run[:1]
		c.carried.Store(false)
		return nil
	}
	c.run = c.run[:0]
	select {
	case message, ok := <-c.messages:
		if ok {
			c.run = append(c.run, message)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
