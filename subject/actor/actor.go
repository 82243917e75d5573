package actor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// Errors to test for with errors.Is.
var (
	ErrEnded  = errors.New("the actor has ended")
	ErrItself = errors.New("an actor cannot wait for itself")
)

// Handler handles one message, on its actor's goroutine. An error ends the actor, and
// so does a panic. Where the actor was halted, or its parent has ended, the error of its
// context alone is no failure; the message counts as refused.
type Handler[M any] func(self *Self[M], message M) error

// Settings are those of an actor; the zero value is useful.
type Settings[M any] struct {
	// Name is what errors and traces call the actor; empty means "actor".
	Name string
	// Mailbox is where its messages wait, and nobody else's; nil means a Buffer. The
	// actor closes it. One of another make may fail of that, not with [ErrClosed]: then Stop
	// returns the error and the actor goes on, and one that ends otherwise, as by Halt, fails
	// of the error and leaves in the mailbox what is there.
	Mailbox Mailbox[M]
	// Trace, if set, records what is handled, in its order.
	Trace *Trace
}

// Actor is a goroutine with a mailbox, which handles one message at a time. Whoever
// starts one ends it, with [Actor.Stop] or [Actor.Halt], or waits for it.
type Actor[M any] struct {
	name    string
	box     Mailbox[M]
	trace   *Trace
	self    Self[M]
	cancel  context.CancelFunc
	stopped atomic.Bool
	halted  atomic.Bool
	meter   meter
	failure error         // of the handler; the goroutine's own
	parent  *parent       // nil if none
	left    chan struct{} // closed when it handles nothing any more
	done    chan struct{}
	err     error // once done is closed
}

// Start starts an actor. When ctx ends it ends, too, after the run that it has in
// hand; what waits is refused.
func Start[M any](ctx context.Context, handler Handler[M], settings Settings[M]) *Actor[M] {
	a := newActor(within(ctx, nil), handler, settings)
	go a.run()
	return a
}

func newActor[M any](ctx context.Context, handler Handler[M], settings Settings[M]) *Actor[M] {
	a := &Actor[M]{name: settings.Name, box: settings.Mailbox, trace: settings.Trace, left: make(chan struct{}), done: make(chan struct{})}
	if a.name == "" {
		a.name = "actor"
	}
	if a.box == nil {
		a.box = NewBuffer(Options[M]{})
	}
	if box, ok := a.box.(tallied); ok {
		a.meter.before = box.tally().handed
	}
	a.self = Self[M]{actor: a, handler: handler}
	a.self.ctx, a.cancel = context.WithCancel(within(ctx, a))
	a.self.work, a.self.endWork = context.WithCancel(a.self.ctx)
	return a
}

// Dispatch puts a message into the actor's mailbox.
func (a *Actor[M]) Dispatch(ctx context.Context, message M) error { return a.box.Put(ctx, message) }

// Put is Dispatch: an actor is a producer of its own mailbox.
func (a *Actor[M]) Put(ctx context.Context, message M) error { return a.box.Put(ctx, message) }

// PutAll implements [Producer].
func (a *Actor[M]) PutAll(ctx context.Context, messages []M) (int, error) {
	return a.box.PutAll(ctx, messages)
}

// NewProducer is that of the actor's mailbox.
func (a *Actor[M]) NewProducer() (producer Producer[M], release func()) {
	p, release := a.box.NewProducer()
	return producerOf[M]{p, a}, release
}

// A producerOf an actor knows whose mailbox it puts into.
type producerOf[M any] struct {
	Producer[M]
	actor *Actor[M]
}

func (p producerOf[M]) asked() (who any, ended <-chan struct{}) { return p.actor, p.actor.left }

func (a *Actor[M]) asked() (who any, ended <-chan struct{}) { return a, a.left }

// Done is closed when the actor has ended.
func (a *Actor[M]) Done() <-chan struct{} { return a.done }

// Wait waits until the actor has ended, and returns why: nil if it was stopped, ended
// itself or, as a child, ended as its parent did, else what its handler, its context or
// one of its children failed of.
func (a *Actor[M]) Wait() error {
	<-a.done
	return a.err
}

// Stop closes the mailbox, and waits until what is in it was handled and the actor
// has ended, with all that it started: what [Self.Go] runs first, then its children, one
// after another, the one that was spawned last first. If ctx ends first, it gives up and
// says so; the actor goes on, since nothing can make a handler return. Where all was
// handled, it is no error that the actor's own context has ended meanwhile. A handler that
// stops its own actor, or one that it belongs to, with its context gets [ErrItself], and
// its mailbox is closed; [Self.End] is for that. Two whose handlers stop each other wait
// for ever.
func (a *Actor[M]) Stop(ctx context.Context) error {
	a.stopped.Store(true)
	if err := a.close(); err != nil {
		a.stopped.Store(false) // it goes on, and is not being stopped
		return fmt.Errorf("stop %s: %w", a.name, err)
	}
	return a.await(ctx, "stop")
}

