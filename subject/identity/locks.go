package identity

import (
	"context"
	"sync"
)

// A sequence is locked while it counts, and no longer.
type sequence[R any] struct {
	mu      sync.Mutex
	counter counter
	reply   func(first, n uint64) R
}

// NewSequence returns a server whose lock guards the counter only.
func NewSequence[R any](options Options[R]) Server[R] {
	options = options.check()
	return &sequence[R]{counter: counter{options.Floor}, reply: options.Reply}
}

func (s *sequence[R]) Next(ctx context.Context) (R, error) { return s.NextN(ctx, 1) }

func (s *sequence[R]) NextN(_ context.Context, n uint64) (reply R, err error) {
	first, err := s.count(n)
	if err != nil {
		return reply, err
	}
	return s.reply(first, n), nil
}

func (s *sequence[R]) count(n uint64) (first uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counter.next(n)
}

func (s *sequence[R]) Update(_ context.Context, id uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counter.raise(id)
}

func (s *sequence[R]) Close() error { return nil }

// A simple server is a sequence whose reply is made under the lock, too.
type simple[R any] struct{ sequence[R] }

// NewSimple returns a server that makes its replies under the lock of its counter.
func NewSimple[R any](options Options[R]) Server[R] {
	options = options.check()
	return &simple[R]{sequence[R]{counter: counter{options.Floor}, reply: options.Reply}}
}

func (s *simple[R]) Next(ctx context.Context) (R, error) { return s.NextN(ctx, 1) }

func (s *simple[R]) NextN(_ context.Context, n uint64) (reply R, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	first, err := s.counter.next(n)
	if err != nil {
		return reply, err
	}
	return s.reply(first, n), nil
}
