package actor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
)

// Self is what an actor's handler can do with its actor. It is for the handler, while
// it runs, and for nobody else.
type Self[M any] struct {
	actor   *Actor[M]
	handler Handler[M]
	ctx     context.Context
	ended   bool
	family  family
}

// Context ends when the actor does. Who waits for something in a handler waits with
// it.
func (s *Self[M]) Context() context.Context { return s.ctx }

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
// function returns when ctx ends, and the actor waits for it. An error of it, or a
// panic, ends the actor, and is told at its end; that of a context that has ended is
// none.
func (s *Self[M]) Go(work func(ctx context.Context) error) {
	s.family.goroutines.Go(func() {
		err := guarded(context.WithValue(s.ctx, handlerKey{}, nil), work)
		if err == nil || s.ctx.Err() != nil && errors.Is(err, s.ctx.Err()) {
			return
		}
		s.family.fail(fmt.Errorf("%s: %w", s.actor.name, err))
		s.actor.halt()
	})
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

// Spawn starts an actor that belongs to the one whose handler calls it, and ends with
// it. A child that fails does not end its parent, whose own end tells of it.
func Spawn[M, N any](self *Self[M], handler Handler[N], settings Settings[N]) *Actor[N] {
	child := newActor(self.ctx, handler, settings)
	child.parent = &parent{self.ctx, &self.family}
	self.family.add(child)
	if self.actor.halted.Load() { // it may have gone over its children before
		child.halt()
	}
	go child.run()
	return child
}

// A parent is what a child knows of its own.
type parent struct {
	ctx    context.Context
	family *family
}

// A family is what an actor has started.
type family struct {
	goroutines sync.WaitGroup
	mu         sync.Mutex
	children   []member // in the order in which they were spawned
	failed     int
	first      error // what the first one that failed failed of
}

// A member is an actor of any messages.
type member interface {
	Stop(context.Context) error
	halt()
}

func (f *family) add(child member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.children = append(f.children, child)
	f.goroutines.Add(1)
}

func (f *family) leave(child member, err error) {
	defer f.goroutines.Done()
	f.mu.Lock()
	at := slices.Index(f.children, child)
	f.children = slices.Delete(f.children, at, at+1)
	f.mu.Unlock()
	if err != nil {
		f.fail(err)
	}
}

// fail notes what one of the family failed of.
func (f *family) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed++; f.first == nil {
		f.first = err
	}
}

// stop stops all children, the last one first: it may hand to those before. One that
// cannot be stopped is halted.
func (f *family) stop() {
	for _, child := range slices.Backward(f.all()) {
		if child.Stop(context.Background()) != nil {
			child.halt()
		}
	}
}

// wait waits for all that was started, and says what failed.
func (f *family) wait() error {
	f.goroutines.Wait()
	if f.failed > 1 {
		return fmt.Errorf("%w (and %d more that it had started failed)", f.first, f.failed-1)
	}
	return f.first
}

func (f *family) all() []member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.children)
}

// Keys under which contexts hold actors: that of a handler, and each of those that its
// goroutine belongs to.
type (
	handlerKey struct{}
	withinKey  struct{ actor any }
)

// within is a context of an actor's handler.
func within(ctx context.Context, actor any) context.Context {
	return context.WithValue(context.WithValue(ctx, withinKey{actor}, true), handlerKey{}, actor)
}

// isHandlers reports whether a context is that of an actor's handler.
func isHandlers(ctx context.Context, actor any) bool {
	return actor != nil && ctx.Value(handlerKey{}) == actor
}

// isWithin reports whether a context belongs to what an actor waits for when it ends:
// its handler, what it has started, and theirs.
func isWithin(ctx context.Context, actor any) bool { return ctx.Value(withinKey{actor}) != nil }
