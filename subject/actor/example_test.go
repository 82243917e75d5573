package actor_test

import (
	"context"
	"fmt"

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
