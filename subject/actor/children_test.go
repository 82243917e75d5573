package actor_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// A family is a parent with a child, in whose mailbox messages wait while it handles
// the first.
func family(t *testing.T, ctx context.Context, handle func(ctx context.Context)) (parent *actor.Actor[int], child *actor.Actor[int]) {
	spawned, entered := make(chan *actor.Actor[int], 1), make(chan struct{}, 100)
	parent = actor.Start(ctx, func(self *actor.Self[int], _ int) error {
		spawned <- actor.Spawn(self, func(self *actor.Self[int], _ int) error {
			entered <- struct{}{}
			handle(self.Context())
			return nil
		}, actor.Settings[int]{Name: "child"})
		return nil
	}, actor.Settings[int]{Name: "parent"})
	if err := parent.Dispatch(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	child = <-spawned
	if _, err := child.PutAll(t.Context(), make([]int, 10)); err != nil {
		t.Fatal(err)
	}
	<-entered
	return parent, child
}

// Halt reaches the children, also where a Stop that gave up has stopped them.
func TestHaltReachesChildren(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		leave := make(chan struct{})
		parent, child := family(t, t.Context(), func(ctx context.Context) {
			select {
			case <-ctx.Done():
			case <-leave:
			}
		})
		if stopped {
			if err := parent.Stop(within(t, 5*time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("stop: %v", err)
			}
		}
		if err := parent.Halt(within(t, 10*time.Second)); err != nil {
			t.Errorf("stopped before %v: %v", stopped, err)
		}
		if m := child.Metrics(); m.Handled != 1 || m.Refused != 9 {
			t.Errorf("stopped before %v: %+v", stopped, m)
		}
		close(leave)
	}
}

// However many there are: the context that wakes them ends when all know that they are halted.
func TestHaltReachesAllChildrenAtOnce(t *testing.T) {
	const many = 2000
	var entered sync.WaitGroup
	entered.Add(many)
	children := make(chan *actor.Actor[int], many)
	parent := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error {
		for range many {
			first := true
			children <- actor.Spawn(self, func(self *actor.Self[int], _ int) error {
				if first {
					first = false
					entered.Done()
					<-self.Context().Done()
				}
				return nil
			}, actor.Settings[int]{Name: "child"})
		}
		return nil
	}, actor.Settings[int]{Name: "parent"})
	if err := parent.Dispatch(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	var all []*actor.Actor[int]
	for range many {
		child := <-children
		all = append(all, child)
		if _, err := child.PutAll(t.Context(), make([]int, 10)); err != nil {
			t.Fatal(err)
		}
	}
	entered.Wait()
	if err := parent.Halt(within(t, time.Minute)); err != nil {
		t.Error(err)
	}
	for i, child := range all {
		if m := child.Metrics(); m.Handled != 1 || m.Refused != 9 {
			t.Fatalf("child %d: %+v", i, m)
		}
	}
}

// The context of a parent is that of its children: when it ends, they do.
func TestContextReachesChildren(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	parent, child := family(t, ctx, func(ctx context.Context) { <-ctx.Done() })
	cancel()
	if err := parent.Wait(); !errors.Is(err, context.Canceled) || err.Error() != "parent: receive: context canceled" {
		t.Errorf("got %v", err)
	}
	if m := child.Metrics(); m.Handled+m.Refused != 10 {
		t.Errorf("%+v", m)
	}
}

// Children are stopped one after another, the last one first, so that it can hand what
// it has to those before.
func TestChildrenAreStoppedInOrder(t *testing.T) {
	for range 20 {
		handled, head := 0, make(chan *actor.Actor[int], 1)
		parent := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error {
			to := actor.Spawn(self, func(*actor.Self[int], int) error { handled++; return nil }, actor.Settings[int]{Name: "last"})
			for range 3 {
				next := to
				to = actor.Spawn(self, func(self *actor.Self[int], n int) error {
					time.Sleep(10 * time.Microsecond) // it has more to hand over when its parent stops
					return next.Dispatch(self.Context(), n)
				}, actor.Settings[int]{Name: "before"})
			}
			head <- to
			return nil
		}, actor.Settings[int]{})
		parent.Dispatch(t.Context(), 1)
		first := <-head
		first.PutAll(t.Context(), make([]int, 100))
		if err := parent.Stop(t.Context()); err != nil || handled != 100 {
			t.Fatalf("%d of 100 went through, %v", handled, err)
		}
	}
}

