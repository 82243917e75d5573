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

	mu      sync.Mutex   // guards what follows
	rings   []*ring[M]   // new ones come at its end; only the receiver takes any out
	lanes   atomic.Int64 // how many rings there are, to be seen without the lock
	closed  atomic.Bool
	past    tally // of rings that are gone
	watched int

	// The receiver's.
	receiver receiver
	round    []*ring[M] // the rings of this round
	at       int        // which of them is next
	over     bool       // one of them is over
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
	added.watch(r.watched)
	r.rings = append(r.rings, added)
	r.lanes.Add(1)
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

// isOver reports whether a ring was released and everything in it was handed over: nothing
// comes behind that.
func (g *ring[M]) isOver() bool { return g.released.Load() && g.len() == 0 }

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
	for _, g := range r.rings {
		g.close()
	}
	r.closed.Store(true)
	r.bell.ring()
	return nil
}

// Lanes is how many lanes there are: one for each producer that was not released, and the
// one of those that have none. The lane of one that was released goes when the receiver
// has come by.
func (r *Rings[M]) Lanes() int { return int(r.lanes.Load()) }

// Len implements [Mailbox].
func (r *Rings[M]) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, g := range r.rings {
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
	for _, g := range r.rings {
		t = t.plus(g.tally())
	}
	return t
}

func (r *Rings[M]) watch(watchers int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watched += watchers
	for _, g := range r.rings {
		g.watch(watchers)
	}
}

// Receive implements [Mailbox].
func (r *Rings[M]) Receive(ctx context.Context, handle func(run []M) error) error {
	return receive(&r.receiver, ctx, r, handle)
}

// next waits for a message and returns it with those like it that are in its lane.
func (r *Rings[M]) next(ctx context.Context) ([]M, error) {
	return nextRun(ctx, &r.bell, &r.closed, r.around, r.arrived)
}

func (r *Rings[M]) drained() bool { return r.closed.Load() && r.Len() == 0 }

// arrived reports whether a lane is new, has something to take or was released, or nothing
// will come. One that was released and is empty leaves within two looks around.
func (r *Rings[M]) arrived() bool {
	if r.hasNew() {
		return true
	}
	for _, g := range r.round {
		if g.waits() > 0 || g.released.Load() {
			return true
		}
	}
	return r.closed.Load()
}

// hasNew reports whether there are rings that the receiver does not know.
func (r *Rings[M]) hasNew() bool { return r.Lanes() != len(r.round) }

// around returns the first run that it finds. It goes on with the round, and where that has
// none goes a whole one: what was put before it began is found.
func (r *Rings[M]) around() []M {
	run := r.restOfRound()
	if len(run) == 0 {
		r.newRound()
		run = r.restOfRound()
	}
	return run
}

func (r *Rings[M]) restOfRound() []M {
	for r.at < len(r.round) {
		g := r.round[r.at]
		r.at++
		if run := g.next(); len(run) > 0 {
			return run
		}
		r.over = r.over || g.isOver()
	}
	return nil
}

// newRound begins at the first ring. New ones come in here, so that they do not keep the
// others from their turn, and all that are over leave at once: that costs a step a ring, as
// the round did. Where there are neither it takes no lock.
func (r *Rings[M]) newRound() {
	r.at = 0
	if !r.over && !r.hasNew() {
		return
	}
	r.over = false
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rings = slices.DeleteFunc(r.rings, r.leaves) // in place: nobody else looks at it without the lock
	r.lanes.Store(int64(len(r.rings)))
	r.round = r.rings
}

// leaves reports whether a ring is over, and keeps what it has counted.
func (r *Rings[M]) leaves(g *ring[M]) bool {
	if !g.isOver() {
		return false
	}
	r.past = r.past.plus(g.tally())
	return true
}
