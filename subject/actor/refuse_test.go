package actor_test

import (
	"context"
	"testing"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// A slow is a message whose Refuse waits for the actor to handle another.
type slow struct{ handled chan struct{} }

func (s slow) Refuse(error) { <-s.handled }

// Who is told of a dropped message may wait for what comes behind it: the receiver was
// woken for that before, and what was put counts as put.
func TestRefuseMayWaitForTheNext(t *testing.T) {
	options := actor.Options[slow]{Capacity: 1, WhenFull: actor.DropOldest}
	for name, open := range mailboxes(options) {
		handled := make(chan struct{}, 1)
		a := actor.Start(context.Background(), func(*actor.Self[slow], slow) error {
			select {
			case handled <- struct{}{}:
			default:
			}
			return nil
		}, actor.Settings[slow]{Mailbox: open()})
		for range 100_000 {
			if err := a.Put(context.Background(), slow{handled}); err != nil {
				t.Fatal(name, err)
			}
		}
		if err := a.Stop(context.Background()); err != nil {
			t.Error(name, err)
		}
		if m := a.Metrics(); m.Depth != 0 || m.Handled+m.Dropped != 100_000 {
			t.Errorf("%s: %+v", name, m)
		}
	}
}
