package identityrpc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
)

// ErrClosed is what callers of a client get that is closed.
var ErrClosed = errors.New("the client is closed")

// MostShared is how many callers a request is for at most. Servers give as many to each
// request, whatever they are set to.
const MostShared = 1 << 12

// Shared has callers share requests: whoever waits when one is sent is in it. While it is
// under way others gather for the next.
type shared struct {
	client  *Client
	line    line
	wishes  sync.Pool // of *wish
	cancel  context.CancelFunc
	working sync.WaitGroup
	wanted  chan struct{} // has room for one: somebody waits

	mu      sync.Mutex // guards what follows
	waiting []*wish
	gone    int // of these, who has given up
	closed  bool
}

// A wish is one caller's, for one identity.
type wish struct {
	answer chan answer // has room for one
	taken  bool        // it is in a request; the lock's
	gone   bool        // nobody waits for it any more; the lock's
}

// An answer is what became of one caller's wish.
type answer struct {
	id  uint64
	err error
}

func newShared(c *Client) *shared {
	ctx, cancel := context.WithCancel(context.Background())
	s := &shared{client: c, line: line{client: c}, cancel: cancel, wanted: make(chan struct{}, 1)}
	s.wishes.New = func() any { return &wish{answer: make(chan answer, 1)} }
	s.working.Go(func() { s.work(ctx) })
	return s
}

func (s *shared) next(ctx context.Context) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("next: %w", err)
	}
	mine := s.wishes.Get().(*wish)
	if err := s.join(mine); err != nil {
		return 0, err
	}
	select {
	case a := <-mine.answer:
		s.wishes.Put(mine)
		return a.id, a.err
	case <-ctx.Done():
		s.leave(mine)
		return 0, fmt.Errorf("next: %w", ctx.Err())
	}
}

func (s *shared) join(mine *wish) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	mine.taken = false
	if s.waiting = append(s.waiting, mine); len(s.waiting) == 1 {
		s.want()
	}
	return nil
}

// leave gives a wish up: what is on its way for it is nobody's. Where half of those that
// wait are gone they are cleared away, so that there are never many.
func (s *shared) leave(mine *wish) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if mine.taken {
		return
	}
	mine.gone = true
	if s.gone++; 2*s.gone > len(s.waiting) {
		s.waiting = slices.DeleteFunc(s.waiting, func(w *wish) bool { return w.gone })
		s.gone = 0
	}
}

// want says that somebody waits.
func (s *shared) want() {
	select {
	case s.wanted <- struct{}{}:
	default: // it is known already
	}
}

// work sends one request after the other, until ctx ends.
func (s *shared) work(ctx context.Context) {
	defer s.line.hangUp()
	var callers []*wish
	for {
		select {
		case <-s.wanted:
		case <-ctx.Done():
			return
		}
		s.gather(len(callers))
		callers = s.take(callers)
		s.serve(ctx, callers)
	}
}

// gather lets callers run who were just answered, while they come back for more: a request
// is worth as much as there are in it. It ends when as many wait as were answered, or no
// further one has come.
func (s *shared) gather(answered int) {
	for before := 0; ; {
		runtime.Gosched()
		s.mu.Lock()
		waiting := len(s.waiting)
		s.mu.Unlock()
		if waiting >= answered || waiting == before {
			return
		}
		before = waiting
	}
}

// take moves those who have waited longest to an emptied slice, at most [MostShared], and
// passes over who is gone.
func (s *shared) take(emptied []*wish) []*wish {
	s.mu.Lock()
	defer s.mu.Unlock()
	callers, n := emptied[:0], 0
	for ; n < len(s.waiting) && len(callers) < MostShared; n++ {
		if w := s.waiting[n]; w.gone {
			s.gone--
		} else {
			w.taken = true
			callers = append(callers, w)
		}
	}
	left := copy(s.waiting, s.waiting[n:])
	clear(s.waiting[left:])
	if s.waiting = s.waiting[:left]; left > 0 {
		s.want()
	}
	return callers
}

// serve asks for as many identities as there are callers.
func (s *shared) serve(ctx context.Context, callers []*wish) {
	n := uint64(len(callers))
	if n == 0 {
		return
	}
	r, err := s.line.ask(ctx, n)
	if err != nil && !(errors.Is(err, errLate) && len(s.client.servers) == 1) {
		r, err = s.client.NextN(ctx, n) // what was handed out and did not arrive is nobody's
	}
	for i, caller := range callers {
		if err != nil {
			caller.answer <- answer{err: err}
		} else {
			caller.answer <- answer{id: r.At(uint64(i))}
		}
	}
}

// close refuses all who wait.
func (s *shared) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.working.Wait()
	for callers := s.take(nil); len(callers) > 0; callers = s.take(callers) {
		for _, caller := range callers {
			caller.answer <- answer{err: ErrClosed}
		}
	}
}