// Whoever would wait for itself to end is told: a handler, a child's, and what either
// has started.
func TestNobodyWaitsForItsOwnEnd(t *testing.T) {
	errs := make(chan error, 3)
	parent := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error {
		own := self.Actor()
		errs <- own.Stop(self.Context())
		self.Go(func(ctx context.Context) error { errs <- own.Stop(ctx); return nil })
		child := actor.Spawn(self, func(child *actor.Self[int], _ int) error { errs <- own.Stop(child.Context()); return nil }, actor.Settings[int]{})
		return child.Dispatch(self.Context(), 1)
	}, actor.Settings[int]{})
	parent.Dispatch(t.Context(), 1)
	for range 3 {
		if err := <-errs; !errors.Is(err, actor.ErrItself) {
			t.Errorf("got %v", err)
		}
	}
	if err := parent.Wait(); err != nil {
		t.Error(err)
	}
}

// What a function that the actor runs fails of is told also where it comes as the actor
// ends; that its context has ended is no failure.
func TestGoFailsAtTheEnd(t *testing.T) {
	errFlush := errors.New("flush")
	for name, c := range map[string]struct {
		work func(ctx context.Context) error
		want error
	}{
		"its own error": {func(ctx context.Context) error { <-ctx.Done(); return errFlush }, errFlush},
		"a panic":       {func(ctx context.Context) error { <-ctx.Done(); panic(errFlush) }, nil},
		"its context's": {func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, nil},
	} {
		a := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error { self.Go(c.work); return nil }, actor.Settings[int]{})
		a.Dispatch(t.Context(), 1)
		err := a.Stop(t.Context())
		if c.want != nil && !errors.Is(err, c.want) || (err == nil) != (name == "its context's") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An actor that has ended says why, to whoever asks with a context that has ended, too.
func TestEndedActorSaysWhy(t *testing.T) {
	why := errors.New("why")
	a := actor.Start(t.Context(), func(*actor.Self[int], int) error { return why }, actor.Settings[int]{})
	a.Dispatch(t.Context(), 1)
	a.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		if err := a.Stop(ctx); !errors.Is(err, why) {
			t.Fatal(err)
		}
	}
}

// A work that feeds a child, or its own actor, ends before what it feeds, and costs no
// message when its actor is stopped.
func TestStopBesideWorkThatFeeds(t *testing.T) {
	for _, own := range []bool{false, true} {
		handled, fed := 0, make(chan struct{})
		parent := actor.Start(t.Context(), func(self *actor.Self[int], n int) error {
			if n > 0 {
				handled++
				return nil
			}
			to := self.Actor()
			if !own {
				actor.Spawn(self, func(*actor.Self[int], int) error { return nil }, actor.Settings[int]{Name: "other"})
				to = actor.Spawn(self, func(*actor.Self[int], int) error { time.Sleep(time.Microsecond); handled++; return nil }, actor.Settings[int]{Name: "fed"})
			}
			to.PutAll(self.Context(), slices.Repeat([]int{1}, 100))
			self.Go(func(ctx context.Context) error {
				close(fed)
				for {
					if err := to.Dispatch(ctx, 1); err != nil {
						return err
					}
				}
			})
			return nil
		}, actor.Settings[int]{Name: "parent"})
		parent.Dispatch(t.Context(), 0)
		<-fed
		err := parent.Stop(t.Context())
		if handled < 100 || err != nil && (!own || !errors.Is(err, actor.ErrClosed)) {
			t.Errorf("own mailbox %v: %d handled, %v", own, handled, err)
		}
	}
}

// A child that asks its parent is told when that handles nothing any more, and does not
// keep it from ending.
func TestChildAsksAParentThatEnds(t *testing.T) {
	var asked error
	var asker *actor.Asker[question, int, int]
	parent := actor.Start(t.Context(), func(self *actor.Self[question], q question) error {
		if q.n == 0 {
			child := actor.Spawn(self, func(child *actor.Self[int], _ int) error {
				_, asked = asker.Ask(child.Context(), 1)
				return nil
			}, actor.Settings[int]{})
			return child.Dispatch(self.Context(), 1)
		}
		self.End() // and no answer
		return nil
	}, actor.Settings[question]{})
	asker = actor.NewAsker(parent, ask)
	parent.Dispatch(t.Context(), question{n: 0})
	if err := parent.Wait(); err != nil || !errors.Is(asked, actor.ErrEnded) {
		t.Errorf("%v, who asked: %v", err, asked)
	}
}

// An error that comes together with that of the context is told.
func TestGoFailsBesideItsContext(t *testing.T) {
	errDisk := errors.New("disk")
	a := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error {
		self.Go(func(ctx context.Context) error { <-ctx.Done(); return errors.Join(ctx.Err(), errDisk) })
		return nil
	}, actor.Settings[int]{})
	a.Dispatch(t.Context(), 1)
	if err := a.Stop(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
}

