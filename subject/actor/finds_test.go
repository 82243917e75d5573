package actor_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// producers opens each mailbox, and Rings once more through a producer's lane.
func producers[M any](options actor.Options[M]) map[string]func() (actor.Mailbox[M], actor.Producer[M]) {
	all := map[string]func() (actor.Mailbox[M], actor.Producer[M]){}
	for name, open := range mailboxes(options) {
		all[name] = func() (actor.Mailbox[M], actor.Producer[M]) { box := open(); return box, box }
		all[name+", own"] = func() (actor.Mailbox[M], actor.Producer[M]) {
			box := open()
			own, _ := box.NewProducer()
			return box, own
		}
	}
	return all
}

// A message begins a run whatever Alike says of it and itself.
func TestMessagesThatAreLikeNone(t *testing.T) {
	never := func(int, int) bool { return false }
	for name, open := range producers(actor.Options[int]{Capacity: 4, Alike: never}) {
		box, producer := open()
		producer.PutAll(t.Context(), []int{1, 2, 3})
		box.Close()
		var runs [][]int
		err := box.Receive(t.Context(), func(run []int) error { runs = append(runs, slices.Clone(run)); return nil })
		if err != nil || len(runs) != 3 {
			t.Errorf("%s: %v, %v", name, runs, err)
		}
	}
}

// Messages that are dropped while a run is gathered leave none in it that is unlike.
func TestDroppedBesideARun(t *testing.T) {
	alike := func(first, m int) bool { return first == m }
	for name, open := range producers(actor.Options[int]{Capacity: 3, WhenFull: actor.DropOldest, Alike: alike}) {
		box, producer := open()
		var putting sync.WaitGroup
		putting.Go(func() {
			for i := range 30_000 {
				producer.Put(t.Context(), i/2%3)
			}
			box.Close()
		})
		box.Receive(t.Context(), func(run []int) error {
			for _, m := range run {
				if m != run[0] {
					t.Errorf("%s: %v", name, run)
				}
			}
			return nil
		})
		putting.Wait()
	}
}

