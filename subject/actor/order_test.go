package actor

import (
	"context"
	"testing"
	"time"
)

// What rests on the order of two steps is held here with the other side's step put
// between them.

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

// A lateQueue is put to, and ended, right behind the receiver's first look at it.
type lateQueue struct {
	queue[int]
	end    func()
	looked bool
}

func (q *lateQueue) next() []int {
	if q.looked {
		return q.queue.next()
	}
	q.looked = true
	q.Put(context.Background(), 7)
	q.end()
	return nil
}

// What was put before a mailbox is closed, or a producer released, is handed over,
// although the receiver had looked before.
func TestEndBehindALook(t *testing.T) {
	for name, end := range map[string]func(r *Rings[int], lane *ringLane[int]){
		"close": func(r *Rings[int], _ *ringLane[int]) { r.Close() },
		"release": func(r *Rings[int], lane *ringLane[int]) {
			lane.close()
			lane.released.Store(true)
			r.closed.Store(true) // so that the receiver ends
		},
	} {
		r := NewRings(Options[int]{})
		late := &lateQueue{queue: newRing(r.options, &r.bell)}
		lane := r.add(late)
		late.end = func() { end(r, lane) }
		var got []int
		err := r.Receive(t.Context(), func(run []int) error { got = append(got, run...); return nil })
		if err != nil || len(got) != 1 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