// A badBox fails of its own.
type badBox struct {
	actor.Mailbox[int]
	err error
}

func (b badBox) Receive(ctx context.Context, handle func([]int) error) error {
	return errors.Join(b.Mailbox.Receive(ctx, handle), b.err)
}

// What a mailbox fails of is told, however the actor ends.
func TestMailboxFails(t *testing.T) {
	errBox := errors.New("not flushed")
	for name, end := range map[string]func(*actor.Actor[int], context.Context) error{"stop": (*actor.Actor[int]).Stop, "halt": (*actor.Actor[int]).Halt} {
		a := actor.Start(t.Context(), func(*actor.Self[int], int) error { return nil }, actor.Settings[int]{Mailbox: badBox{actor.NewBuffer(actor.Options[int]{}), errBox}})
		if err := end(a, t.Context()); !errors.Is(err, errBox) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A stuckBox cannot be closed.
type stuckBox struct {
	actor.Mailbox[question]
	err error
}

func (b stuckBox) Close() error { return b.err }

// An actor whose mailbox cannot be closed is not stopped, and can be halted all the same: it
// ends with the error, and who asks is told. So does a child's parent.
func TestMailboxThatCannotBeClosed(t *testing.T) {
	errBox := errors.New("cannot close")
	entered := make(chan struct{}, 2)
	waits := func(self *actor.Self[question], _ question) error {
		entered <- struct{}{}
		<-self.Context().Done()
		return nil
	}
	stuck := func() actor.Settings[question] {
		return actor.Settings[question]{Mailbox: stuckBox{actor.NewBuffer(actor.Options[question]{}), errBox}}
	}
	a := actor.Start(t.Context(), waits, stuck())
	asked := make(chan error)
	for range 2 {
		go func() { _, err := actor.NewAsker(a, ask).Ask(t.Context(), 1); asked <- err }()
	}
	<-entered
	if err := a.Stop(t.Context()); !errors.Is(err, errBox) || a.Metrics().Handled != 0 {
		t.Errorf("stop: %v", err)
	}
	parent := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error {
		return actor.Spawn(self, waits, stuck()).Dispatch(self.Context(), question{})
	}, actor.Settings[int]{})
	parent.Dispatch(t.Context(), 1)
	<-entered
	for name, halt := range map[string]func(context.Context) error{"itself": a.Halt, "its parent": parent.Halt} {
		if err := halt(within(t, 10*time.Second)); !errors.Is(err, errBox) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("halt %s: %v", name, err)
		}
	}
	for range 2 {
		if err := <-asked; !errors.Is(err, actor.ErrEnded) {
			t.Errorf("who asked: %v", err)
		}
	}
	select {
	case <-a.Done():
	default:
		t.Error("it was halted and has not ended")
	}
}

// An actor that could not be stopped goes on, and ends when work of it fails.
func TestWorkFailsBehindAStopThatFailed(t *testing.T) {
	errWork, fails := errors.New("work failed"), make(chan struct{})
	a := actor.Start(t.Context(), func(self *actor.Self[question], _ question) error {
		self.Go(func(context.Context) error { <-fails; return errWork })
		return nil
	}, actor.Settings[question]{Mailbox: stuckBox{actor.NewBuffer(actor.Options[question]{}), errors.New("cannot close")}})
	if err := a.Dispatch(t.Context(), question{}); err != nil {
		t.Fatal(err)
	}
	if err := a.Stop(t.Context()); err == nil {
		t.Fatal("it was stopped")
	}
	close(fails)
	select {
	case <-a.Done():
	case <-within(t, 10*time.Second).Done():
		t.Fatal("it goes on without its work")
	}
	if err := a.Wait(); !errors.Is(err, errWork) {
		t.Error(err)
	}
}

// Who was started with a handler's context, and not spawned, may stop its actor.
func TestStartedWithAContextIsNoChild(t *testing.T) {
	stopped := make(chan error, 1)
	a := actor.Start(t.Context(), func(self *actor.Self[int], _ int) error {
		other := actor.Start(self.Context(), func(other *actor.Self[int], _ int) error {
			stopped <- self.Actor().Stop(context.WithoutCancel(other.Context()))
			other.End()
			return nil
		}, actor.Settings[int]{})
		return other.Dispatch(self.Context(), 1)
	}, actor.Settings[int]{})
	a.Dispatch(t.Context(), 1)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	a.Wait()
}
