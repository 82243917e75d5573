package actor_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// Millions of times the receiver runs dry and is about to sleep, sleeps or is being
// woken when somebody puts: no message waits for ever. Who puts waits for the answer,
// so that the next message finds the receiver at all these points.
func TestWakeUpsUnderStress(t *testing.T) {
	times := 1_000_000
	if testing.Short() || raceDetector {
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
