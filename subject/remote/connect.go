package remote

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"net/url"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"

	"github.com/syncwrite/syncwrite/subject/internal/printable"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

const (
	version     = 1
	sessionSize = 16
	mostPauses  = 100 // times the first one
)

// A session is what a receiver knows a peer by. The goroutine that connects has it.
type session struct {
	id    []byte
	began uint64 // the number of its first message
	known bool   // the receiver has welcomed it
}

func newSession() session {
	id := make([]byte, sessionSize)
	rand.Read(id) // never fails
	return session{id: id, began: 1}
}

// keepConnected opens one stream after the other until the peer is closed. Each ends
// before the next one begins, with all that works for it.
func (p *Peer) keepConnected() {
	for pause := p.options.Backoff; p.ctx.Err() == nil; {
		answered := p.Counts().Answered
		lived := p.connectOnce()
		if lived > pause || p.Counts().Answered > answered { // it was of use
			pause = p.options.Backoff
		}
		select {
		case <-p.ctx.Done():
		case <-time.After(pause/2 + mathrand.N(pause)):
		}
		pause = min(2*pause, mostPauses*p.options.Backoff)
	}
}

// connectOnce opens a stream, on a connection of its own, and receives from it until it
// ends. It returns how long that took, where the receiver has welcomed the peer.
func (p *Peer) connectOnce() (lived time.Duration) {
	ctx, cancel := context.WithCancelCause(p.ctx)
	defer cancel(nil)
	conn, err := grpc.NewClient("passthrough:///"+url.PathEscape(p.endpoint), p.dialing...)
	if err != nil {
		p.link.failed(err)
		return 0
	}
	defer conn.Close()
	s, next, err := p.open(ctx, cancel, remotepb.NewRemoteClient(conn))
	if err != nil {
		if !p.session.known { // what was on its way of it can arrive late, and is nobody's
			p.session = session{id: newSession().id, began: p.session.began}
		}
		p.link.failed(why(ctx, err))
		return 0
	}
	generation, tooLarge, err := p.link.begin(s, cancel, next, p.fits)
	if err != nil {
		p.link.failed(err)
		return 0
	}
	began := time.Now()
	for _, c := range tooLarge { // sent before, and due still: they were not handled
		p.lose([]call{c}, loss{why: p.fits(c.Message)})
	}
	p.link.told(len(tooLarge))
	var working sync.WaitGroup
	working.Go(func() { p.resend(generation, s) })
	working.Go(func() { p.watchProgress(ctx, generation) })
	err = p.listen(generation, s)
	err = why(ctx, err)
	cancel(err)
	p.abandon(p.link.broken(err), err)
	working.Wait()
	return time.Since(began)
}

// open opens a stream. next is the number of the first message that is to be sent.
func (p *Peer) open(ctx context.Context, cancel context.CancelCauseFunc, client remotepb.RemoteClient) (s stream, next uint64, err error) {
	late := time.AfterFunc(p.options.Stalled, func() { cancel(ErrStalled) })
	defer late.Stop()
	if s, err = client.Connect(ctx); err == nil {
		next, err = p.greet(s)
	}
	return s, next, err
}

// why is what has ended a stream, without the words of gRPC around it.
func why(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	if s, is := status.FromError(err); is {
		return errors.New(printable.Text(s.Message()))
	}
	return err
}

// greet exchanges the first packets.
func (p *Peer) greet(s stream) (next uint64, err error) {
	first := p.link.next()
	err = s.Send(&remotepb.Packet{Hello: &remotepb.Hello{
		Version: version, Name: p.options.Self, Session: p.session.id, Once: p.options.ExactlyOnce,
		Began: p.session.began, Resumed: p.session.known, Next: first, Largest: uint64(p.options.Largest),
	}})
	// After an error to send, the one to receive says why.
	packet, received := s.Recv()
	if received != nil {
		return 0, received
	}
	hello := packet.GetHello()
	switch {
	case err != nil:
		return 0, err
	case hello.GetVersion() != version:
		return 0, fmt.Errorf("%w: it speaks version %d of it, this one %d", errProtocol, hello.GetVersion(), version)
	}
	if hello.Next == 0 {
		p.abandon(p.link.forget(), ErrForgotten)
		p.session = newSession() // another receiver may know the old one still
		p.session.began = p.link.next()
		return 0, ErrForgotten
	}
	p.largest.Store(int64(min(hello.Largest, uint64(p.options.Largest))))
	p.session.known = true
	return hello.Next, nil
}

// resend sends what the last stream's end has left without an answer, and makes the
// stream the messenger's.
func (p *Peer) resend(generation uint64, s stream) {
	for {
		first, settled, calls := p.link.resend(generation, s, p.fit)
		if len(calls) == 0 {
			return
		}
		if err := s.Send(packetOf(first, settled, calls)); err != nil {
			p.link.hangUp(generation, err)
			return
		}
	}
}

// watchProgress gives a stream up on which messages wait and no answer comes.
func (p *Peer) watchProgress(ctx context.Context, generation uint64) {
	const looks = 4
	tick := time.NewTicker(max(p.options.Stalled/looks, 1))
	defer tick.Stop()
	last, unchanged := uint64(0), 0
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		first := p.link.waitsFor()
		if unchanged++; first == 0 || first != last {
			last, unchanged = first, 0
		}
		if unchanged >= looks {
			p.link.hangUp(generation, fmt.Errorf("%w in %v", ErrStalled, p.options.Stalled))
		}
	}
}

// listen receives answers until the stream ends.
func (p *Peer) listen(generation uint64, s stream) error {
	var calls []call
	var events []Event
	for {
		packet, err := s.Recv()
		if err != nil {
			return err
		}
		answers, err := answersOf(packet.Frames)
		if err != nil {
			return err
		}
		calls, err = p.link.answered(generation, packet.First, len(answers), calls[:0])
		if err != nil {
			return err
		}
		events = p.settle(calls, answers, events[:0])
		p.tell(events)
		p.link.told(len(calls))
		clear(calls)
		clear(events)
	}
}

// An answer is what came back for one message.
type answer struct {
	payload []byte
	failed  bool
}

func answersOf(frames []byte) (answers []answer, err error) {
	for len(frames) > 0 {
		var kind uint64
		var payload []byte
		if kind, payload, frames, err = cutFrame(frames); err != nil {
			return nil, err
		}
		answers = append(answers, answer{payload, Outcome(kind) != Answered})
	}
	return answers, nil
}

// settle answers requests, and adds the events of the other messages.
func (p *Peer) settle(calls []call, answers []answer, events []Event) []Event {
	for i, c := range calls {
		a := answers[i]
		switch {
		case c.asked && a.failed:
			c.Refuse(&HandlerError{printable.Text(string(a.payload))})
		case c.asked:
			c.reply.Send(a.payload) // if nobody waits any more, nobody need be told
		case a.failed:
			events = append(events, Event{Outcome: Failed, Message: c.Message, Err: &HandlerError{printable.Text(string(a.payload))}})
		default:
			events = append(events, Event{Message: c.Message, Answer: a.payload})
		}
	}
	return events
}
