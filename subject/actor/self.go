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
// function returns when ctx ends, and the actor waits for it. An error of it, or a
// panic, ends the actor, unless that is being stopped, and is told at its end; the error
// of ctx alone is none.
func (s *Self[M]) Go(work func(ctx context.Context) error) {
	s.family.works.Go(func() {
		err := guarded(context.WithValue(s.work, handlerKey{}, nil), work)
		if err == nil || s.work.Err() != nil && isOf(s.work, err) {
			return
		}
		s.family.fail(fmt.Errorf("%s: %w", s.actor.name, err))
		if !s.actor.stopped.Load() && s.work.Err() == nil {
			s.actor.halt()
		}
	})
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
	works    sync.WaitGroup // what Go runs
	ended    sync.WaitGroup // children
	mu       sync.Mutex
	children []member // in the order in which they were spawned
	failed   int
	first    error // what the first one that failed failed of
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
	f.ended.Add(1)
}

func (f *family) leave(child member, err error) {
	defer f.ended.Done()
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

// wait waits for all children, and says what failed.
func (f *family) wait() error {
	f.ended.Wait()
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

// Keys under which contexts hold actors: that of a handler, and those that wait for its
// goroutine when they end.
type (
	handlerKey struct{}
	withinKey  struct{}
)

// within is a context of an actor's handler: of one that those in ctx wait for as well.
// Without an actor nobody waits.
func within(ctx context.Context, actor any) context.Context {
	if actor == nil {
		return context.WithValue(ctx, withinKey{}, []any(nil))
	}
	waiting, _ := ctx.Value(withinKey{}).([]any)
	return context.WithValue(context.WithValue(ctx, withinKey{}, append(slices.Clone(waiting), actor)), handlerKey{}, actor)
}

// isHandlers reports whether a context is that of an actor's handler.
func isHandlers(ctx context.Context, actor any) bool {
	return actor != nil && ctx.Value(handlerKey{}) == actor
}

// isWithin reports whether a context belongs to what an actor waits for when it ends:
// its handler, what it has started, and theirs.
func isWithin(ctx context.Context, actor any) bool {
	waiting, _ := ctx.Value(withinKey{}).([]any)
	return slices.Contains(waiting, actor)
}
