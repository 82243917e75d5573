package actor

import (
	"context"
	"runtime"
	"sync/atomic"
)

// A bell wakes the one receiver of a mailbox. Ringing costs one load while it is
// awake. That no message waits for a receiver that sleeps rests on the order of two
// steps on either side: who puts makes the message visible, then looks whether the
// receiver sleeps; the receiver says that it sleeps, then looks for messages. One of
// the two sees the other (TestNoLostWakeUp goes through all interleavings).
type bell struct {
	asleep atomic.Bool
	rung   chan struct{} // has room for one
}

func newBell() bell { return bell{rung: make(chan struct{}, 1)} }

// looksAwake is how often a receiver lets others run and looks again before it goes
// to sleep.
const looksAwake = 2

// ring wakes the receiver if it sleeps. What it is to see was made visible before.
func (b *bell) ring() {
	if b.asleep.Load() && b.asleep.CompareAndSwap(true, false) {
		select {
		case b.rung <- struct{}{}:
		default: // it is being woken
		}
	}
}

// await returns when there is something, or with the context's error. It may have
// been woken for what it has seen already: then it looks once too often.
func (b *bell) await(ctx context.Context, there func() bool) error {
	for range looksAwake {
		if there() {
			return nil
		}
		runtime.Gosched()
	}
	for {
		b.asleep.Store(true)
		if there() {
			b.asleep.Store(false)
			return nil
		}
		select {
		case <-b.rung:
		case <-ctx.Done():
			b.asleep.Store(false)
			return ctx.Err()
		}
	}
}
