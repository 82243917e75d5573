package identity

import (
	"context"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// An ephemeral server starts an actor for each request, which the one that counts
// answers, and which makes the reply and ends.
type ephemeral[R any] struct {
	counting *actor.Actor[request]
	reply    func(first, n uint64) R
}

// NewActor returns a server whose counter is an actor's, and which serves each request
// by an actor of its own. Close ends the actor.
func NewActor[R any](options Options[R]) Server[R] {
	options = options.check()
	return &ephemeral[R]{startCounting(options.Floor), options.Reply}
}

// A client is the actor of a request, as the one that counts sees it: its mailbox has
// room for the answer.
type client struct{ *actor.Actor[answer] }

func (c client) Send(a answer) error { return c.Dispatch(context.Background(), a) }

func (c client) Refuse(why error) { c.Send(answer{err: why}) }

func (s *ephemeral[R]) Next(ctx context.Context) (R, error) { return s.NextN(ctx, 1) }

func (s *ephemeral[R]) NextN(ctx context.Context, n uint64) (reply R, err error) {
	err = s.serve(ctx, actor.IdentityRequest, n, func(a answer) { reply = s.reply(a.first, n) })
	return reply, err
}

func (s *ephemeral[R]) Update(ctx context.Context, id uint64) error {
	return s.serve(ctx, actor.SyncRequest, id, func(answer) {})
}

// serve starts the actor of a request and waits until it has ended.
func (s *ephemeral[R]) serve(ctx context.Context, kind actor.EventType, n uint64, onAnswer func(answer)) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var failed error
	a := actor.Start(ctx, func(self *actor.Self[answer], a answer) error {
		if failed = a.err; failed == nil {
			onAnswer(a)
		}
		self.End()
		return nil
	}, actor.Settings[answer]{Name: "request", Mailbox: actor.NewBuffer(actor.Options[answer]{Capacity: 1})})
	if err := s.counting.Dispatch(ctx, request{kind, n, client{a}}); err != nil {
		a.Halt(context.Background())
		return closed(err)
	}
	if err := a.Wait(); err != nil {
		return err // that of ctx
	}
	return closed(failed)
}

func (s *ephemeral[R]) Close() error { return s.counting.Stop(context.Background()) }
