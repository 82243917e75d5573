package actor

import (
	"context"
	"sync/atomic"
)

// An outlet is a lane with its receiver's side: what was taken, and how it is cut
// into runs.
type outlet[M any] struct {
	lane  lane[M]
	alike func(first, message M) bool

	taken []M // the slice that was taken
	rest  []M // what of it was not handed over
	run   []M // one that did not end with its slice
	left  atomic.Int64
}

func (o *outlet[M]) open(options Options[M], receiver *bell) {
	o.lane.open(options, receiver)
	o.alike = options.Alike
}

// Put implements [Producer].
func (o *outlet[M]) Put(ctx context.Context, message M) error { return o.lane.put(ctx, message) }

// PutAll implements [Producer].
func (o *outlet[M]) PutAll(ctx context.Context, messages []M) (int, error) {
	return o.lane.putAll(ctx, messages)
}

func (o *outlet[M]) close() bool { return o.lane.close() }

func (o *outlet[M]) lost() int { return o.lane.lost() }

// len is how many messages were put and not handed over.
func (o *outlet[M]) len() int { return o.lane.len() + int(o.left.Load()) }

// next returns a message with those like it that are there; none if there is none.
// What it returned before is let go: the mailbox is not what keeps it alive.
func (o *outlet[M]) next() []M {
	clear(o.run)
	o.run = o.run[:0]
	if len(o.rest) == 0 && !o.take() {
		return nil
	}
	run := o.cut(o.rest, o.rest[0], o.lane.capacity)
	if o.alike == nil || len(o.rest) > 0 || !o.goesOn(run[0]) {
		return run
	}
	// The run is about to lose its slice, since what goes on with it is in the other
	// one.
	o.run = append(o.run, run...)
	for first := run[0]; len(o.run) < o.lane.capacity && len(o.rest) == 0 && o.goesOn(first); {
		o.take()
		o.run = append(o.run, o.cut(o.rest, first, o.lane.capacity-len(o.run))...)
	}
	return o.run
}

// cut takes what is like a first message off the rest, at most so many.
func (o *outlet[M]) cut(rest []M, first M, most int) []M {
	n := min(len(rest), most)
	for i := 0; i < n && o.alike != nil; i++ {
		if !o.alike(first, rest[i]) {
			n = i
		}
	}
	o.keep(rest[n:])
	return rest[:n]
}

func (o *outlet[M]) keep(rest []M) {
	o.rest = rest
	o.left.Store(int64(len(rest)))
}

// goesOn reports whether the next message that has arrived is like the first of a
// run.
func (o *outlet[M]) goesOn(first M) bool {
	message, there := o.lane.first()
	return there && o.alike(first, message)
}

// take takes what waits, if anything does.
func (o *outlet[M]) take() bool {
	clear(o.taken)
	o.taken = o.taken[:0]
	if o.lane.len() == 0 {
		return false
	}
	o.taken = o.lane.take(o.taken)
	o.keep(o.taken)
	return true
}
