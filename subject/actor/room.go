package actor

import (
	"container/list"
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// A room is where producers wait that find their lane full. Who came first is woken
// first, and no more are woken than there are places: of thousands who wait for one,
// all would look for it again and again. Whoever gets in between takes the place of one
// that was woken, who waits anew.
type room struct {
	wanted atomic.Int64 // by so many, or more
	mu     sync.Mutex   // guards line
	line   list.List    // of chan struct{}, closed when it is that one's turn
}

// await returns when there may be a place, or with the context's error. What mayPut looks
// at must be changed before admit is called.
func (r *room) await(ctx context.Context, mayPut func() bool) error {
	r.wanted.Add(1) // before looking, so that an admit after the look is seen
	defer r.wanted.Add(-1)
	place := r.join()
	if mayPut() {
		r.leave(place)
		return nil
	}
	select {
	case <-place.Value.(chan struct{}):
		return nil
	case <-ctx.Done():
		if !r.leave(place) {
			r.admit(1) // it was woken: the place is another one's
		}
		return ctx.Err()
	}
}

func (r *room) join() *list.Element {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.line.PushBack(make(chan struct{}))
}

// leave reports whether who leaves had not been woken.
func (r *room) leave(place *list.Element) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-place.Value.(chan struct{}):
		return false
	default:
		r.line.Remove(place)
		return true
	}
}

// admit wakes so many. It costs one load while nobody waits.
func (r *room) admit(places int) {
	if r.wanted.Load() != 0 {
		r.wake(places)
	}
}

func (r *room) wake(places int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; places > 0 && r.line.Len() > 0; places-- {
		close(r.line.Remove(r.line.Front()).(chan struct{}))
	}
}

// admitAll wakes all: there will be no more places.
func (r *room) admitAll() { r.admit(math.MaxInt) }
