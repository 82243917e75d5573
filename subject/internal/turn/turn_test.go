package turn

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Whoever has the turn is alone, also where goroutines wait so long that they
// are parked.
func TestTurnIsOnes(t *testing.T) {
	var turns Turn
	var group sync.WaitGroup
	inside, total := 0, 0
	for g := range 8 {
		group.Go(func() {
			for i := range 500 {
				next := turns.Take()
				if inside++; inside != 1 || int(next) != total {
					t.Errorf("%d have the turn, which says %d of %d", inside, next, total)
				}
				if g == 0 && i%100 == 0 {
					time.Sleep(2 * time.Millisecond)
				}
				total++
				inside--
				turns.Give(next + 1)
			}
		})
	}
	group.Wait()
	if turns.Next() != 4000 || total != 4000 {
		t.Errorf("%d turns of 4000, %d counted", turns.Next(), total)
	}
}

// Who waits for news is told of all that changes behind its look, or gives up.
func TestNewsIsTold(t *testing.T) {
	var n News
	var changed atomic.Int64
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range int64(2000) {
				if err := n.Await(context.Background(), func() bool { return changed.Load() > i }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 2000 {
		changed.Add(1)
		n.Tell()
	}
	group.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := n.Await(ctx, func() bool { return false }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
