package actor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// Self is what an actor's handler can do with its actor. It is for the handler, while
// it runs, and for nobody else.
type Self[M any] struct {
	actor   *Actor[M]
	handler Handler[M]
	ctx     context.Context // of the actor and its children
	work    context.Context // of the handler and of what Go runs, which end before the children
	endWork context.CancelFunc
	ended   bool
	family  family
}

// Context ends when the actor does. Who waits for something in a handler waits with
// it.
func (s *Self[M]) Context() context.Context { return s.work }

// Actor is the actor, to be given to others.
func (s *Self[M]) Actor() *Actor[M] { return s.actor }

// Become sets the handler of the messages that follow.
func (s *Self[M]) Become(handler Handler[M]) { s.handler = handler }

// End ends the actor when the handler has returned. What still waits is refused.
func (s *Self[M]) End() { s.ended = true }

// Dispatch puts a message into the actor's own mailbox. Where that would have to wait
// for room it returns [ErrFull], since nobody else can make room.
func (s *Self[M]) Dispatch(message M) error {
	at, cancel := context.WithCancel(context.Background())
	cancel()
	err := s.actor.Put(at, message)
	if errors.Is(err, context.Canceled) {
		err = putError(message, ErrFull)
	}
	return err
}

// Go runs a function that belongs to the actor, as a goroutine that ends with it: the
// function returns when ctx ends, and the actor waits for it. An error of it, a panic or
// a Goexit ends the actor, unless that is being stopped, and is told at its end; the error
// of ctx alone is none.
func (s *Self[M]) Go(work func(ctx context.Context) error) {
	s.family.works.Go(func() {
		err := errGone
		defer func() { s.workEnded(err) }()
		err = guarded(context.WithValue(s.work, handlerKey{}, nil), work)
	})
}

// workEnded tells why work ended, if it should not have.
func (s *Self[M]) workEnded(err error) {
	if err == nil || s.work.Err() != nil && isOf(s.work, err) {
		return
	}
	s.family.fail(fmt.Errorf("%s: %w", s.actor.name, err))
	if !s.actor.stopped.Load() && s.work.Err() == nil {
		s.actor.halt()
	}
}

// isOf reports whether an error is that of a context that has ended, and nothing else.
func isOf(ctx context.Context, err error) bool {
	for err != nil && err != ctx.Err() {
		err = errors.Unwrap(err) // nil for what was joined
	}
	return err != nil
}

// guarded turns a panic into an error.
func guarded(ctx context.Context, work func(context.Context) error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("panic: %v\n%s", value, debug.Stack())
		}
	}()
	return work(ctx)
}