// Halt is Stop, but what waits in the mailbox is refused and not handled, and so is
// what waits for its children. All that the actor has started is told to end at once, and
// so it is where Start's context ends or what [Self.Go] runs fails: the order of Stop does
// not hold. Halt can follow a Stop that gave up. A handler that halts its own actor with
// its context gets [ErrItself]; it is halted.
func (a *Actor[M]) Halt(ctx context.Context) error {
	a.halt()
	a.close() // an error is finish's to tell, which tries again
	return a.await(ctx, "halt")
}

// halt does not wait. Each knows that it is halted before a context of its own ends, which
// wakes handlers: else one could go on with what waits behind its message.
func (a *Actor[M]) halt() {
	a.callOff()
	a.cancel() // and with it the contexts of all below
}

// callOff says to the actor, and to all below it, that they are halted. Its own work ends
// before those below know: whoever waits for one of them sees that his own context has ended
// when that one refuses him.
func (a *Actor[M]) callOff() {
	a.halted.Store(true)
	a.self.endWork()
	for _, child := range a.self.family.all() {
		child.callOff()
	}
}

// close closes the mailbox, if it is not closed yet.
func (a *Actor[M]) close() error {
	if err := a.box.Close(); !errors.Is(err, ErrClosed) {
		return err
	}
	return nil
}

// await waits for the actor's end.
func (a *Actor[M]) await(ctx context.Context, verb string) error {
	if !a.hasEnded() && isWithin(ctx, a) {
		return fmt.Errorf("%s %s: %w", verb, a.name, ErrItself)
	}
	select {
	case <-a.done:
	case <-ctx.Done():
		if !a.hasEnded() {
			return fmt.Errorf("%s %s: gave up while it had not ended, with %d messages not handled: %w", verb, a.name, a.Metrics().Depth, ctx.Err())
		}
	}
	return a.err
}

func (a *Actor[M]) hasEnded() bool {
	select {
	case <-a.done:
		return true
	default:
		return false
	}
}

// run is the actor's goroutine. It finishes also where the handler ends it, as
// testing.T.FailNow does.
func (a *Actor[M]) run() {
	received := errGone
	defer func() { a.finish(a.reason(received)) }()
	received = a.box.Receive(a.self.ctx, a.handle)
}

// finish refuses what waits, and ends all that the actor has started. Receiving from a
// mailbox that cannot be closed would have no end.
func (a *Actor[M]) finish(err error) {
	if notClosed := a.close(); notClosed == nil {
		a.box.Receive(context.Background(), func(run []M) error { a.refuse(run); return nil })
	} else {
		err = errors.Join(err, notClosed)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", a.name, err)
	}
	close(a.left)
	a.self.endWork()
	a.self.family.works.Wait()
	a.self.family.stop()
	a.cancel()
	a.err = errors.Join(err, a.self.family.wait())
	close(a.done)
	if a.parent != nil {
		a.parent.family.leave(a, a.err)
	}
}

// refuse tells those who wait for answers to messages that the actor will not handle
// them.
func (a *Actor[M]) refuse(messages []M) {
	if len(messages) > 0 {
		a.meter.refuse(len(messages))
	}
	for _, m := range messages {
		refuse(m, ErrEnded)
	}
}

var (
	errLeft = errors.New("left") // leaves Receive; why is in the actor
	errGone = errors.New("its goroutine was ended (runtime.Goexit)")
)

// reason is why the actor ends, after Receive has returned an error or none. What
// those failed of that it has started is its family's to tell.
func (a *Actor[M]) reason(received error) error {
	switch {
	case a.failure != nil:
		return a.failure
	case received == nil, errors.Is(received, errLeft):
		return nil // it was stopped or halted, or has ended itself
	case a.isCalledOff(received):
		return nil
	}
	return received
}

// isCalledOff reports whether an error says only that the actor was halted, or ends as its
// parent does.
func (a *Actor[M]) isCalledOff(err error) bool {
	return (isOf(a.self.work, err) || isOf(a.self.ctx, err)) && (a.halted.Load() || a.parent != nil && a.parent.ctx.Err() != nil)
}

// handle handles a run, message by message. What it leaves is refused.
func (a *Actor[M]) handle(run []M) (err error) {
	at := 0
	count := a.meter.begin()
	defer func() {
		if value := recover(); value != nil {
			a.failure = fmt.Errorf("%w\n%s", handleError(run[at:at+1], fmt.Errorf("panic: %v", value)), debug.Stack())
			err = errLeft
		}
		count.end(at)
		a.refuse(run[at:])
	}()
	for ; at < len(run); at++ {
		if a.halted.Load() {
			return errLeft
		}
		if a.trace != nil {
			a.trace.add(a.name, run[at])
		}
		began := int64(0)
		if a.meter.watchers.Load() != 0 { // here: a call that finds nobody watching is a tenth of a message
			began = count.start(at)
		}
		if err := a.self.handler(&a.self, run[at]); err != nil {
			if !a.isCalledOff(err) {
				a.failure = handleError(run[at:at+1], err)
			}
			return errLeft
		}
		if a.meter.watchers.Load() != 0 {
			count.handled(began, at+1)
		}
		if a.self.ended {
			at++
			return errLeft
		}
	}
	return nil
}
