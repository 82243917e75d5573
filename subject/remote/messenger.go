package remote

import (
	"context"
	"errors"
	"runtime"

	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// dispatch sends what is in the mailbox until that is closed and empty.
func (p *Peer) dispatch() {
	var calls []call
	p.outbox.Receive(context.Background(), func(run []call) error {
		calls = p.take(run, calls)
		if p.moreToCome(len(run), calls) {
			return nil
		}
		for rest := calls; len(rest) > 0; {
			rest = rest[p.send(rest):]
		}
		clear(calls)
		calls = calls[:0]
		p.link.room() // what comes meanwhile travels together
		return nil
	}) // ends without an error
}

// moreToCome reports whether others were waiting for the room that a run has left, and
// have it by now: they travel together.
func (p *Peer) moreToCome(run int, calls []call) bool {
	if run < p.options.Mailbox || p.options.PerPacket == 1 || p.fit(calls) < len(calls) {
		return false
	}
	runtime.Gosched()
	return p.outbox.Len() > 0
}

// take takes messages off the mailbox that are still to be sent.
func (p *Peer) take(run, to []call) []call {
	for _, c := range run {
		if !c.cancel.take() {
			continue
		}
		if err := errors.Join(c.ctx.Err(), p.fits(c.Message)); err != nil {
			p.lose([]call{c}, false, err)
		} else {
			to = append(to, c)
		}
	}
	return to
}

// send sends the first of some messages as one packet, and returns how many are done
// with.
func (p *Peer) send(calls []call) int {
	s, generation, err := p.link.await()
	if err != nil {
		p.lose(calls, false, err)
		return len(calls)
	}
	n := p.fit(calls)
	first, settled, ok := p.link.register(generation, calls[:n])
	if !ok {
		return 0 // another stream
	}
	if err := s.Send(packetOf(first, settled, calls[:n])); err != nil {
		p.link.hangUp(generation, err)
	}
	return n
}

// fit is how many of some messages go into one packet: at least one.
func (p *Peer) fit(calls []call) int {
	if p.options.PerPacket > 0 {
		calls = calls[:min(len(calls), p.options.PerPacket)]
	}
	size := 0
	for i, c := range calls {
		if size += frameSize(c.Payload); size > packetSize {
			return max(i, 1)
		}
	}
	return len(calls)
}

func packetOf(first, settled uint64, calls []call) *remotepb.Packet {
	size := 0
	for _, c := range calls {
		size += frameSize(c.Payload)
	}
	frames := make([]byte, 0, size)
	for _, c := range calls {
		frames = appendFrame(frames, uint64(c.Type), c.Payload)
	}
	return &remotepb.Packet{First: first, Settled: settled, Frames: frames}
}

// lose tells of messages that are lost.
func (p *Peer) lose(calls []call, sent bool, why error) {
	if len(calls) == 0 {
		return
	}
	var events []Event
	for _, c := range calls {
		err := &LostError{Type: c.Type, Peer: p.options.Name, Endpoint: p.endpoint, Sent: sent, Why: why}
		if c.asked {
			c.Refuse(err)
		} else {
			events = append(events, Event{Outcome: Lost, Message: c.Message, Err: err})
		}
	}
	p.link.count(func(n *Counts) {
		n.Lost += len(calls)
		if errors.Is(why, ErrClosed) {
			n.Left += len(calls)
		}
	})
	p.tell(events)
}

// abandon tells of messages that had no answer when there could be none any more.
func (p *Peer) abandon(calls []call, why error) {
	p.lose(calls, true, why)
	p.link.told(len(calls))
}

// tell hands events over, and counts those for which there is no room when nobody
// waits for it any more.
func (p *Peer) tell(events []Event) {
	if len(events) == 0 {
		return
	}
	if n, err := p.events.PutAll(p.ctx, events); err != nil {
		p.link.count(func(c *Counts) { c.Untold += len(events) - n })
	}
}
