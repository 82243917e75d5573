// Package actors sends messages to one actor from many goroutines, and looks whether
// each was handled, in its sender's order. It is what a program of its own for each
// rival needs: the rivals cannot be linked into one, since both register a file
// actor.proto with protobuf.
package actors

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
	"github.com/syncwrite/syncwrite/subject/actor"
)

// A Message is the n-th of its sender, modulo 256. There is one of each, so that
// nobody allocates one to send it: an interface holds a pointer for nothing.
type Message struct {
	sender *sender
	number uint8
}

// An Actor handles what is sent to it, one message at a time.
type Actor struct {
	Send func(*Message) error
	// Stop returns when all that was sent is handled.
	Stop func() error
}

// A sender's messages are the goroutine's, what it has handled the actor's.
type sender struct {
	messages [256]Message
	next     uint8
	_        [128]byte // no two goroutines on one cache line
	due      uint8
	handled  int
}

// Programs are the experiments of all rivals, by the folder of the program that runs
// each; here nothing can be started of theirs.
func Programs() map[string]harness.Experiment {
	return map[string]harness.Experiment{"hollywood": Experiment("hollywood", nil), "protoactor": Experiment("protoactor", nil)}
}

// Experiment sets our actor against a rival: N goroutines send, one message at a time,
// and a message counts once it was handled.
func Experiment(rival string, start func(handle func(*Message)) (Actor, error)) harness.Experiment {
	promise := results.Promise{Order: "total", Result: "exactly-once", Survives: "nothing"}
	return harness.Experiment{
		Name:       "rival-" + rival,
		Question:   "How many messages does an actor handle, ours and that of " + rival + "?",
		Unit:       "message",
		Goroutines: []int{1, 8, 64},
		Variants: []harness.Variant{
			{Name: "actor", About: "subject/actor, from Dispatch to its handler, as Start returns it", Promise: promise, Open: open(startOurs)},
			{Name: rival, About: "an actor of " + rival + ", spawned as its README does", Promise: promise, Open: open(start)},
		},
	}
}

func startOurs(handle func(*Message)) (Actor, error) {
	ctx := context.Background()
	a := actor.Start(ctx, func(_ *actor.Self[*Message], m *Message) error {
		handle(m)
		return nil
	}, actor.Settings[*Message]{})
	return Actor{
		Send: func(m *Message) error { return a.Dispatch(ctx, m) },
		Stop: func() error { return a.Stop(ctx) },
	}, nil
}

// A trial is the senders of one actor.
type trial struct {
	actor   Actor
	senders []*sender
	err     error // the actor's
}

func open(start func(handle func(*Message)) (Actor, error)) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) {
		t := &trial{}
		var err error
		if t.actor, err = start(t.handle); err != nil {
			return harness.Instance{}, err
		}
		stop := sync.OnceValue(t.actor.Stop)
		return harness.Instance{Worker: t.worker, Finish: stop, Check: t.check, Close: stop}, nil
	}
}

func (t *trial) worker(int) harness.Operation {
	s := &sender{}
	for i := range s.messages {
		s.messages[i] = Message{s, uint8(i)}
	}
	t.senders = append(t.senders, s)
	return func() error {
		m := &s.messages[s.next]
		s.next++
		return t.actor.Send(m)
	}
}

var errOrder = errors.New("a message came out of its sender's order")

func (t *trial) handle(m *Message) {
	s := m.sender
	if m.number != s.due {
		t.err = errOrder
	}
	s.due++
	s.handled++
}

func (t *trial) check(ops int) error {
	handled := 0
	for _, s := range t.senders {
		handled += s.handled
	}
	if handled != ops && t.err == nil {
		return fmt.Errorf("%d of %d messages were handled", handled, ops)
	}
	return t.err
}
