package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// A withdrawal is the way back of a message that waits to be sent: either the
// messenger takes it, or its context ends.
type withdrawal struct {
	mu   sync.Mutex
	gone bool // either has happened
	stop func() bool
	told chan struct{} // closed when the loss was told
}

// newWithdrawal is the way back of a message whose context can end. A request needs none: who
// asks waits for its context, too.
func newWithdrawal(c call) *withdrawal {
	if c.asked || c.ctx.Done() == nil {
		return nil
	}
	return &withdrawal{told: make(chan struct{})}
}

// take reports whether the message is the messenger's. If not, its loss was told.
func (w *withdrawal) take() bool {
	if w == nil {
		return true
	}
	if w.first() {
		return true
	}
	<-w.told
	return false
}

// first reports whether the caller is the first one to ask.
func (w *withdrawal) first() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return false
	}
	w.gone = true
	if w.stop != nil {
		w.stop()
	}
	return true
}

// isWanted reports whether a message that waits is still to be sent.
func (c call) isWanted() bool { return c.ctx.Err() == nil }

// ended is why a context has ended, with its error besides a cause of its own; nil if it
// has not.
func ended(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}

// watch loses a message, at once, when its context ends before the messenger has it.
func (p *Peer) watch(c call) {
	w := c.cancel
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.gone {
		w.stop = context.AfterFunc(c.ctx, func() {
			if w.first() {
				p.lose([]call{c}, loss{why: ended(c.ctx)})
				close(w.told)
				p.link.look()
			}
		})
	}
}
