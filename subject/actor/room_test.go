package actor

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

// No more are woken than there are places, and a place whose one has given up is
// another one's.
func TestRoomWakesAsManyAsThereArePlaces(t *testing.T) {
	var r room
	never := func() bool { return false }
	results := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	wait := func(ctx context.Context) {
		before := r.line.Len()
		go func() { results <- r.await(ctx, never) }()
		for waiting := before; waiting == before; {
			r.mu.Lock()
			waiting = r.line.Len()
			r.mu.Unlock()
		}
	}
	wait(t.Context())
	wait(ctx)
	wait(t.Context())
	r.admit(1)
	if err := <-results; err != nil || r.line.Len() != 2 {
		t.Errorf("one was admitted of three: %d wait, %v", r.line.Len(), err)
	}
	cancel()
	if err := <-results; !errors.Is(err, context.Canceled) || r.line.Len() != 1 {
		t.Errorf("one gave up of two: %d wait, %v", r.line.Len(), err)
	}
	r.admitAll()
	if err := <-results; err != nil || r.line.Len() != 0 {
		t.Errorf("%d wait, %v", r.line.Len(), err)
	}
}

// One that is woken and gives up at that moment hands its place on.
func TestPlaceIsHandedOn(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for range 100 {
		var r room
		behind := make(chan error, 1)
		err := r.await(ended, func() bool {
			go func() { behind <- r.await(t.Context(), func() bool { return false }) }()
			for waiting := 1; waiting < 2; {
				r.mu.Lock()
				waiting = r.line.Len()
				r.mu.Unlock()
			}
			r.admit(1)
			return false
		})
		if err == nil { // it has taken its place
			r.admit(1)
		}
		if err := <-behind; err != nil {
			t.Fatal(err)
		}
	}
}

// Thousands wait for one place, many of which give up at any moment: whoever stays gets
// its message in.
func TestThousandsWaitForOnePlace(t *testing.T) {
	const producers = 3000
	b := NewBuffer[int](Options[int]{Capacity: 1})
	ctx, cancel := context.WithCancel(t.Context())
	var putting sync.WaitGroup
	var put, gaveUp atomic.Int64
	for i := range producers {
		putting.Go(func() {
			mine := t.Context()
			if i%2 == 0 {
				mine = ctx
			}
			switch err := b.Put(mine, i); {
			case err == nil:
				put.Add(1)
			case mine == ctx && errors.Is(err, context.Canceled):
				gaveUp.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	received := 0
	done := make(chan error, 1)
	go func() {
		done <- b.Receive(t.Context(), func(run []int) error {
			if received += len(run); received == producers/8 {
				cancel()
			}
			return nil
		})
	}()
	putting.Wait()
	b.Close()
	if err := <-done; err != nil || int64(received) != put.Load() || received+int(gaveUp.Load()) != producers || received < producers/2 {
		t.Errorf("%d received, %d put, %d gave up of %d: %v", received, put.Load(), gaveUp.Load(), producers, err)
	}
	cancel()
}
