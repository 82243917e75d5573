package remote

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/syncwrite/syncwrite/subject/actor"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// A receiver hands messages to the handler, each of a session once.
type receiver struct {
	handler Handler
	options ServiceOptions
	inbox   *inbox

	mu       sync.Mutex // of what follows
	sessions map[string]*line
	recent   *list.List // of lines, the one that was silent longest in front
}

func newReceiver(handler Handler, options ServiceOptions) *receiver {
	return &receiver{handler: handler, options: options, inbox: newInbox(options.Inbox), sessions: make(map[string]*line), recent: list.New()}
}

// A turn is a line in the hands of one stream.
type turn struct {
	*line
	generation int
}

var errTakenOver = errors.New("another stream goes on with the session, or it is forgotten")

// welcome begins a stream. next is the number of the first message that is due there, 0
// if the session is not known, and missed the answers that the peer has not got.
func (r *receiver) welcome(hello *remotepb.Hello) (t turn, next uint64, missed []answers) {
	l := r.lineOf(string(hello.Session), hello.Next, hello.Resumed)
	if l == nil {
		return turn{}, 0, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.goesOn(hello.Next) {
		return turn{}, 0, nil
	}
	l.from = hello.Name
	l.generation++
	return turn{l, l.generation}, l.next, append(missed, l.unsettled.waiting()...)
}

// lineOf is the line of a session, a new one if it is not known and did not begin
// before; else nil.
func (r *receiver) lineOf(session string, next uint64, resumed bool) *line {
	if session == "" {
		return &line{next: next}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, there := r.sessions[session]; there {
		r.recent.MoveToBack(known.place)
		return known
	}
	if resumed {
		return nil
	}
	l := &line{session: session, next: next}
	r.sessions[session] = l
	l.place = r.recent.PushBack(l)
	if r.recent.Len() > r.options.Sessions {
		r.forget(r.recent.Front())
	}
	return l
}

// forget gives up a session. A packet that is in hand is handled.
func (r *receiver) forget(place *list.Element) {
	l := r.recent.Remove(place).(*line)
	delete(r.sessions, l.session)
	l.forgotten.Store(true)
}

// take handles the messages of a packet, and returns the answers to them.
func (r *receiver) take(ctx context.Context, t turn, packet *remotepb.Packet, most int) ([]answers, error) {
	messages, err := messagesOf(packet.Frames, r.options.Largest)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.generation != t.line.generation || t.forgotten.Load():
		return nil, errTakenOver
	case packet.First != t.next:
		return nil, fmt.Errorf("%w: message %d came where %d was due", errProtocol, packet.First, t.next)
	case packet.Settled >= t.next:
		return nil, fmt.Errorf("%w: the answer to message %d is settled, and %d was due", errProtocol, packet.Settled, t.next)
	}
	if t.session != "" {
		ctx = context.WithoutCancel(ctx)
	}
	t.settle(packet.Settled)
	all, err := r.inbox.keep(t.line, packet, func() []answers { return r.handle(ctx, t.line, messages, most) })
	if err != nil {
		return nil, err
	}
	return all, t.keep(all)
}

// handle hands messages to the handler.
func (r *receiver) handle(ctx context.Context, l *line, messages []Message, most int) (all []answers) {
	a := answers{first: l.next}
	for _, m := range messages {
		text, err := r.handler(ctx, l.from, m)
		outcome := Answered
		if err == nil && len(text) > most {
			err = fmt.Errorf("answer: %w: %d bytes, at most %d", ErrTooLarge, len(text), most)
		}
		if err != nil {
			outcome, text = Failed, []byte(err.Error())
			text = text[:min(len(text), most)]
		}
		if a.count > 0 && len(a.frames)+frameSize(text) > packetSize {
			all = append(all, a)
			a = answers{first: l.next}
		}
		a.frames = appendFrame(a.frames, uint64(outcome), text)
		a.count++
		l.next++
	}
	return append(all, a)
}

// messagesOf are those of a packet, or what is wrong with it.
func messagesOf(frames []byte, largest int) (messages []Message, err error) {
	for len(frames) > 0 {
		var kind uint64
		var payload []byte
		kind, payload, frames, err = cutFrame(frames)
		switch {
		case err != nil:
			return nil, err
		case kind > math.MaxUint16:
			return nil, fmt.Errorf("%w: no type of message is %d", errFrame, kind)
		case len(payload) > largest:
			return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(payload), largest)
		}
		messages = append(messages, Message{actor.EventType(kind), payload})
	}
	if len(messages) == 0 {
		return nil, fmt.Errorf("%w: a packet without messages", errProtocol)
	}
	return messages, nil
}
