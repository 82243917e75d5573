package identity

import (
	"context"
	"sync/atomic"
)

// An unlocked server has its counter in one word.
type unlocked[R any] struct {
	last  atomic.Uint64
	reply func(first, n uint64) R
}

// NewAtomic returns a server without a lock. It counts by compare-and-swap, since an
// addition could not stop at the range's end.
func NewAtomic[R any](options Options[R]) Server[R] {
	options = options.check()
	s := &unlocked[R]{reply: options.Reply}
	s.last.Store(options.Floor)
	return s
}

func (s *unlocked[R]) Next(ctx context.Context) (R, error) { return s.NextN(ctx, 1) }

func (s *unlocked[R]) NextN(_ context.Context, n uint64) (reply R, err error) {
	for {
		last := s.last.Load()
		first, end, err := advance(last, n)
		if err != nil {
			return reply, err
		}
		if s.last.CompareAndSwap(last, end) {
			return s.reply(first, n), nil
		}
	}
}

func (s *unlocked[R]) Update(_ context.Context, id uint64) error {
	if err := inRange(id); err != nil {
		return err
	}
	for {
		last := s.last.Load()
		if last >= id || s.last.CompareAndSwap(last, id) {
			return nil
		}
	}
}

func (s *unlocked[R]) Close() error { return nil }
