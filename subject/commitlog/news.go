package commitlog

import (
	"context"
	"sync"
	"sync/atomic"
)

// News wakes those that wait for something to change. Telling costs one load
// while nobody waits.
type news struct {
	waiting atomic.Int64
	mu      sync.Mutex
	changed chan struct{} // closed by the next tell; nil if nobody asked
}

// await returns when changed reports true, or with the context's error. What
// changed looks at must be changed before tell is called.
func (n *news) await(ctx context.Context, changed func() bool) error {
	n.waiting.Add(1) // before looking, so that a tell after the look is seen
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

func (n *news) channel() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed == nil {
		n.changed = make(chan struct{})
	}
	return n.changed
}

// tell is small enough for its callers to have it inlined.
func (n *news) tell() {
	if n.waiting.Load() != 0 {
		n.wake()
	}
}

func (n *news) wake() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.changed != nil {
		close(n.changed)
		n.changed = nil
	}
}
