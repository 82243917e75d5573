package remote

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// dispatch sends what is in the mailbox until that is closed and empty.
func (p *Peer) dispatch() {
	var waiting []call
	p.outbox.Receive(context.Background(), func(run []call) error {
		waiting = append(waiting, run...)
		if p.moreToCome(len(run), waiting) {
			return nil
		}
		for rest := waiting; len(rest) > 0; {
			rest = p.send(rest)
		}
		clear(waiting)
		waiting = waiting[:0]
		p.link.room() // what comes meanwhile travels together
		return nil
	}) // ends without an error
}

// moreToCome reports whether others were waiting for the room that a run has left, and
// have it by now: they travel together.
func (p *Peer) moreToCome(run int, waiting []call) bool {
	if run < p.options.Mailbox || p.options.PerPacket == 1 || p.fit(waiting) < len(waiting) {
		return false
	}
	runtime.Gosched()
	return p.outbox.Len() > 0
}

// send sends the first of some messages as one packet, and returns the rest.
func (p *Peer) send(waiting []call) (rest []call) {
	s, generation, err := p.link.await(func() bool { return !slices.ContainsFunc(waiting, call.isWanted) })
	if err != nil {
		p.give(waiting, err)
		return nil
	}
	if s == nil {
		p.take(waiting) // nobody waits for any: each is told as lost
		return nil
	}
	n := p.fit(waiting)
	packet, rest := p.take(waiting[:n]), waiting[n:]
	if len(packet) == 0 {
		return rest
	}
	first, settled, ok := p.link.register(generation, packet)
	if !ok { // another stream: they go on that, unless they are given up before
		for i := range packet {
			packet[i].cancel = newWithdrawal(packet[i])
			p.watch(packet[i])
		}
		return waiting[n-copy(waiting[n-len(packet):n], packet):]
	}
	if err := s.Send(packetOf(first, settled, packet)); err != nil {
		p.link.hangUp(generation, err)
	}
	return rest
}

// take takes those of some messages that are still to be sent, to the front.
func (p *Peer) take(calls []call) []call {
	kept := calls[:0]
	for _, c := range calls {
		if !c.cancel.take() {
			continue
		}
		c.cancel = nil
		if err := cmp.Or(ended(c.ctx), p.fits(c.Message)); err != nil {
			p.lose([]call{c}, loss{why: err})
		} else {
			kept = append(kept, c)
		}
	}
	return kept
}

// give gives up messages that were not sent, and will not be since the link is closed.
func (p *Peer) give(calls []call, why error) {
	calls = slices.DeleteFunc(calls, func(c call) bool { return !c.cancel.take() })
	p.lose(calls, loss{why: why, left: true})
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

// A loss is how messages are lost.
type loss struct {
	why  error
	sent bool
	left bool // Close has given them up
}

// lose tells of messages that are lost.
func (p *Peer) lose(calls []call, how loss) {
	if len(calls) == 0 {
		return
	}
	var events []Event
	for _, c := range calls {
		err := &LostError{Type: c.Type, Peer: p.options.Name, Endpoint: p.endpoint, Sent: how.sent, Why: how.why}
		if c.asked {
			c.Refuse(err)
		} else {
			events = append(events, Event{Outcome: Lost, Message: c.Message, Err: err})
		}
	}
	p.link.count(func(n *Counts) {
		n.Lost += len(calls)
		if how.left {
			n.Left += len(calls)
		}
	})
	p.tell(events)
}

// abandon tells of messages that had no answer when there could be none any more. A
// stream ends with ErrClosed itself when Close gives up, and only then.
func (p *Peer) abandon(calls []call, why error) {
	p.lose(calls, loss{why: why, sent: true, left: why == ErrClosed})
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
