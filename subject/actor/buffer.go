package actor

import (
	"context"
	"fmt"
	"sync"
)

// Buffer is a mailbox on two buffers: producers fill one under a lock, the
// receiver empties the other, and swaps them when it is done. Order total,
// result linearizable, survives nothing.
//
// Besides the Capacity events that wait there can be as many that the receiver
// has taken.
type Buffer struct {
	receiver
	capacity int

	mu      sync.Mutex
	filling []Event
	closed  bool
	idle    bool          // the receiver waits for arrived
	waiting int           // Puts that wait for room
	room    chan struct{} // closed when there is room again, and replaced

	arrived chan struct{} // wakes the receiver; has room for one

	// The receiver's.
	taken []Event // the buffer that was swapped out
	rest  []Event // what of it was not handed over
	run   []Event // one that did not end with its buffer
}

// NewBuffer returns an empty mailbox.
func NewBuffer(options Options) *Buffer {
	return &Buffer{capacity: options.capacity(), room: make(chan struct{}), arrived: make(chan struct{}, 1)}
}

// Put implements [Mailbox].
func (b *Buffer) Put(ctx context.Context, event Event) error {
	b.mu.Lock()
	for len(b.filling) >= b.capacity && !b.closed {
		if err := b.awaitRoom(ctx); err != nil {
			b.mu.Unlock()
			return putError(event, err)
		}
	}
	if b.closed {
		b.mu.Unlock()
		return putError(event, ErrClosed)
	}
	b.filling = append(b.filling, event)
	b.leaveAwake()
	return nil
}

// awaitRoom lets go of the lock until there may be room, or ctx ends.
func (b *Buffer) awaitRoom(ctx context.Context) (err error) {
	room := b.room
	b.waiting++
	b.mu.Unlock()
	select {
	case <-room:
	case <-ctx.Done():
		err = ctx.Err()
	}
	b.mu.Lock()
	if room == b.room {
		b.waiting-- // nobody has let this one go
	}
	return err
}

// leaveAwake lets go of the lock and wakes the receiver, if it waits.
func (b *Buffer) leaveAwake() {
	wake := b.idle
	b.idle = false
	b.mu.Unlock()
	if wake {
		select {
		case b.arrived <- struct{}{}:
		default: // it is being woken
		}
	}
}

// letIn wakes those that wait for room. The lock is held.
func (b *Buffer) letIn() {
	if b.waiting > 0 {
		close(b.room)
		b.room, b.waiting = make(chan struct{}), 0
	}
}

// Close implements [Mailbox].
func (b *Buffer) Close() error {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return fmt.Errorf("close: %w", ErrClosed)
	}
	b.closed = true
	b.letIn()
	b.leaveAwake()
	return nil
}

// Receive implements [Mailbox].
func (b *Buffer) Receive(ctx context.Context, handle func(run []Event) error) error {
	return b.receive(ctx, b.next, handle)
}

// next waits for an event and returns it with those of its type that are there.
// None is returned when the mailbox is closed and empty.
func (b *Buffer) next(ctx context.Context) ([]Event, error) {
	clear(b.run)
	b.run = b.run[:0]
	if len(b.rest) == 0 {
		if err := b.await(ctx); len(b.rest) == 0 || err != nil {
			return nil, err
		}
	}
	run := b.cut(b.rest[0].Type, b.capacity)
	if len(b.rest) > 0 || !b.goesOn(run[0].Type) {
		return run, nil
	}
	// The run is about to lose its buffer, since what goes on with it is in the
	// other one.
	b.run = append(b.run, run...)
	for kind := run[0].Type; len(b.run) < b.capacity && len(b.rest) == 0 && b.goesOn(kind); {
		b.swap()
		b.run = append(b.run, b.cut(kind, b.capacity-len(b.run))...)
	}
	return b.run, nil
}

// cut takes what begins the rest and is of one kind, at most so many.
func (b *Buffer) cut(kind EventType, most int) []Event {
	n := 0
	for n < min(len(b.rest), most) && b.rest[n].Type == kind {
		n++
	}
	run := b.rest[:n]
	b.rest = b.rest[n:]
	return run
}

// goesOn reports whether the next event that has arrived is of that kind.
func (b *Buffer) goesOn(kind EventType) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.filling) > 0 && b.filling[0].Type == kind
}

// await swaps the buffers as soon as something has arrived. The rest is empty
// if nothing will.
func (b *Buffer) await(ctx context.Context) error {
	for {
		if over := b.swap(); over || len(b.rest) > 0 {
			return nil
		}
		select {
		case <-b.arrived: // or had: who wakes the receiver does so once too often rather than not at all
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// swap takes what has arrived and leaves the emptied buffer to be filled. If
// nothing has, the receiver is to be woken; over reports that nothing will.
func (b *Buffer) swap() (over bool) {
	clear(b.taken) // the mailbox is not what keeps alive what was handed over
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.filling) == 0 {
		b.idle = !b.closed
		return b.closed
	}
	b.filling, b.taken = b.taken[:0], b.filling
	b.rest = b.taken
	b.letIn()
	return false
}
