package actor

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/internal/turn"
)

// A ring is a bounded queue of one producer and one receiver: an array that both go
// around, the producer ahead. Showing messages to the receiver is one
// compare-and-swap of put, which fails once the ring is closed: a message is handed
// over if and only if it was shown before. The array has twice the capacity, so that
// the producer never comes upon the run that the receiver has in hand.
type ring[M any] struct {
	slots    []M
	capacity int
	full     WhenFull
	alike    func(first, message M) bool
	bell     *bell // of the receiver
	room     turn.News

	_       [128]byte // the producer's
	number  uint64    // how many messages were put
	at      int       // the slot of the next
	free    int       // how many more may be, as far as is known
	dropped atomic.Int64

	_     [128]byte
	put   atomic.Uint64 // number, as the receiver sees it, and shut once the ring is closed
	_     [128]byte
	taken atomic.Uint64 // how many messages were handed over

	few  bool
	over []M // the receiver's: a run that goes past the array's end, copied
}

// shut in the word put says that the ring is closed.
const shut = 1 << 63

func newRing[M any](options Options[M], receiver *bell) *ring[M] {
	return &ring[M]{slots: make([]M, 2*options.Capacity), capacity: options.Capacity, free: options.Capacity,
		full: options.WhenFull, alike: options.Alike, bell: receiver}
}

// Put implements [Producer].
func (r *ring[M]) Put(ctx context.Context, message M) error {
	if r.free == 0 {
		if dropped, err := r.makeRoom(ctx, message); dropped || err != nil {
			return err
		}
	}
	r.slots[r.at] = message
	return r.show(1, message)
}

// PutAll implements [Producer]. It puts as many at once as there is room for.
func (r *ring[M]) PutAll(ctx context.Context, messages []M) (n int, err error) {
	for n < len(messages) {
		if r.free == 0 {
			dropped, err := r.makeRoom(ctx, messages[n])
			if err != nil {
				return n, err
			}
			if dropped {
				n++
				continue
			}
		}
		some := messages[n:min(n+r.free, len(messages))]
		toEnd := copy(r.slots[r.at:], some)
		copy(r.slots, some[toEnd:])
		if err := r.show(len(some), some[0]); err != nil {
			return n, err
		}
		n += len(some)
	}
	return n, nil
}

// show shows so many messages to the receiver, which are in their slots.
func (r *ring[M]) show(n int, first M) error {
	if !r.put.CompareAndSwap(r.number, r.number+uint64(n)) {
		return r.takeBack(n, first)
	}
	r.number += uint64(n)
	r.free -= n
	if r.at += n; r.at >= len(r.slots) {
		r.at -= len(r.slots)
	}
	r.bell.ring()
	return nil
}

// takeBack empties the slots of messages that could not be shown.
func (r *ring[M]) takeBack(n int, first M) error {
	if r.put.Load() != r.number|shut {
		panic("actor: two goroutines put through one producer of Rings at once")
	}
	var none M
	for i := range n {
		r.slots[(r.at+i)%len(r.slots)] = none
	}
	return putError(first, ErrClosed)
}

// makeRoom waits until there is room for a message, or says what becomes of it.
func (r *ring[M]) makeRoom(ctx context.Context, message M) (dropped bool, err error) {
	for {
		switch r.free = r.capacity - r.len(); {
		case r.closed():
			return false, putError(message, ErrClosed)
		case r.free > 0:
			return false, nil
		case r.full == Fail:
			return false, putError(message, ErrFull)
		case r.full == DropNewest:
			r.dropped.Add(1)
			refuse(message, ErrFull)
			return true, nil
		}
		if err := awaitRoom(ctx, &r.room, r.mayPut); err != nil {
			return false, putError(message, err)
		}
	}
}

func (r *ring[M]) mayPut() bool { return r.closed() || r.len() < r.capacity }

func (r *ring[M]) closed() bool { return r.put.Load()&shut != 0 }

// close reports whether the ring was open.
func (r *ring[M]) close() bool {
	open := r.put.Or(shut)&shut == 0
	r.room.Tell()
	return open
}

func (r *ring[M]) lost() int { return int(r.dropped.Load()) }

// len is how many messages were put and not handed over.
func (r *ring[M]) len() int {
	taken := r.taken.Load() // first: what is put and taken between makes it more, never less than none
	return int(r.put.Load()&^shut - taken)
}

// next returns a message with those like it that are there; none if there is none.
func (r *ring[M]) next() []M {
	taken := r.taken.Load()
	n := int(r.put.Load()&^shut - taken)
	if n == 0 {
		return nil
	}
	if n < 64 && r.few {
		for range 500 {
			lookAway()
		}
		n = int(r.put.Load()&^shut - taken)
	}
	r.few = n < 64
	from := int(taken % uint64(len(r.slots)))
	run := r.cut(r.slots[from:min(from+n, len(r.slots))], n)
	r.taken.Store(taken + uint64(len(run)))
	r.room.Tell()
	return slices.Clip(run) // who appends to it does not write over what waits
}

// cut returns of n messages those at the front that are alike. Where they go on at
// the array's beginning they are copied.
func (r *ring[M]) cut(front []M, n int) []M {
	run := r.like(front[0], front, 1)
	if r.alike == nil || len(run) < len(front) || n == len(front) {
		return run
	}
	more := r.like(front[0], r.slots[:n-len(front)], 0)
	if len(more) == 0 {
		return run
	}
	r.over = append(append(r.over[:0], front...), more...)
	clear(front)
	clear(more)
	return r.over
}

// like returns those at the front that are like the first of a run. So many are known
// to be.
func (r *ring[M]) like(first M, messages []M, known int) []M {
	for i := known; i < len(messages) && r.alike != nil; i++ {
		if !r.alike(first, messages[i]) {
			return messages[:i]
		}
	}
	return messages
}

//go:noinline
func lookAway() {}
