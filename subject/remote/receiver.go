package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
	"github.com/syncwrite/syncwrite/subject/remote/remotepb"
)

// A receiver hands messages to the handler, those of a peer one at a time and each of a
// session once.
type receiver struct {
	handler Handler
	options ServiceOptions
	inbox   *inbox
	lines   *lines
}

func newReceiver(handler Handler, options ServiceOptions) *receiver {
	inbox := newInbox(options.Inbox)
	return &receiver{handler: handler, options: options, inbox: inbox, lines: newLines(options.Sessions, func(l *line) error { return inbox.note(l, forgotten) })}
}

// A turn is a line in the hands of one stream.
type turn struct {
	*line
	stream int64
}

var (
	errTakenOver = errors.New("another stream of the peer has come")
	errUnsettled = errors.New("too many bytes of answers wait to be settled")
)

// welcome begins a stream, when the message in hand of an earlier one is handled. next is
// the number of the first message that is due, 0 if the session is not known, and missed
// the answers that the peer has not got. Without an error the line is to be left.
func (r *receiver) welcome(ctx context.Context, hello *remotepb.Hello) (t turn, next uint64, missed []answers, err error) {
	l, err := r.lines.enter(string(hello.Session), hello.Once, func() *line { return r.fresh(hello) })
	if l == nil || err != nil {
		return turn{}, 0, nil, err
	}
	t = turn{l, l.stream.Add(1)} // who handles for another stream stops behind its message
	if err := l.hold(ctx, t.stream); err != nil {
		r.lines.leave(l)
		return turn{}, 0, nil, err
	}
	defer l.letGo()
	if !hello.Once || !hello.Resumed && l.began != hello.Began {
		l.restart(hello.Began, hello.Next)
	}
	if err := r.inbox.refuses(); err != nil {
		r.lines.leave(l)
		return turn{}, 0, nil, err
	}
	if hello.Once && !l.noted {
		if err := r.inbox.note(l, begins); err != nil {
			r.lines.leave(l)
			return turn{}, 0, nil, err
		}
		l.noted = true
	}
	if !l.goesOn(hello.Began, hello.Next) {
		r.lines.leave(l)
		return turn{}, 0, nil, nil
	}
	l.from, l.most = hello.Name, int(min(hello.Largest, uint64(r.options.Largest)))
	return t, l.next, append(missed, l.unsettled.waiting()...), nil
}

// fresh makes a line for a peer of which nothing is known; nil if something should be: it
// was welcomed before, and not here or forgotten.
func (r *receiver) fresh(hello *remotepb.Hello) *line {
	if hello.Once && hello.Resumed {
		return nil
	}
	return newLine(string(hello.Session), hello.Once, hello.Began, hello.Next)
}

// answersWait is how long answers wait for those of other messages of their packet: a
// fraction of what a sender waits for.
const answersWait = 100 * time.Millisecond

// take handles messages of a packet, as many as have answers for one packet and for as
// long as answers may wait, and returns these and what is left.
func (r *receiver) take(ctx context.Context, t turn, packet *remotepb.Packet) (a answers, rest *remotepb.Packet, err error) {
	if err := t.hold(ctx, t.stream); err != nil {
		return a, nil, err
	}
	defer t.letGo()
	switch {
	case packet.First != t.next:
		return a, nil, fmt.Errorf("%w: message %d came where %d was due", errProtocol, packet.First, t.next)
	case packet.Settled >= t.next:
		return a, nil, fmt.Errorf("%w: the answer to message %d is settled, and %d was due", errProtocol, packet.Settled, t.next)
	}
	if t.settle(packet.Settled); t.size > mostUnsettled {
		return a, nil, errUnsettled
	}
	if t.once {
		ctx = context.WithoutCancel(ctx) // a stream's end ends nothing
	}
	began := time.Now()
	goesOn := func() bool {
		return ctx.Err() == nil && t.line.stream.Load() == t.stream && time.Since(began) < answersWait
	}
	handling := ctx
	if r.inbox.log != nil { // what is kept is handled again, whenever this stream ends
		handling = context.WithoutCancel(ctx)
	}
	done := progress{answers{first: packet.First}, packet.Frames}
	if err := r.inbox.keep(t.line, packet, &done, func() { r.handle(handling, t.line, &done, goesOn) }); err != nil {
		return answers{}, nil, err
	}
	return done.answers, &remotepb.Packet{First: t.next, Settled: packet.Settled, Frames: done.rest}, nil
}

// A progress is how far a packet is handled.
type progress struct {
	answers
	rest []byte // frames of the messages that are not
}

// handle hands messages to the handler, while it goes on and their answers fit into a
// packet, and one at least. A message of which the handler panics is not handled; those
// before it are.
func (r *receiver) handle(ctx context.Context, l *line, done *progress, goesOn func() bool) {
	for len(done.rest) > 0 && len(done.frames) < packetSize && (done.count == 0 || goesOn()) {
		kind, payload, rest, _ := cutFrame(done.rest) // checkFrames has
		text, outcome := r.answer(ctx, l, Message{actor.EventType(kind), payload})
		done.frames = appendFrame(done.frames, uint64(outcome), text)
		done.count++
		done.rest = rest
	}
}

// answer is what a message comes to.
func (r *receiver) answer(ctx context.Context, l *line, m Message) ([]byte, Outcome) {
	text, err := r.handler(ctx, l.from, m)
	if err == nil && len(text) > l.most {
		err = fmt.Errorf("the message was handled, and its answer is too large: %d bytes, at most %d", len(text), l.most)
	}
	if err != nil {
		text = []byte(err.Error())
		return text[:min(len(text), l.most)], Failed
	}
	return text, Answered
}

// checkFrames says what is wrong with the messages of a packet.
func checkFrames(frames []byte, largest int) error {
	if len(frames) == 0 {
		return fmt.Errorf("%w: a packet without messages", errProtocol)
	}
	for len(frames) > 0 {
		kind, payload, rest, err := cutFrame(frames)
		switch {
		case err != nil:
			return err
		case kind > math.MaxUint16:
			return fmt.Errorf("%w: no type of message is %d", errFrame, kind)
		case len(payload) > largest:
			return fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(payload), largest)
		}
		frames = rest
	}
	return nil
}
