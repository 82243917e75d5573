package actor

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
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
	at, cancel := context.WithCancel(s.ctx)
	cancel()
	err := s.actor.Put(at, message)
	if errors.Is(err, context.Canceled) {
		err = putError(message, ErrFull)
	}
	return err
}

// Go runs a function that belongs to the actor, as a goroutine that ends with it: the
// function returns when ctx ends, and the actor waits for it. An error of it, or a
// panic, ends the actor.
func (s *Self[M]) Go(work func(ctx context.Context) error) {
	s.family.goroutines.Go(func() {
		err := guarded(s.ctx, work)
		if err == nil || s.ctx.Err() != nil {
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
	child := newActor(context.WithoutCancel(self.ctx), handler, settings)
	child.parent = &self.family
	self.family.add(child)
	go child.run()
	return child
}

// A family is what an actor has started.
type family struct {
	goroutines sync.WaitGroup
	mu         sync.Mutex
	children   map[member]struct{}
	failed     int
	first      error // what the first one that failed failed of
}

// A member is an actor of any messages.
type member interface {
	Stop(context.Context) error
	Halt(context.Context) error
}

func (f *family) add(child member) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.children == nil {
		f.children = map[member]struct{}{}
	}
	f.children[child] = struct{}{}
	f.goroutines.Add(1)
}

func (f *family) leave(child member, err error) {
	defer f.goroutines.Done()
	f.mu.Lock()
	delete(f.children, child)
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

// end ends all children, and waits for them and for the goroutines.
func (f *family) end(halted bool) error {
	for _, child := range f.all() {
		if halted {
			child.Halt(context.Background())
		} else {
			child.Stop(context.Background())
		}
	}
	f.goroutines.Wait()
	if f.failed > 1 {
		return fmt.Errorf("%w (and %d more that it had started failed)", f.first, f.failed-1)
	}
	return f.first
}

func (f *family) all() []member {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []member
	for child := range f.children {
		all = append(all, child)
	}
	return all
}

// selfKey is the key under which a handler's context holds its actor.
type selfKey struct{}

// isItself reports whether a context is that of a handler of the same actor.
func isItself(ctx context.Context, to any) bool { return ctx.Value(selfKey{}) == to }
