package locust

import (
	"errors"
	"fmt"

	"github.com/syncwrite/syncwrite/results"
)

// An outbox holds what a master has to get, in this order, until it is certain that it has it.
// Locust's master confirms no statistics. But it takes one message after another: its answer to a
// heartbeat confirms what was sent before that. Nothing is sent twice, since it would count twice.
type outbox struct {
	waiting []letter
	sent    []letter // on this connection, and not confirmed
	asked   int      // heartbeats, on this connection
	heard   int      // answers to them
}

// A letter is a message of an outbox.
type letter struct {
	frame      []byte
	operations int  // that it tells of
	asks       bool // it is a heartbeat
	asked      int  // heartbeats before it
}

// flush sends what waits, until something cannot be sent.
func (o *outbox) flush(send func(frame []byte) error) {
	for len(o.waiting) > 0 {
		l := o.waiting[0]
		if send(l.frame) != nil {
			return
		}
		o.waiting = o.waiting[1:]
		if l.asks {
			o.asked++
		}
		if l.operations > 0 {
			l.asked = o.asked
			o.sent = append(o.sent, l)
		}
	}
}

// answered is told of each answer to a heartbeat.
func (o *outbox) answered() {
	o.heard = min(o.heard+1, o.asked)
	for len(o.sent) > 0 && o.sent[0].asked < o.heard {
		o.sent = o.sent[1:]
	}
}

// broken is told that the connection has ended, and returns how many operations were told of and not confirmed.
func (o *outbox) broken() int {
	n := operations(o.sent)
	o.sent, o.asked, o.heard = nil, 0, 0
	return n
}

// forgo empties what waits, and returns how many operations nobody was told of.
func (o *outbox) forgo() int {
	n := operations(o.waiting)
	o.waiting = nil
	return n
}

// settled reports whether a master was told of all operations, and has confirmed it.
func (o *outbox) settled() bool { return operations(o.waiting)+operations(o.sent) == 0 }

func operations(letters []letter) (n int) {
	for _, l := range letters {
		n += l.operations
	}
	return n
}

// What becomes of operations that are in no figure, or perhaps in none.
var (
	errUntold = errors.New("no master was told of")
	errUnsure = errors.New("the master may not have counted")
)

// tell has the master get a message, as soon as it is certain that it knows this worker.
func (w *worker) tell(kind string, data any) { w.post(kind, data, letter{}) }

func (w *worker) post(kind string, data any, l letter) {
	frame, err := message{kind: kind, data: data, node: w.name}.encode()
	if err != nil {
		w.fail(fmt.Errorf("message %s: %w", kind, err))
		return
	}
	l.frame = frame
	w.outbox.waiting = append(w.outbox.waiting, l)
	w.deliver()
}

// deliver sends what waits, if this master knows the worker.
func (w *worker) deliver() {
	if w.joined && w.trusted {
		w.outbox.flush(w.wire.send)
	}
}

// forgo gives up what the master was not told.
func (w *worker) forgo(why string) { w.lose(w.outbox.forgo(), errUntold, why) }

// lose says that so many operations are in no figure, or perhaps in none. The page is told where
// the figures are its master's, and the exit code is 1.
func (w *worker) lose(n int, how error, why string) {
	if n == 0 {
		return
	}
	err := fmt.Errorf("%w %s: %s", how, results.Count(n, "operation"), why)
	switch {
	case w.rejoining:
		w.Say(err.Error())
	case !w.quitting():
		w.complain(err)
	case w.fault != nil: // else it is what the worker ends with
		w.Say(err.Error())
	}
	if w.fault == nil {
		w.fault = err
	}
}
