package turn

import (
	"context"
	"sync"
	"sync/atomic"
)

// News wakes those that wait for something to change. Telling costs one load
// while nobody waits.
type News struct {
	waiting atomic.Int64
	mu      sync.Mutex
	changed chan struct{} // closed by the next Tell; nil if nobody asked
}

// Await returns when changed reports true, or with the context's error. What
// changed looks at must be changed before Tell is called.
func (n *News) Await(ctx context.Context, changed func() bool) error {
	n.waiting.Add(1) // before looking, so that a Tell after the look is seen
	defer n.waiting.Add(-1)
	for {
		told := n.channel()
		if changed() {
			return nil
		}
		select {
		case <-told:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (n *News) channel() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed
}

// Tell is small enough for its callers to have it inlined.
func (n *News) Tell() {
	if n.waiting.Load() != 0 {
		n.wake()
	}
}

func (n *News) wake() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}
