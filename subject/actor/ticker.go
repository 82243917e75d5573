package actor

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// StartTicker starts an actor that puts an event into a mailbox at an interval, from a
// [TickerStart] event on and up to a [TickerStop]; either may come again and again.
// Where the mailbox waits for room, so does the ticker, and of the ticks that fall due
// meanwhile one is kept; where a full one fails or drops, that tick is lost. It ends with an error when the mailbox is closed. An interval that is not
// positive is a mistake of whoever wrote the program.
func StartTicker(ctx context.Context, to Producer[Event], event Event, every time.Duration) *Actor[Event] {
	if every <= 0 {
		panic(fmt.Sprintf("actor: a ticker with an interval of %v", every))
	}
	t := &ticker{to: to, event: event, every: every}
	return Start(ctx, Table{TickerStart: t.onStart, TickerStop: t.onStop}.Handle, Settings[Event]{Name: "ticker"})
}

type ticker struct {
	to     Producer[Event]
	event  Event
	every  time.Duration
	cancel context.CancelFunc // of the goroutine that ticks; nil if none does
	over   chan struct{}
}

func (t *ticker) onStart(self *Self[Event], _ Event) error {
	if t.cancel != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(self.Context())
	over := make(chan struct{})
	t.cancel, t.over = cancel, over
	self.Go(func(context.Context) error {
		defer close(over)
		return t.tick(ctx)
	})
	return nil
}

// onStop waits, so that no tick comes after what the actor handles next.
func (t *ticker) onStop(*Self[Event], Event) error {
	if t.cancel != nil {
		t.cancel()
		<-t.over
		t.cancel = nil
	}
	return nil
}

func (t *ticker) tick(ctx context.Context) error {
	ticks := time.NewTicker(t.every)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		}
		err := t.to.Put(ctx, t.event)
		if err != nil && ctx.Err() == nil && !errors.Is(err, ErrFull) {
			return err
		}
	}
}
