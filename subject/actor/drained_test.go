package actor_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// That a mailbox is closed and empty goes before the end of the context. Being only closed, or
// only empty, does not.
func TestDrainedGoesBeforeTheContext(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, open := range mailboxes(actor.Options[int]{}) {
		box := open()
		var got []int
		receive := func(ctx context.Context) error {
			return box.Receive(ctx, func(run []int) error { got = append(got, run...); return nil })
		}
		if err := receive(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: empty: %v", name, err)
		}
		box.Put(t.Context(), 7)
		box.Close()
		if err := receive(ended); !errors.Is(err, context.Canceled) || got != nil {
			t.Errorf("%s: closed: %v, %v", name, got, err)
		}
		if err := receive(t.Context()); err != nil || !slices.Equal(got, []int{7}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if err := receive(ended); err != nil {
			t.Errorf("%s: closed and empty: %v", name, err)
		}
	}
}

// An actor that was stopped and has handled all has not failed, though its context ends
// in the last handler. One with a message left has.
func TestContextEndsInTheLastHandler(t *testing.T) {
	for name, open := range mailboxes(actor.Options[int]{Alike: func(int, int) bool { return false }}) {
		for left := range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			box := open()
			box.PutAll(t.Context(), []int{0, 1, 2}[:2+left])
			a := actor.Start(ctx, func(self *actor.Self[int], n int) error {
				if n == 1 {
					self.Actor().Stop(self.Context()) // the mailbox is closed when it returns
					cancel()
				}
				return nil
			}, actor.Settings[int]{Mailbox: box})
			err := a.Wait()
			if m := a.Metrics(); m.Handled != 2 || m.Refused != left || (left == 0) != (err == nil) || left > 0 && !errors.Is(err, context.Canceled) {
				t.Errorf("%s, %d left: %v, %+v", name, left, err, m)
			}
		}
	}
}
