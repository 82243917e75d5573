package identity

import (
	"context"
	"fmt"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// A request is a message to the actor that counts, in the words of [actor.Event]: an
// IdentityRequest for n identities, or a SyncRequest that raises the counter to n.
type request struct {
	kind actor.EventType
	n    uint64
	sender
}

// A sender of a request waits for its answer.
type sender interface {
	Send(answer) error // an error if nobody waits any more
	Refuse(why error)
}

// An answer is the first identity that was handed out, or why none was.
type answer struct {
	first uint64
	err   error
}

// counting is the actor whose state is the counter.
type counting struct{ counter counter }

func startCounting(floor uint64) *actor.Actor[request] {
	c := &counting{counter{floor}}
	return actor.Start(context.Background(), c.handle, actor.Settings[request]{Name: "identities"})
}

// handle is the actor's handler. A sender that has given up need not be told.
func (c *counting) handle(_ *actor.Self[request], r request) error {
	switch r.kind {
	case actor.IdentityRequest:
		first, err := c.counter.next(r.n)
		r.Send(answer{first, err})
	case actor.SyncRequest:
		r.Send(answer{err: c.counter.raise(r.n)})
	default:
		return fmt.Errorf("%v: %w", r.kind, actor.ErrNoHandler)
	}
	return nil
}
