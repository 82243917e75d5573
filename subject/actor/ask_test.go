package actor_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/internal/racing"
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
	if n := testing.AllocsPerRun(1000, func() { asker.Ask(t.Context(), 1) }); n > 0.1 && !racing.Detector {
		t.Errorf("%v allocations a question", n)
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
