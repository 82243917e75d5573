package traced

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
)

// A got is of the waits for a lock at a line.
type got struct {
	last [4]trace.Time        // when those ended that did so last
	by   map[stack.Place]bool // where who ended any had waited for a lock itself
}

// sameLock reports that who ended a wait had waited for the same lock at another line, or may have: both
// waits were ended where one lock is given back; or it was handed over from the one line to the other;
// or it was handed to others at one of the two while that one waited, as no lock is that it held; or that
// one gave it back in the function in which it had waited, and nobody waits for another lock in that.
func (r *reading) sameLock(did, wait interval) bool {
	if did.kind != stack.Lock {
		return false
	}
	if did.woken == wait.woken || r.handedOn(wait.place, did) || r.gotDuring(did.place, did) || r.gotDuring(wait.place, did) {
		return true
	}
	for place := range r.sums.parts[stack.Lock] {
		if place.Func == did.place.Func && place != did.place {
			return false
		}
	}
	in := did.place.Func
	return in != "" && (in == wait.woken.Func || strings.HasPrefix(wait.woken.Func, in+".")) // a closure of it, too
}

// waitedForLock is where a goroutine has waited for a lock last, of what is remembered.
func (g *goroutine) waitedForLock() (place stack.Place) {
	for i := range min(g.next, remembered) {
		if did := g.last[(g.next-1-i)%remembered]; did.kind == stack.Lock {
			return did.place
		}
	}
	return place
}

// lockGot notes that a wait for a lock has ended at a line.
func (r *reading) lockGot(wait interval) {
	if r.got == nil {
		r.got = map[stack.Place]*got{}
	}
	at := r.got[wait.place]
	if at == nil {
		at = &got{by: map[stack.Place]bool{}}
		r.got[wait.place] = at
	}
	copy(at.last[1:], at.last[:])
	at.last[0], at.by[wait.by] = r.now, true
}

// handedOn reports that a lock was handed over from a line to where somebody waited, by way of others
// perhaps.
func (r *reading) handedOn(from stack.Place, wait interval) bool {
	seen := map[stack.Place]bool{}
	next := []stack.Place{wait.by}
	for len(next) > 0 {
		by := next[0]
		if next = next[1:]; by == from {
			return true
		}
		if at := r.got[by]; at != nil && !seen[by] {
			seen[by] = true
			next = slices.AppendSeq(next, maps.Keys(at.by))
		}
	}
	return false
}

// gotDuring reports that one of the last waits at a line ended amid what was done.
func (r *reading) gotDuring(place stack.Place, did interval) bool {
	waits := r.got[place]
	return waits != nil && slices.ContainsFunc(waits.last[:], func(at trace.Time) bool { return at > did.from && at < did.to })
}
