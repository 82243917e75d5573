package actor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Rings is a mailbox with a lane for each producer, a pair of buffers that go round
// between the producer and the receiver. Producers do not get into each other's way,
// and so the order among them is open: order per-caller, result exactly-once,
// survives nothing. A caller is who puts through one producer of [Rings.NewProducer];
// those that have none share a lane.
//
// A run is of one lane.
type Rings[M any] struct {
	options Options[M]
	bell    bell
	shared  *ring[M] // of those without a producer of their own

	mu      sync.Mutex // guards changes of rings, and what follows
	rings   atomic.Pointer[[]*ring[M]]
	closed  atomic.Bool
	past    tally // of rings that are gone
	watched int

	// The receiver's.
	receiver receiver
	at       int // the ring of the last run
}

// A ring is one producer's lane, until that is released and emptied.
type ring[M any] struct {
	outlet[M]
	released atomic.Bool
}

// NewRings returns an empty mailbox.
func NewRings[M any](options Options[M]) *Rings[M] {
	options = options.check()
	r := &Rings[M]{options: options, bell: newBell()}
	r.rings.Store(new([]*ring[M]))
	r.shared = r.add()
	return r
}

func (r *Rings[M]) add() *ring[M] {
	added := new(ring[M])
	added.open(r.options, &r.bell)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed.Load() {
		added.close()
		return added
	}
	rings := append(slices.Clone(*r.rings.Load()), added)
	added.watch(r.watched)
	r.rings.Store(&rings)
	return added
}

// NewProducer implements [Mailbox]: each producer has a lane, until it is released
// and emptied.
func (r *Rings[M]) NewProducer() (producer Producer[M], release func()) {
	added := r.add()
	return added, added.release
}

func (g *ring[M]) release() {
	g.close()
	g.released.Store(true)
	g.bell.ring() // so that the receiver comes by
}

// remove takes out a ring that was released and is empty.
func (r *Rings[M]) remove(g *ring[M]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rings := slices.DeleteFunc(slices.Clone(*r.rings.Load()), func(other *ring[M]) bool { return other == g })
	r.rings.Store(&rings)
	r.past = r.past.plus(g.tally())
}

// Put implements [Producer], in the lane of those that have none of their own.
func (r *Rings[M]) Put(ctx context.Context, message M) error { return r.shared.Put(ctx, message) }

// PutAll implements [Producer], in the lane of those that have none of their own.
func (r *Rings[M]) PutAll(ctx context.Context, messages []M) (int, error) {
	return r.shared.PutAll(ctx, messages)
}

// Close implements [Mailbox].
func (r *Rings[M]) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed.Load() {
		return fmt.Errorf("close: %w", ErrClosed)
	}
	for _, g := range *r.rings.Load() {
		g.close()
	}
	r.closed.Store(true)
	r.bell.ring()
	return nil
}

// Lanes is how many lanes there are: one for each producer that was not released, and the
// one of those that have none. The lane of one that was released goes when the receiver
// has come by.
func (r *Rings[M]) Lanes() int { return len(*r.rings.Load()) }

// Len implements [Mailbox].
func (r *Rings[M]) Len() int {
	n := 0
	for _, g := range *r.rings.Load() {
		n += g.len()
	}
	return n
}

// Dropped implements [Mailbox].
func (r *Rings[M]) Dropped() int { return r.tally().dropped }

func (r *Rings[M]) tally() tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.past
	for _, g := range *r.rings.Load() {
		t = t.plus(g.tally())
	}
	return t
}

func (r *Rings[M]) watch(watchers int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watched += watchers
	for _, g := range *r.rings.Load() {
		g.watch(watchers)
	}
}

// Receive implements [Mailbox].
func (r *Rings[M]) Receive(ctx context.Context, handle func(run []M) error) error {
	return receive(&r.receiver, ctx, r.next, handle)
}

// next waits for a message and returns it with those like it that are in its lane.
func (r *Rings[M]) next(ctx context.Context) ([]M, error) {
	return nextRun(ctx, &r.bell, &r.closed, r.around, r.arrived)
}

// arrived reports whether a lane has something to take, or nothing will come.
func (r *Rings[M]) arrived() bool {
	for _, g := range *r.rings.Load() {
		if g.waits() > 0 || g.released.Load() {
			return true
		}
	}
	return r.closed.Load()
}

// around goes once around the rings, and returns the first run that it finds.
func (r *Rings[M]) around() []M {
	rings := *r.rings.Load()
	for i := range rings {
		at := (r.at + 1 + i) % len(rings)
		g := rings[at]
		if run := g.next(); len(run) > 0 {
			r.at = at
			return run
		}
		if g.released.Load() && g.len() == 0 { // in this order: behind it nothing comes
			r.remove(g)
		}
	}
	return nil
}
