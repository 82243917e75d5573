package actor

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// Spawn starts an actor that belongs to the one whose handler calls it, and ends with
// it. A child that fails does not end its parent, whose own end tells of it.
func Spawn[M, N any](self *Self[M], handler Handler[N], settings Settings[N]) *Actor[N] {
	child := newActor(self.ctx, handler, settings)
	child.parent = &parent{self.ctx, &self.family}
	self.family.add(child)
	if self.actor.halted.Load() { // it may have gone over its children before
		self.endWork() // before the child's ends
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
	callOff()
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
