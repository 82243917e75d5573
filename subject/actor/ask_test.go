package actor_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// Each question gets its own answer, also beside others that were given up, whose
// answers come late or twice.
func TestAnswersReachWhoAsked(t *testing.T) {
	const askers, times = 16, 3000
	for name, open := range mailboxes(actor.Options[question]{Capacity: 8}) {
		t.Run(name, func(t *testing.T) {
			var late sync.WaitGroup
			a := actor.Start(t.Context(), func(_ *actor.Self[question], q question) error {
				switch rand.IntN(20) {
				case 0: // answered later, by another goroutine
					late.Go(func() {
						time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
						q.Send(-q.n)
					})
				case 1: // answered twice
					q.Send(-q.n)
					if err := q.Send(-q.n); !errors.Is(err, actor.ErrNobodyWaits) {
						t.Errorf("a second answer: %v", err)
					}
				default:
					q.Send(-q.n)
				}
				return nil
			}, actor.Settings[question]{Mailbox: open()})
			asker := actor.NewAsker(a, ask)
			var asking sync.WaitGroup
			for g := range askers {
				asking.Go(func() {
					for i := range times {
						n := g*times + i + 1
						ctx, cancel := t.Context(), context.CancelFunc(func() {})
						if i%10 == 0 {
							ctx, cancel = context.WithTimeout(ctx, time.Duration(rand.IntN(100))*time.Microsecond)
						}
						got, err := asker.Ask(ctx, n)
						if cancel(); err == nil && got != -n || err != nil && !errors.Is(err, context.DeadlineExceeded) {
							t.Errorf("question %d: %d, %v", n, got, err)
							return
						}
					}
				})
			}
			asking.Wait()
			if err := a.Stop(t.Context()); err != nil {
				t.Error(err)
			}
			late.Wait()
		})
	}
}

// An answer nobody waits for is an error of who sends it, and harms nobody.
func TestAnswersNobodyWaitsFor(t *testing.T) {
	box := actor.NewBuffer(actor.Options[question]{})
	asker := actor.NewAsker(box, ask)
	if _, err := asker.Ask(within(t, time.Millisecond), 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	box.Close()
	box.Receive(t.Context(), func(run []question) error {
		if err := run[0].Send(1); !errors.Is(err, actor.ErrNobodyWaits) {
			t.Errorf("a late answer: %v", err)
		}
		run[0].Refuse(actor.ErrEnded)
		return nil
	})
	if err := (actor.Reply[int]{}).Send(1); !errors.Is(err, actor.ErrNobodyWaits) {
		t.Errorf("an answer to no question: %v", err)
	}
	if _, err := asker.Ask(t.Context(), 2); !errors.Is(err, actor.ErrClosed) {
		t.Errorf("a question into a closed mailbox: %v", err)
	}
}

// Who waits for an answer that was never given learns that the actor has ended.
func TestUnansweredQuestion(t *testing.T) {
	a := actor.Start(t.Context(), func(self *actor.Self[question], q question) error { self.End(); return nil }, actor.Settings[question]{})
	if _, err := actor.NewAsker(a, ask).Ask(t.Context(), 1); !errors.Is(err, actor.ErrEnded) {
		t.Errorf("got %v", err)
	}
	if err := a.Wait(); err != nil {
		t.Error(err)
	}
}

// Asking allocates nothing.
func TestAskAllocatesNothing(t *testing.T) {
	a := actor.Start(t.Context(), func(_ *actor.Self[question], q question) error { return q.Send(q.n) }, actor.Settings[question]{})
	defer a.Stop(t.Context())
	asker := actor.NewAsker(a, ask)
	asker.Ask(t.Context(), 0)
	if n := testing.AllocsPerRun(1000, func() { asker.Ask(t.Context(), 1) }); n > 0.1 && !raceDetector {
		t.Errorf("%v allocations a question", n)
	}
}
