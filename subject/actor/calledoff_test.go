package actor_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// A handler that waits with its context may return the error of that: an actor that was
// halted, or ends as its parent does, has not failed. What it fails of besides is told.
func TestHandlerIsCalledOff(t *testing.T) {
	errDisk := errors.New("disk")
	for name, c := range map[string]struct {
		err  func(ctx context.Context) error
		want error
	}{
		"the context's":     {func(ctx context.Context) error { return ctx.Err() }, nil},
		"the same, wrapped": {func(ctx context.Context) error { return fmt.Errorf("ask: %w", ctx.Err()) }, nil},
		"another beside it": {func(ctx context.Context) error { return errors.Join(ctx.Err(), errDisk) }, errDisk},
		"another":           {func(context.Context) error { return errDisk }, errDisk},
	} {
		entered := make(chan struct{}, 1)
		waits := func(self *actor.Self[int], _ int) error {
			entered <- struct{}{}
			<-self.Context().Done()
			return c.err(self.Context())
		}
		alone := actor.Start(t.Context(), waits, actor.Settings[int]{})
		alone.PutAll(t.Context(), []int{1, 2})
		<-entered
		if err := alone.Halt(t.Context()); !errors.Is(err, c.want) || alone.Metrics() != (actor.Metrics{Refused: 2}) {
			t.Errorf("halted, %s: %v, %+v", name, err, alone.Metrics())
		}
		for _, halts := range []bool{true, false} {
			ctx, cancel := context.WithCancel(t.Context())
			var child *actor.Actor[int]
			parent := actor.Start(ctx, func(self *actor.Self[int], _ int) error {
				child = actor.Spawn(self, waits, actor.Settings[int]{})
				return child.Dispatch(self.Context(), 1)
			}, actor.Settings[int]{})
			parent.Dispatch(t.Context(), 1)
			<-entered
			if halts {
				parent.Halt(t.Context())
			}
			cancel()
			parent.Wait()
			if err := child.Wait(); !errors.Is(err, c.want) || child.Metrics() != (actor.Metrics{Refused: 1}) {
				t.Errorf("its parent halted %v, %s: %v, %+v", halts, name, err, child.Metrics())
			}
		}
	}
}

// The context that an actor was started with is nobody's who halts it: it has failed of that.
func TestHandlerFailsOfTheContextOfStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := actor.Start(ctx, func(self *actor.Self[int], _ int) error {
		cancel()
		return self.Context().Err()
	}, actor.Settings[int]{})
	a.Dispatch(t.Context(), 1)
	if err := a.Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// asking is a question of an actor to its child.
type asking struct{ actor.Reply[int] }

// A handler that is halted while it asks a child, with its context, has failed of nothing,
// whichever of the two ends first.
func TestHaltedWhileItAsksItsChild(t *testing.T) {
	for i := range 2000 {
		var child *actor.Actor[asking]
		a := actor.Start(context.Background(), func(self *actor.Self[int], _ int) error {
			if child == nil {
				child = actor.Spawn(self, func(self *actor.Self[asking], m asking) error {
					select {
					case <-self.Context().Done():
						return self.Context().Err()
					case <-time.After(20 * time.Microsecond):
						m.Send(1)
						return nil
					}
				}, actor.Settings[asking]{})
			}
			_, err := actor.NewAsker(child, func(_ int, r actor.Reply[int]) asking { return asking{r} }).Ask(self.Context(), 1)
			return err
		}, actor.Settings[int]{})
		for i := range 20 {
			a.Dispatch(context.Background(), i)
		}
		time.Sleep(time.Duration(i%400) * time.Microsecond)
		if err := a.Halt(context.Background()); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
	}
}
