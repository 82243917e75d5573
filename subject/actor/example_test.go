package actor_test

import (
	"context"
	"fmt"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

func Example() {
	ctx := context.Background()
	var box actor.Mailbox[actor.Event] = actor.NewBuffer(actor.Options[actor.Event]{Capacity: 64, Alike: actor.SameType})
	for id := range 4 {
		box.Put(ctx, actor.Event{Type: actor.IdentityRequest, Value: id})
	}
	for range 3 {
		box.Put(ctx, actor.Event{Type: actor.SyncReply, Source: "replica 2"})
	}
	box.Close()
	fmt.Println(box.Put(ctx, actor.Event{Type: actor.SyncTimeout}))
	err := box.Receive(ctx, func(run []actor.Event) error {
		fmt.Println(run[0].Type, len(run))
		return nil
	})
	fmt.Println(err)
	// Output:
	// put syncTimeout: the mailbox is closed
	// identityRequest 4
	// syncReply 3
	// <nil>
}

// A long-lived actor: its state is nobody else's, so that it needs no lock. It lives
// until its owner stops it, which waits for all that was dispatched.
func ExampleStart() {
	ctx := context.Background()
	balance := 0
	account := actor.Start(ctx, func(_ *actor.Self[int], amount int) error {
		balance += amount
		return nil
	}, actor.Settings[int]{Name: "account"})
	for _, amount := range []int{100, -30, 5} {
		if err := account.Dispatch(ctx, amount); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(account.Stop(ctx), balance)
	// Output:
	// <nil> 75
}

// Ephemeral actors: one for each job, which tells the one that collects and ends.
func ExampleSpawn() {
	ctx := context.Background()
	sum := 0
	collector := actor.Start(ctx, func(_ *actor.Self[int], square int) error {
		sum += square
		return nil
	}, actor.Settings[int]{Name: "collector"})
	foreman := actor.Start(ctx, func(self *actor.Self[int], n int) error {
		worker := actor.Spawn(self, func(self *actor.Self[int], n int) error {
			self.End() // after this message
			return collector.Dispatch(self.Context(), n*n)
		}, actor.Settings[int]{Name: "worker"})
		return worker.Dispatch(self.Context(), n)
	}, actor.Settings[int]{Name: "foreman"})
	foreman.PutAll(ctx, []int{1, 2, 3, 4})
	fmt.Println(foreman.Stop(ctx)) // waits for its workers
	fmt.Println(collector.Stop(ctx), sum)
	// Output:
	// <nil>
	// <nil> 30
}

// A ticker's ticks are events among others, in the mailbox of whoever wants them.
func ExampleStartTicker() {
	ctx := context.Background()
	ticks, third := 0, make(chan struct{})
	replica := actor.Start(ctx, actor.Table{
		actor.SyncTimeout: func(*actor.Self[actor.Event], actor.Event) error {
			if ticks++; ticks == 3 {
				close(third)
			}
			return nil
		},
	}.Handle, actor.Settings[actor.Event]{Name: "replica"})
	ticker := actor.StartTicker(ctx, replica, actor.Event{Type: actor.SyncTimeout}, time.Millisecond)
	ticker.Dispatch(ctx, actor.Event{Type: actor.TickerStart})
	<-third
	fmt.Println(ticker.Dispatch(ctx, actor.Event{Type: actor.TickerStop}), ticker.Stop(ctx))
	fmt.Println(replica.Stop(ctx), ticks >= 3)
	// Output:
	// <nil> <nil>
	// <nil> true
}

// Whoever asks waits for the answer, or until the actor has ended.
func ExampleAsker() {
	type question struct {
		word string
		actor.Reply[int]
	}
	ctx := context.Background()
	counter := actor.Start(ctx, func(_ *actor.Self[question], q question) error {
		return q.Send(len(q.word))
	}, actor.Settings[question]{})
	letters := actor.NewAsker(counter, func(word string, reply actor.Reply[int]) question { return question{word, reply} })
	fmt.Println(letters.Ask(ctx, "mailbox"))
	counter.Stop(ctx)
	fmt.Println(letters.Ask(ctx, "late"))
	// Output:
	// 7 <nil>
	// 0 ask: put: the mailbox is closed
}
