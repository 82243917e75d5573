package actor

import (
	"context"
	"testing"
	"time"
)

// A message that comes right behind any look of the receiver wakes it.
func TestMessageBehindEachLook(t *testing.T) {
	for behind := 1; behind <= looksAwake+1; behind++ {
		b, looks, there := newBell(), 0, false
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		err := b.await(ctx, func() bool {
			seen := there
			if looks++; looks == behind {
				there = true
				b.ring()
			}
			return seen
		})
		if cancel(); err != nil {
			t.Errorf("behind look %d: %v", behind, err)
		}
	}
}

// A message that comes right behind any look of the receiver, and before the end, is
// found.
func TestEndBehindEachLook(t *testing.T) {
	for behind := 1; behind <= 3; behind++ {
		box, looks := NewBuffer(Options[int]{}), 0
		find := func() []int {
			run := box.outlet.next()
			if looks++; looks == behind {
				box.Put(t.Context(), 7)
				box.Close()
			}
			return run
		}
		arrived := func() bool { // so that the receiver looks again
			return box.arrived() || looks < behind
		}
		run, err := nextRun(t.Context(), &box.bell, &box.outlet.ended, find, arrived)
		if err != nil || len(run) != 1 {
			t.Errorf("behind look %d: %v, %v", behind, run, err)
		}
	}
}
