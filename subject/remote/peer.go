package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"

	"github.com/syncwrite/syncwrite/subject/actor"
	"github.com/syncwrite/syncwrite/subject/internal/printable"
)

// Peer is another side to which messages are sent. Many goroutines can use one.
// Whoever opens one closes it.
type Peer struct {
	endpoint string
	options  Options
	outbox   *actor.Buffer[call]
	events   *actor.Buffer[Event]
	asker    *actor.Asker[call, question, []byte]
	link     *link
	dialing  []grpc.DialOption
	session  session
	largest  atomic.Int64 // bytes of a message that both sides take

	ctx       context.Context // of the link and of what it tells; ends when Close gives up
	cancel    context.CancelCauseFunc
	closed    chan struct{} // when the first Close has done its work
	messenger sync.WaitGroup
	connector sync.WaitGroup
}

// New returns a peer that connects by itself, now and whenever its link breaks; what
// is sent waits until then. The endpoint is HOST:PORT.
func New(endpoint string, options Options) (*Peer, error) {
	options, err := options.check(endpoint)
	if err != nil {
		return nil, fmt.Errorf("peer at %s: %w", printable.Text(endpoint), err)
	}
	p := &Peer{
		endpoint: endpoint, options: options, dialing: options.dialing(), link: newLink(options),
		outbox: actor.NewBuffer(actor.Options[call]{Capacity: options.Mailbox}),
		events: actor.NewBuffer(actor.Options[Event]{Capacity: options.Mailbox}),
		closed: make(chan struct{}),
	}
	p.asker = actor.NewAsker(p.outbox, question.call)
	p.ctx, p.cancel = context.WithCancelCause(context.Background())
	p.largest.Store(int64(options.Largest))
	p.session = newSession()
	p.messenger.Go(p.dispatch)
	p.connector.Go(p.keepConnected)
	return p, nil
}

// Dial is New, and waits until the peer is connected, or the first attempt has failed,
// which is the error.
func Dial(ctx context.Context, endpoint string, options Options) (*Peer, error) {
	p, err := New(endpoint, options)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { p.link.close(ended(ctx)) })
	err = p.link.tried()
	if !stop() && err == nil {
		err = ended(ctx)
	}
	if err != nil {
		p.cancel(ErrClosed)
		p.Close(p.ctx) // nothing was sent
		return nil, fmt.Errorf("dial %s: %w", printable.Text(endpoint), err)
	}
	return p, nil
}

// Send hands a message over. It waits for room in the mailbox; an error means that the
// message was not taken. Whatever becomes of one that was, an [Event] tells. If ctx
// ends before the message was sent, it is lost; afterwards ctx has no meaning. The handle
// of [Peer.Events] must not call it: there may be room only when handle has returned.
func (p *Peer) Send(ctx context.Context, m Message) error {
	c, err := call{Message: m, ctx: ctx}, p.fits(m)
	if err == nil {
		c.cancel = newWithdrawal(c)
		err = p.outbox.Put(ctx, c)
	}
	if err != nil {
		return p.says("send to", err)
	}
	p.watch(c)
	return nil
}

// Request sends a message and waits for its answer. The error wraps a [*HandlerError] if
// the receiver's handler failed, a [*LostError] if the message is lost, and that of ctx
// if it ends before: then a message that was sent may still be handled. errors.As finds
// the first two. The answer is a part of the packet that it came in, and keeps that in
// memory. The handle of [Peer.Events] must not call it: the answer may come only when
// handle has returned.
func (p *Peer) Request(ctx context.Context, m Message) ([]byte, error) {
	if err := p.fits(m); err != nil {
		return nil, p.says("request to", err)
	}
	answer, err := p.asker.Ask(ctx, question{ctx, m})
	if ctx.Err() != nil {
		p.link.look() // the message may wait still
	}
	if lost, is := errors.AsType[*LostError](err); is {
		return nil, fmt.Errorf("request: %w", lost) // it says to whom
	}
	if failed, is := errors.AsType[*HandlerError](err); is {
		err = failed
	} else if err != nil && ctx.Err() != nil {
		err = ended(ctx)
	}
	if err != nil {
		return nil, p.says("request to", err)
	}
	return answer, nil
}

// A question is a message that somebody waits for.
type question struct {
	ctx context.Context
	Message
}

func (q question) call(reply actor.Reply[[]byte]) call {
	return call{Message: q.Message, ctx: q.ctx, reply: reply, asked: true}
}

// says puts the peer before an error.
func (p *Peer) says(what string, err error) error {
	if errors.Is(err, actor.ErrClosed) {
		err = ErrClosed
	}
	return fmt.Errorf("%s %s: %w", what, whom(p.options.Name, p.endpoint), err)
}

func (p *Peer) fits(m Message) error {
	if most := int(p.largest.Load()); len(m.Payload) > most {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(m.Payload), most)
	}
	return nil
}

// Events hands over what became of messages, run by run and in the order in which they
// were sent where they were answered, until handle returns an error, ctx ends, or the
// peer is closed and all is told. The slice is handle's until it returns: keep copies of
// events. Who sends has to call it, one at a time: when as many
// events wait as the mailbox holds, no further message is sent, and no answer is read. So
// handle must wait for none of the peer's methods, neither itself nor through another
// goroutine: it would wait for ever, and [Options.Stalled] does not end that. To send again
// what is lost, let handle put it aside, and another goroutine send it.
func (p *Peer) Events(ctx context.Context, handle func(events []Event) error) error {
	return p.events.Receive(ctx, handle)
}

// Close lets no further message in, and waits until those that are there were answered
// or are lost. When ctx ends first, it gives the rest up: they are lost, which events
// tell as far as there is room for them, and the error says how many there were. A second
// Close waits for the first one, makes it give up when its own ctx ends, and returns
// [ErrClosed].
func (p *Peer) Close(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { p.link.close(ErrClosed); p.cancel(ErrClosed) })
	defer stop()
	if err := p.outbox.Close(); err != nil {
		<-p.closed
		return p.says("close", err)
	}
	defer close(p.closed)
	p.messenger.Wait()
	p.link.settle()
	p.cancel(ErrClosed)
	p.connector.Wait()
	p.abandon(p.link.forget(), ErrClosed)
	err := p.events.Close()
	if n := p.Counts(); n.Left > 0 || n.Untold > 0 {
		err = errors.Join(fmt.Errorf("%d messages left, %d events untold", n.Left, n.Untold), err)
	}
	if err != nil {
		err = p.says("close", err)
	}
	return err
}

// Counts are how many messages had which fate. All that were taken are answered, lost,
// or on their way.
type Counts struct {
	Answered   int // handled: with success or, as an event says, without
	Lost       int // not known to have been handled
	Left       int // of those, how many Close has given up
	Untold     int // events for which there was no room when Close gave up
	Resent     int // messages that went out again, each time
	Reconnects int // streams behind the first
}

// Counts returns what has become of the messages so far.
func (p *Peer) Counts() Counts {
	var now Counts
	p.link.count(func(c *Counts) { now = *c })
	return now
}
