package identity

import (
	"context"
	"errors"
	"sync"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// An asked server asks whoever counts, and makes the reply of the answer.
type asked[R any] struct {
	asker *actor.Asker[request, request, answer]
	reply func(first, n uint64) R
	close func() error
}

func newAsked[R any](options Options[R], to actor.Producer[request], close func() error) *asked[R] {
	message := func(r request, reply actor.Reply[answer]) request { r.sender = reply; return r }
	return &asked[R]{actor.NewAsker(to, message), options.Reply, close}
}

// NewLocker returns a server that is an actor but for its mailbox, in whose place is a
// lock: whoever asks handles the request itself.
func NewLocker[R any](options Options[R]) Server[R] {
	options = options.check()
	l := &locker{counting: counting{counter{options.Floor}}}
	return newAsked(options, l, func() error { return nil })
}

// NewActorDirect returns a server whose counter is an actor's. Close ends the actor.
func NewActorDirect[R any](options Options[R]) Server[R] {
	options = options.check()
	a := startCounting(options.Floor)
	return newAsked(options, a, func() error { return a.Stop(context.Background()) })
}

func (s *asked[R]) Next(ctx context.Context) (R, error) { return s.NextN(ctx, 1) }

func (s *asked[R]) NextN(ctx context.Context, n uint64) (reply R, err error) {
	a, err := s.ask(ctx, request{kind: actor.IdentityRequest, n: n})
	if err != nil {
		return reply, err
	}
	return s.reply(a.first, n), nil
}

func (s *asked[R]) Update(ctx context.Context, id uint64) error {
	_, err := s.ask(ctx, request{kind: actor.SyncRequest, n: id})
	return err
}

func (s *asked[R]) ask(ctx context.Context, r request) (answer, error) {
	a, err := s.asker.Ask(ctx, r)
	if err != nil {
		return a, closed(err)
	}
	return a, a.err
}

// closed is the package's own error for an actor that takes no more.
func closed(err error) error {
	if errors.Is(err, actor.ErrClosed) || errors.Is(err, actor.ErrEnded) {
		return ErrClosed
	}
	return err
}

func (s *asked[R]) Close() error { return s.close() }

// A locker handles what is put at once, one at a time.
type locker struct {
	mu       sync.Mutex
	counting counting
}

// Put implements [actor.Producer].
func (l *locker) Put(_ context.Context, r request) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counting.handle(nil, r)
}

// PutAll implements [actor.Producer].
func (l *locker) PutAll(ctx context.Context, requests []request) (int, error) {
	for n, r := range requests {
		if err := l.Put(ctx, r); err != nil {
			return n, err
		}
	}
	return len(requests), nil
}
