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
