package actor_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/internal/racing"
	"github.com/syncwrite/syncwrite/subject/actor"
)

// Millions of times the receiver runs dry and is about to sleep, sleeps or is being
// woken when somebody puts: no message waits for ever. Who puts waits for the answer,
// so that the next message finds the receiver at all these points.
func TestWakeUpsUnderStress(t *testing.T) {
	times := 1_000_000
	if testing.Short() || racing.Detector {
		times = 30_000
	}
	for name, box := range map[string]actor.Mailbox[question]{"Buffer": actor.NewBuffer(actor.Options[question]{}), "Rings": actor.NewRings(actor.Options[question]{})} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			answers := 0
			echo := actor.Start(ctx, func(_ *actor.Self[question], q question) error {
				answers++
				return q.Send(answers)
			}, actor.Settings[question]{Mailbox: box})
			var asking sync.WaitGroup
			for range 2 {
				asking.Go(func() {
					put, release := box.NewProducer()
					defer release()
					asker := actor.NewAsker(put, ask)
					for i := range times {
						if _, err := asker.Ask(ctx, i); err != nil {
							t.Errorf("question %d: %v", i, err)
							return
						}
					}
				})
			}
			asking.Wait()
			if err := echo.Stop(ctx); err != nil || answers != 2*times {
				t.Errorf("%d answers to %d questions, %v", answers, 2*times, err)
			}
		})
	}
}

// A message that is put just before the mailbox is closed, or the producer released,
// finds the receiver at any point of its looking, and is handed over.
func TestLastMessages(t *testing.T) {
	times := 100_000
	if testing.Short() || racing.Detector {
		times = 10_000
	}
	for name, open := range mailboxes(actor.Options[int]{Capacity: 2}) {
		t.Run(name, func(t *testing.T) {
			for i := range times {
				box := open()
				producer, release := box.NewProducer()
				handled := 0
				var receiving sync.WaitGroup
				receiving.Go(func() {
					box.Receive(context.Background(), func(run []int) error { handled += len(run); return nil })
				})
				for range i % 50 { // the receiver has come further each time
					runtime.Gosched()
				}
				err := producer.Put(context.Background(), i)
				if i%2 == 0 {
					release()
				}
				box.Close()
				receiving.Wait()
				if handled != 1 || err != nil {
					t.Fatalf("round %d: %d of 1 message was handed over, %v", i, handled, err)
				}
			}
		})
	}
}
