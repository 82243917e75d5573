package actor

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Rings is a mailbox with a lane for each producer, an array that it and the receiver
// go around. Producers do not get into each other's way, and so the order among them is
// open: order per-caller, result exactly-once, survives nothing. A caller is who puts
// through one producer of [Rings.NewProducer], one goroutine at a time; those that have
// none share a lane, which is as safe as that of [Buffer].
//
// A run is of one lane.
type Rings[M any] struct {
	options Options[M]
	bell    bell
	shared  *outlet[M] // of those without a producer of their own

	mu     sync.Mutex // guards changes of lanes, and closed
	lanes  atomic.Pointer[[]*ringLane[M]]
	closed atomic.Bool
	lost   int // messages that lanes dropped which are gone

	// The receiver's.
	receiver receiver
	at       int // the lane of the last run
}

// A queue is what a lane of [Rings] is made of: a ring, or an outlet where several
// goroutines put into it, or where what waits longest is dropped.
type queue[M any] interface {
	Producer[M]
	next() []M // a run; none if nothing is there
	len() int
	lost() int
	close() bool
}

// A ringLane is one producer's queue, until that is released and emptied.
type ringLane[M any] struct {
	queue[M]
	released atomic.Bool
}

// NewRings returns an empty mailbox.
func NewRings[M any](options Options[M]) *Rings[M] {
	r := &Rings[M]{options: options.check(), bell: newBell()}
	r.lanes.Store(new([]*ringLane[M]))
	r.shared = r.newOutlet()
	r.add(r.shared)
	return r
}

func (r *Rings[M]) newOutlet() *outlet[M] {
	o := new(outlet[M])
	o.open(r.options, &r.bell)
	return o
}

// NewProducer implements [Mailbox]: each producer has a lane, until it is released
// and emptied. It is for one goroutine at a time.
func (r *Rings[M]) NewProducer() (producer Producer[M], release func()) {
	var q queue[M]
	if r.options.WhenFull == DropOldest {
		q = r.newOutlet()
	} else {
		q = newRing(r.options, &r.bell)
	}
	lane := r.add(q)
	return q, func() {
		q.close()
		lane.released.Store(true)
		r.bell.ring() // so that the receiver comes by
	}
}

func (r *Rings[M]) add(q queue[M]) *ringLane[M] {
	added := &ringLane[M]{queue: q}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed.Load() {
		q.close()
		return added
	}
	lanes := append(slices.Clone(*r.lanes.Load()), added)
	r.lanes.Store(&lanes)
	return added
}

// remove takes out a lane that was released and is empty.
func (r *Rings[M]) remove(lane *ringLane[M]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lanes := slices.DeleteFunc(slices.Clone(*r.lanes.Load()), func(other *ringLane[M]) bool { return other == lane })
	r.lanes.Store(&lanes)
	r.lost += lane.lost()
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
	for _, lane := range *r.lanes.Load() {
		lane.close()
	}
	r.closed.Store(true)
	r.bell.ring()
	return nil
}

// Lanes is how many lanes there are: one for each producer that was not released, or
// has put what was not handed over, and the one of those that have none.
func (r *Rings[M]) Lanes() int { return len(*r.lanes.Load()) }

// Len implements [Mailbox].
func (r *Rings[M]) Len() int {
	n := 0
	for _, lane := range *r.lanes.Load() {
		n += lane.len()
	}
	return n
}

// Dropped implements [Mailbox].
func (r *Rings[M]) Dropped() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.lost
	for _, lane := range *r.lanes.Load() {
		n += lane.lost()
	}
	return n
}

// Receive implements [Mailbox].
func (r *Rings[M]) Receive(ctx context.Context, handle func(run []M) error) error {
	return receive(&r.receiver, ctx, r.next, handle)
}

// next waits for a message and returns it with those like it that are in its lane.
// None is returned when the mailbox is closed and empty.
func (r *Rings[M]) next(ctx context.Context) ([]M, error) {
	for {
		over := r.closed.Load() // before looking: behind it nothing comes
		if run := r.around(); len(run) > 0 || over {
			return run, nil
		}
		if err := r.bell.await(ctx, r.arrived); err != nil {
			return nil, err
		}
	}
}

// arrived reports whether a lane has something to take, or nothing will come.
func (r *Rings[M]) arrived() bool {
	for _, lane := range *r.lanes.Load() {
		if lane.len() > 0 || lane.released.Load() {
			return true
		}
	}
	return r.closed.Load()
}

// around goes once around the lanes, and returns the first run that it finds.
func (r *Rings[M]) around() []M {
	lanes := *r.lanes.Load()
	for i := range lanes {
		at := (r.at + 1 + i) % len(lanes)
		lane := lanes[at]
		released := lane.released.Load() // before looking: behind it nothing comes
		if run := lane.next(); len(run) > 0 {
			r.at = at
			return run
		}
		if released {
			r.remove(lane)
		}
	}
	return nil
}
