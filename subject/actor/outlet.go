package actor

import "slices"

// An outlet is a lane with its receiver's side: what was taken, and how it is cut
// into runs.
type outlet[M any] struct {
	lane[M]
	alike func(first, message M) bool

	taken []M // the slice that was taken
	rest  []M // what of it was not handed over
	run   []M // one that did not end with its slice
}

func (o *outlet[M]) open(options Options[M], receiver *bell) {
	o.lane.open(options, receiver)
	o.alike = options.Alike
}

// next returns a message with those like it that are there; none if there is none.
func (o *outlet[M]) next() []M {
	o.run = o.run[:0]
	if len(o.rest) == 0 && !o.take() {
		return nil
	}
	run := o.cut(o.rest[0], 1, o.capacity)
	if o.alike == nil || len(o.rest) > 0 || !o.goesOn(run[0]) {
		return run
	}
	// The run is about to lose its slice, since what goes on with it is in the other
	// one.
	o.move(run)
	for first := o.run[0]; len(o.run) < o.capacity && len(o.rest) == 0 && o.goesOn(first); {
		o.take()
		o.move(o.cut(first, 0, o.capacity-len(o.run))) // what was looked at may be dropped by now
	}
	return slices.Clip(o.run)
}

// move puts what was taken into a run of its own.
func (o *outlet[M]) move(taken []M) {
	o.run = append(o.run, taken...)
	clear(taken)
}

// cut takes what is like the first message of a run off the rest, at most so many. So
// many at the front are known to be.
func (o *outlet[M]) cut(first M, known, most int) []M {
	n := min(len(o.rest), most)
	for i := known; i < n && o.alike != nil; i++ {
		if !o.alike(first, o.rest[i]) {
			n = i
		}
	}
	taken := o.rest[:n:n] // who appends to it does not write over the rest
	o.keep(o.rest[n:])
	return taken
}

func (o *outlet[M]) keep(rest []M) {
	o.rest = rest
	o.left.Store(int64(len(rest)))
}

// goesOn reports whether the next message that has arrived is like the first of a
// run.
func (o *outlet[M]) goesOn(first M) bool {
	message, there := o.first()
	return there && o.alike(first, message)
}

// take takes what waits, if anything does.
func (o *outlet[M]) take() bool {
	if o.waits() == 0 {
		return false
	}
	o.taken = o.lane.take(o.taken[:0])
	o.rest = o.taken
	return true
}
