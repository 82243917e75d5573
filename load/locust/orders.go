package locust

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// An order is what is to become of the users. One is carried out at a time, beside the loop.
type order struct {
	kind    orderKind
	counts  map[string]int // users by class
	run     string         // the master's name of it; empty: it gives none
	options Options
	lasts   time.Duration // the run; 0: not known
	ahead   time.Duration // the master's clock, of this machine's
	then    orderKind     // of leave: what it was for
}

type orderKind int

const (
	spawn   orderKind = iota
	stop              // the run, and be ready for the next one
	rejoin            // stop, and join another master
	quit              // for good
	discard           // the run, of which the master knows no more
	leave             // the run is over: close it
)

// A result is what came of an order.
type result struct {
	order
	crew   *crew
	doubts []error // to be told, where they are some, and no fault of the worker's
	err    error
}

// want has an order carried out next. The newest counts, but nothing comes after quit.
func (w *worker) want(o order) {
	if w.quitting() || w.rejoining && o.kind != quit {
		return
	}
	if o.kind == quit {
		close(w.hurry)
	}
	w.next = &o
}

// quitting reports whether this worker is to end.
func (w *worker) quitting() bool {
	select {
	case <-w.hurry:
		return true
	default:
		return false
	}
}

// begin begins what is to be done next. A run that has halted is closed before that, and one
// that the master knows no more ends before another one begins.
func (w *worker) begin(ctx context.Context) {
	if w.order != nil {
		return
	}
	switch {
	case w.after != nil:
		w.order, w.after = w.after, nil
	case w.next != nil && w.next.kind == spawn && w.crew != nil && w.next.run != "" && w.crew.isOther(w.next.run):
		w.order = &order{kind: discard}
	case w.next != nil:
		w.order, w.next = w.next, nil
	default:
		return
	}
	o, c, users := *w.order, w.crew, w.Users
	go func() { w.results <- carryOut(ctx, o, c, users, w.hurry) }()
}

func carryOut(ctx context.Context, o order, c *crew, users Users, hurry <-chan struct{}) result {
	r := result{order: o, crew: c}
	switch {
	case o.kind == spawn:
		if c == nil {
			if r.crew, r.err = openCrew(ctx, users, o); r.err != nil {
				return r
			}
		}
		var over error
		r.counts, over = fitted(o.counts, r.crew.run.Most())
		r.doubts = []error{over, r.crew.heeds(o.options)}
		r.err = r.crew.set(sum(r.counts))
	case c == nil:
	case o.kind == leave:
		if r.err = c.halt(abandoned, nil); r.err == nil {
			var doubt error
			doubt, r.err = c.close()
			r.doubts = []error{doubt}
		}
	default:
		r.err = c.halt(halting, hurry)
	}
	return r
}

// errTooMany says that fewer users are at work than the master wants.
var errTooMany = errors.New("more users than this worker was started for")

// fitted are as many users as there can be.
func fitted(counts map[string]int, most int) (map[string]int, error) {
	over := sum(counts) - most
	if over <= 0 {
		return counts, nil
	}
	err := fmt.Errorf("%w: the master wants %d here, and %d work (--max-users)", errTooMany, sum(counts), most)
	counts = maps.Clone(counts)
	for _, class := range slices.Sorted(maps.Keys(counts)) {
		less := min(over, counts[class])
		counts[class] -= less
		over -= less
	}
	return counts, err
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// carriedOut goes on with what follows.
func (w *worker) carriedOut(r result) {
	w.order, w.crew = nil, r.crew
	switch r.kind {
	case spawn:
		w.spawned(r)
	case leave:
		w.left(r)
	default:
		w.halted(r)
	}
}

// spawned tells the master how many users there are. Where the run could not be opened, which
// can be for what the page says, there are none, and the next run may be one.
func (w *worker) spawned(r result) {
	if r.crew == nil || r.crew.number == 0 { // the master has emptied its table
		w.forgo("the one at " + w.Master + " has begun another run")
	}
	w.complain(append(r.doubts, r.err)...)
	switch {
	case r.crew == nil:
		w.fault = cmp.Or(w.fault, r.err)
		clear(r.counts)
	case r.err != nil:
		w.fail(r.err)
		return
	case r.crew.number == 0:
		w.runs++
		r.crew.number = w.runs
		w.meter.spent()
	}
	w.counts, w.state = r.counts, stateRunning
	w.send("spawning_complete", map[string]any{"user_classes_count": w.counts, "user_count": sum(w.counts)})
}

// halted tells the master the last of what users did, since nobody works any more, or is
// waited for no longer. It has the run closed before anything else is done.
func (w *worker) halted(r result) {
	for class := range w.counts {
		w.counts[class] = 0
	}
	w.complain(r.err)
	if r.err != nil && !w.quitting() {
		w.fail(r.err)
	}
	if r.kind == discard {
		w.discard()
	} else {
		w.report(true)
	}
	switch r.kind {
	case stop:
		w.tell("client_stopped", nil)
		w.departed = true
	case quit:
		w.tell("quit", nil)
	}
	if r.err != nil { // what they wait for is ended
		w.crew.abandon()
	}
	w.after = &order{kind: leave, then: r.kind}
}

// discard gives up what users did in a run that is no more: told now, it would count in another.
func (w *worker) discard() {
	of, _, _ := w.crew.take()
	n := w.outbox.forgo()
	for _, cells := range of {
		n += int(sumOf(cells).all().Count())
	}
	w.lose(n, errUntold, "the one at "+w.Master+" has begun another run")
}

// left is ready for what comes. A run whose operations did not have their effect is no
// reason to do no other, but for the exit code.
func (w *worker) left(r result) {
	w.crew = nil
	if r.then == discard {
		w.regret(append(r.doubts, r.err)...)
	} else {
		w.complain(append(r.doubts, r.err)...)
	}
	w.fault = cmp.Or(w.fault, r.err)
	w.state = stateReady
	switch r.then {
	case stop:
		w.departed = false
		w.tell("client_ready", Version)
	case discard:
		if w.next == nil || w.next.kind != spawn { // the order of the run that there is was lost, too
			w.tell("client_ready", Version)
		}
	case quit:
		w.leaving = time.After(confirming)
	case rejoin:
		w.forgo("the one at " + w.Master + " knew this worker no more, or is another one")
		w.rejoining = false
		w.connected, w.lastSpawn, w.name = false, 0, newName()
		w.wire.drop(w.name)
	}
}

// regret says here what went wrong in a run that is no more: the master's page is another one's.
func (w *worker) regret(all ...error) {
	for _, err := range all {
		if err != nil {
			w.Say("in the run that was given up: " + err.Error())
		}
	}
}

// complain says what went wrong, if something did, here and on the master's page.
func (w *worker) complain(all ...error) {
	for _, err := range all {
		if err != nil {
			w.Say(err.Error())
			w.tell("exception", map[string]any{"msg": err.Error(), "traceback": err.Error()}) // by that Locust tells one from another
		}
	}
}