// Who appends to a run writes over nothing that waits.
func TestAppendToARun(t *testing.T) {
	pairs := func(first, m int) bool { return first/2 == m/2 }
	for name, open := range producers(actor.Options[int]{Capacity: 8, Alike: pairs}) {
		box, producer := open()
		producer.PutAll(t.Context(), []int{2, 3, 4, 5, 6})
		box.Close()
		var got []int
		box.Receive(t.Context(), func(run []int) error {
			got = append(got, run...)
			_ = append(run, -1)
			return nil
		})
		if !slices.Equal(got, []int{2, 3, 4, 5, 6}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What was handed over is let go when its run was handled, not when others were.
func TestEachRunIsLetGo(t *testing.T) {
	type payload = *[1 << 16]byte
	never := func(payload, payload) bool { return false }
	for name, open := range producers(actor.Options[payload]{Capacity: 8, Alike: never}) {
		box, producer := open()
		var freed atomic.Int64
		for range 5 {
			value := new([1 << 16]byte)
			cleanup(value, &freed)
			producer.Put(t.Context(), value)
		}
		box.Close()
		runs := int64(0)
		box.Receive(t.Context(), func([]payload) error {
			eventually(t, func() bool { return freed.Load() == runs })
			runs++
			return nil
		})
		if runs != 5 {
			t.Errorf("%s: %d runs", name, runs)
		}
	}
}

// A refuser does something when it is dropped.
type refuser struct{ do func() }

func (r refuser) Refuse(error) { r.do() }

// Who is told of a drop may use the mailbox: no lock is held.
func TestRefuseMayCloseTheMailbox(t *testing.T) {
	for _, policy := range []actor.WhenFull{actor.DropNewest, actor.DropOldest} {
		for name, open := range producers(actor.Options[refuser]{Capacity: 1, WhenFull: policy}) {
			box, producer := open()
			closes := refuser{func() { box.Close() }}
			done := make(chan struct{})
			go func() {
				defer close(done)
				producer.Put(t.Context(), closes)
				producer.Put(t.Context(), closes)
			}()
			select {
			case <-done:
			case <-time.After(10 * time.Second):
				t.Fatalf("%s, policy %d: it waits for ever", name, policy)
			}
		}
	}
}

// An actor's producer asks as the actor itself does: who asks itself is told, and so is
// who asks one that ends without an answer.
func TestAskThroughAProducer(t *testing.T) {
	for name, open := range mailboxes(actor.Options[question]{}) {
		errs := make(chan error, 2)
		var asker *actor.Asker[question, int, int]
		a := actor.Start(t.Context(), func(self *actor.Self[question], q question) error {
			if q.n == 1 {
				_, err := asker.Ask(self.Context(), 2)
				errs <- err
				self.Go(func(ctx context.Context) error {
					_, err := asker.Ask(ctx, 3) // nothing waits for it
					errs <- err
					return nil
				})
				return nil
			}
			if q.n == 3 {
				return q.Send(3)
			}
			self.End()
			return nil // without an answer
		}, actor.Settings[question]{Mailbox: open()})
		producer, _ := a.NewProducer()
		asker = actor.NewAsker(producer, ask)
		a.Dispatch(t.Context(), question{n: 1})
		if err := <-errs; !errors.Is(err, actor.ErrItself) {
			t.Errorf("%s: who asks itself: %v", name, err)
		}
		if err := <-errs; err != nil {
			t.Errorf("%s: what it has started: %v", name, err)
		}
		if _, err := asker.Ask(t.Context(), 4); !errors.Is(err, actor.ErrEnded) {
			t.Errorf("%s: who asks one that ends: %v", name, err)
		}
	}
}

// After a panic in Put somebody may still have the reply: it answers no other question.
func TestAnswerAfterAPanic(t *testing.T) {
	var kept actor.Reply[int]
	box := actor.NewBuffer(actor.Options[question]{})
	asker := actor.NewAsker(box, func(n int, reply actor.Reply[int]) question {
		if n == 1 {
			kept = reply
			panic("no message")
		}
		return question{n, reply}
	})
	func() {
		defer func() { recover() }()
		asker.Ask(t.Context(), 1)
	}()
	go box.Receive(context.Background(), func(run []question) error {
		kept.Send(-1)
		return run[0].Send(run[0].n)
	})
	defer box.Close()
	if got, err := asker.Ask(t.Context(), 2); got != 2 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
}

// Without a reason a refusal is an error all the same.
func TestRefusedWithoutAReason(t *testing.T) {
	box := actor.NewBuffer(actor.Options[question]{})
	defer box.Close()
	go box.Receive(context.Background(), func(run []question) error { run[0].Refuse(nil); return nil })
	if _, err := actor.NewAsker(box, ask).Ask(t.Context(), 1); err == nil {
		t.Error("an answer of nobody")
	}
}

// What is watched is what happens in the window, also in a run that began before.
func TestWatchIsOfItsWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := actor.Start(t.Context(), func(_ *actor.Self[time.Duration], d time.Duration) error { time.Sleep(d); return nil }, actor.Settings[time.Duration]{})
		a.PutAll(t.Context(), slices.Concat([]time.Duration{time.Second}, slices.Repeat([]time.Duration{time.Millisecond}, 999)))
		time.Sleep(time.Second + 500*time.Microsecond) // in the run's second message
		first := a.Watch(t.Context(), 0)
		if seen := a.Watch(t.Context(), 500*time.Millisecond); seen.PerSecond < 990 || seen.PerSecond > 1010 || seen.MaxHandling != time.Millisecond {
			t.Errorf("%+v, before %+v", seen, first)
		}
		a.Stop(t.Context())
	})
}

// Room in one's own mailbox is waited for by nobody, also past the actor's deadline.
func TestFullPastTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var got error
		a := actor.Start(ctx, func(self *actor.Self[int], n int) error {
			<-self.Context().Done()
			self.Dispatch(1)
			got = self.Dispatch(2)
			return nil
		}, actor.Settings[int]{Mailbox: actor.NewBuffer(actor.Options[int]{Capacity: 1})})
		a.Dispatch(t.Context(), 0)
		if err := a.Wait(); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(got, actor.ErrFull) {
			t.Errorf("%v, then %v", got, err)
		}
	})
}
