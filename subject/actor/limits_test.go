package actor_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// A full mailbox keeps its producer waiting; one event taken lets one in.
func TestFullMailboxBlocks(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		synctest.Test(t, func(t *testing.T) {
			box := open(3)
			var put atomic.Int64
			var producing sync.WaitGroup
			producing.Go(func() {
				for i := range 5 {
					if err := box.Put(t.Context(), actor.Event{Value: i}); err != nil {
						t.Error(err)
					}
					put.Add(1)
				}
			})
			synctest.Wait()
			if put.Load() != 3 {
				t.Errorf("%d of 5 events are in a mailbox of 3", put.Load())
			}
			ctx, cancel := context.WithCancel(t.Context())
			handled := 0
			err := box.Receive(ctx, func(run []actor.Event) error {
				if handled += len(run); handled == 5 {
					cancel()
				}
				return nil
			})
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			producing.Wait()
			if handled != 5 {
				t.Errorf("%d of 5 events were handed over", handled)
			}
		})
	})
}

// A run has at most as many events as the mailbox holds, also where more of its
// type have come meanwhile.
func TestRunEndsWithCapacity(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		synctest.Test(t, func(t *testing.T) {
			box := open(4)
			go func() {
				putAll(t, box, numbered("abbbbbbb"))
				box.Close()
			}()
			var got []string
			take := collect(&got)
			err := box.Receive(t.Context(), func(run []actor.Event) error {
				time.Sleep(time.Second) // the mailbox is full again
				return take(run)
			})
			if want := maximal("abbbbbbb", 4); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q, %v, want %q", got, err, want)
			}
		})
	})
}

// A Put that waits gives up with its context, or with the mailbox's end; what
// is in the mailbox is handed over all the same, and only that.
func TestPutGivesUp(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		synctest.Test(t, func(t *testing.T) {
			box := open(1)
			putAll(t, box, numbered("a"))
			ctx, cancel := context.WithCancel(t.Context())
			failures := make(chan error, 2)
			go func() { failures <- box.Put(ctx, actor.Event{Type: actor.SyncReply}) }()
			synctest.Wait()
			cancel()
			err := <-failures
			if !errors.Is(err, context.Canceled) || err.Error() != "put syncReply: context canceled" {
				t.Errorf("got %v", err)
			}
			go func() { failures <- box.Put(t.Context(), actor.Event{Type: actor.SyncTimeout}) }()
			synctest.Wait()
			if err := box.Close(); err != nil {
				t.Error(err)
			}
			for _, err := range []error{<-failures, box.Put(t.Context(), actor.Event{Type: actor.SyncTimeout})} {
				if !errors.Is(err, actor.ErrClosed) || err.Error() != "put syncTimeout: the mailbox is closed" {
					t.Errorf("got %v", err)
				}
			}
			if err := box.Close(); !errors.Is(err, actor.ErrClosed) {
				t.Errorf("second close: %v", err)
			}
			var got []string
			if err := box.Receive(t.Context(), collect(&got)); err != nil || !slices.Equal(got, []string{"a0"}) {
				t.Errorf("%q, %v", got, err)
			}
		})
	})
}

// A receiver that its context stops leaves everything that it has not handed
// over, also the event that ended its last run.
func TestStoppedReceiverLosesNothing(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		box := open(16)
		putAll(t, box, numbered("aabbbcab"))
		var got []string
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			take := collect(&got)
			err := box.Receive(ctx, func(run []actor.Event) error { cancel(); return take(run) })
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		box.Close()
		if err := box.Receive(t.Context(), collect(&got)); err != nil {
			t.Fatal(err)
		}
		if want := maximal("aabbbcab", 16); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// A receiver that waits is stopped by its context and woken by Close; one that
// was stopped while it waited leaves the mailbox as good as before.
func TestWaitingReceiverStops(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		synctest.Test(t, func(t *testing.T) {
			box := open(2)
			ended := make(chan error)
			var got []string
			receive := func(ctx context.Context) { ended <- box.Receive(ctx, collect(&got)) }
			for range 3 {
				ctx, cancel := context.WithCancel(t.Context())
				go receive(ctx)
				synctest.Wait()
				cancel()
				if err := <-ended; !errors.Is(err, context.Canceled) {
					t.Errorf("got %v", err)
				}
			}
			putAll(t, box, numbered("ab"))
			go receive(t.Context())
			synctest.Wait()
			if err := box.Receive(t.Context(), nil); !errors.Is(err, actor.ErrBusy) {
				t.Errorf("a second receiver: %v", err)
			}
			box.Close()
			if err := <-ended; err != nil || !slices.Equal(got, []string{"a0", "b1"}) {
				t.Errorf("%q, %v", got, err)
			}
		})
	})
}

// Close beside Puts: an event is handed over if and only if its Put returned
// nil.
func TestCloseBesidePuts(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		for range 200 {
			box := open(4)
			var accepted, handled atomic.Int64
			var all sync.WaitGroup
			all.Go(func() {
				err := box.Receive(t.Context(), func(run []actor.Event) error {
					handled.Add(int64(len(run)))
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			for range 4 {
				all.Go(func() {
					for box.Put(t.Context(), actor.Event{}) == nil {
						accepted.Add(1)
					}
				})
			}
			for handled.Load() < 20 {
				runtime.Gosched()
			}
			box.Close()
			all.Wait()
			if accepted.Load() != handled.Load() {
				t.Fatalf("%d events were accepted, %d handed over", accepted.Load(), handled.Load())
			}
		}
	})
}

// A mailbox does not keep alive what it has handed over.
func TestHandedOverIsLetGo(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		box := open(8)
		const n = 6
		var freed atomic.Int64
		for i := range n {
			value := new([1 << 16]byte)
			cleanup(value, &freed)
			if err := box.Put(t.Context(), actor.Event{Type: actor.EventType(i / 4), Value: value}); err != nil {
				t.Fatal(err)
			}
		}
		box.Close()
		if err := box.Receive(t.Context(), func([]actor.Event) error { return nil }); err != nil {
			t.Fatal(err)
		}
		eventually(t, func() bool { return freed.Load() == n })
		if err := box.Close(); !errors.Is(err, actor.ErrClosed) { // the mailbox itself is alive
			t.Error(err)
		}
	})
}
