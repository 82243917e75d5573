package actor_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// A full mailbox does what its policy says, and counts what it drops.
func TestWhenFull(t *testing.T) {
	for _, c := range []struct {
		policy  actor.WhenFull
		want    []int
		dropped int
		err     error
	}{
		{actor.Fail, []int{0, 1, 2}, 0, actor.ErrFull},
		{actor.DropNewest, []int{0, 1, 2}, 4, nil},
		{actor.DropOldest, []int{4, 5, 6}, 4, nil},
	} {
		for name, open := range mailboxes(actor.Options[int]{Capacity: 3, WhenFull: c.policy}) {
			box := open()
			for n := range 7 {
				err := box.Put(t.Context(), n)
				if n < 3 && err != nil || n >= 3 && !errors.Is(err, c.err) {
					t.Errorf("%s, policy %d: put %d: %v", name, c.policy, n, err)
				}
			}
			if box.Len() != 3 || box.Dropped() != c.dropped {
				t.Errorf("%s, policy %d: %d messages, %d dropped", name, c.policy, box.Len(), box.Dropped())
			}
			box.Close()
			var got []int
			err := box.Receive(t.Context(), func(run []int) error { got = append(got, run...); return nil })
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%s, policy %d: %v, %v, want %v", name, c.policy, got, err, c.want)
			}
		}
	}
}

// Beside a receiver and many producers every message is handed over or counted as
// dropped, and never both.
func TestDropsAreCounted(t *testing.T) {
	const producers, times = 8, 20_000
	for _, policy := range []actor.WhenFull{actor.DropNewest, actor.DropOldest} {
		for name, open := range mailboxes(actor.Options[[2]int]{Capacity: 4, WhenFull: policy}) {
			box := open()
			var putting, receiving sync.WaitGroup
			got, last := 0, [producers]int{}
			receiving.Go(func() {
				box.Receive(t.Context(), func(run [][2]int) error {
					got += len(run)
					for _, m := range run {
						if m[1] <= last[m[0]] {
							t.Errorf("%s: message %d of producer %d after %d", name, m[1], m[0], last[m[0]])
						}
						last[m[0]] = m[1]
					}
					return nil
				})
			})
			for p := range producers {
				putting.Go(func() {
					producer, release := box.NewProducer()
					defer release()
					for n := range times {
						if err := producer.Put(t.Context(), [2]int{p, n + 1}); err != nil {
							t.Error(err)
						}
					}
				})
			}
			putting.Wait()
			box.Close()
			receiving.Wait()
			if dropped := box.Dropped(); got+dropped != producers*times || dropped == 0 || box.Len() != 0 {
				t.Errorf("%s, policy %d: %d handed over and %d dropped of %d, %d left", name, policy, got, dropped, producers*times, box.Len())
			}
		}
	}
}

// Who asked with a message that is dropped is told, and so is one that finds no room.
func TestWhoAsksAFullMailboxIsTold(t *testing.T) {
	for _, policy := range []actor.WhenFull{actor.Fail, actor.DropNewest, actor.DropOldest} {
		for name, open := range mailboxes(actor.Options[question]{Capacity: 1, WhenFull: policy}) {
			box := open()
			asker := actor.NewAsker(box, ask)
			errs := make(chan error, 2)
			for n := range 2 {
				go func() { _, err := asker.Ask(t.Context(), n); errs <- err }()
			}
			if err := <-errs; !errors.Is(err, actor.ErrFull) {
				t.Errorf("%s, policy %d: %v", name, policy, err)
			}
			box.Close()
			box.Receive(t.Context(), func(run []question) error { return run[0].Send(1) })
			if err := <-errs; err != nil {
				t.Errorf("%s, policy %d: the other one: %v", name, policy, err)
			}
		}
	}
}

// An event refuses whoever is its source.
func TestRefusedEvent(t *testing.T) {
	box := actor.NewBuffer(actor.Options[actor.Event]{Capacity: 1, WhenFull: actor.DropNewest})
	asker := actor.NewAsker(box, func(n int, reply actor.Reply[int]) actor.Event {
		return actor.Event{Type: actor.IdentityRequest, Source: reply, Value: n}
	})
	if err := box.Put(t.Context(), actor.Event{Source: "nobody"}); err != nil {
		t.Fatal(err)
	}
	if _, err := asker.Ask(t.Context(), 1); !errors.Is(err, actor.ErrFull) {
		t.Errorf("got %v", err)
	}
}

// Many messages at once are put in their order; those of an error are told.
func TestPutAll(t *testing.T) {
	for name, open := range mailboxes(actor.Options[int]{Capacity: 5}) {
		box := open()
		producer, release := box.NewProducer()
		var got []int
		var receiving sync.WaitGroup
		receiving.Go(func() {
			box.Receive(t.Context(), func(run []int) error { got = append(got, run...); return nil })
		})
		want := make([]int, 1000)
		for i := range want {
			want[i] = i
		}
		if n, err := producer.PutAll(t.Context(), want[:996]); n != 996 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if n, err := producer.PutAll(t.Context(), want[996:]); n != 4 || err != nil {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		release()
		box.Close()
		receiving.Wait()
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d of %d in order", name, len(got), len(want))
		}
		if n, err := box.PutAll(t.Context(), want); n != 0 || !errors.Is(err, actor.ErrClosed) {
			t.Errorf("%s: closed: %d, %v", name, n, err)
		}
	}
	full := actor.NewBuffer(actor.Options[int]{Capacity: 5, WhenFull: actor.Fail})
	if n, err := full.PutAll(t.Context(), make([]int, 9)); n != 5 || !errors.Is(err, actor.ErrFull) {
		t.Errorf("into a mailbox of 5: %d, %v", n, err)
	}
}

// What was put through a producer that is released is handed over; nothing is put
// through it afterwards, and its lane goes.
func TestReleasedProducers(t *testing.T) {
	box := actor.NewRings(actor.Options[int]{Capacity: 2, WhenFull: actor.DropNewest})
	var receiving sync.WaitGroup
	got := 0
	for range 1000 {
		producer, release := box.NewProducer()
		producer.PutAll(t.Context(), []int{1, 2, 3})
		release()
		if err := producer.Put(t.Context(), 4); !errors.Is(err, actor.ErrClosed) {
			t.Fatal(err)
		}
	}
	receiving.Go(func() {
		box.Receive(t.Context(), func(run []int) error { got += len(run); return nil })
	})
	for deadline := time.Now().Add(time.Minute); box.Lanes() > 1 && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	box.Close()
	receiving.Wait()
	if got != 2000 || box.Dropped() != 1000 || box.Lanes() != 1 {
		t.Errorf("%d handed over, %d dropped, %d lanes left", got, box.Dropped(), box.Lanes())
	}
	if producer, _ := box.NewProducer(); producer.Put(t.Context(), 1) == nil {
		t.Error("a closed mailbox takes a message of a new producer")
	}
}

// A producer that was released has ended where it had a lane of its own.
func TestPutThroughAReleasedProducer(t *testing.T) {
	for name, open := range mailboxes(actor.Options[int]{}) {
		box := open()
		producer, release := box.NewProducer()
		release()
		var want error
		if name == "Rings" {
			want = actor.ErrClosed
		}
		if err := producer.Put(t.Context(), 1); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A mailbox that cannot be is a mistake of the program, told where it is made.
func TestOptionsThatCannotBe(t *testing.T) {
	for _, options := range []actor.Options[int]{{Capacity: -1}, {WhenFull: 4}, {WhenFull: -1}} {
		for name, open := range mailboxes(options) {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %+v was taken", name, options)
					}
				}()
				open()
			}()
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
