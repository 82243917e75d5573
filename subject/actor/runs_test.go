package actor_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// producers opens each mailbox, and Rings once more through a producer's lane.
func producers[M any](options actor.Options[M]) map[string]func() (actor.Mailbox[M], actor.Producer[M]) {
	all := map[string]func() (actor.Mailbox[M], actor.Producer[M]){}
	for name, open := range mailboxes(options) {
		all[name] = func() (actor.Mailbox[M], actor.Producer[M]) { box := open(); return box, box }
		all[name+", own"] = func() (actor.Mailbox[M], actor.Producer[M]) {
			box := open()
			own, _ := box.NewProducer()
			return box, own
		}
	}
	return all
}

// A message begins a run whatever Alike says of it and itself.
func TestMessagesThatAreLikeNone(t *testing.T) {
	never := func(int, int) bool { return false }
	for name, open := range producers(actor.Options[int]{Capacity: 4, Alike: never}) {
		box, producer := open()
		producer.PutAll(t.Context(), []int{1, 2, 3})
		box.Close()
		var runs [][]int
		err := box.Receive(t.Context(), func(run []int) error { runs = append(runs, slices.Clone(run)); return nil })
		if err != nil || len(runs) != 3 {
			t.Errorf("%s: %v, %v", name, runs, err)
		}
	}
}

// Messages that are dropped while a run is gathered leave none in it that is unlike.
func TestDroppedBesideARun(t *testing.T) {
	alike := func(first, m int) bool { return first == m }
	for name, open := range producers(actor.Options[int]{Capacity: 3, WhenFull: actor.DropOldest, Alike: alike}) {
		box, producer := open()
		var putting sync.WaitGroup
		putting.Go(func() {
			for i := range 30_000 {
				producer.Put(t.Context(), i/2%3)
			}
			box.Close()
		})
		box.Receive(t.Context(), func(run []int) error {
			for _, m := range run {
				if m != run[0] {
					t.Errorf("%s: %v", name, run)
				}
			}
			return nil
		})
		putting.Wait()
	}
}

// Who appends to a run writes over nothing that waits.
func TestAppendToARun(t *testing.T) {
	pairs := func(first, m int) bool { return first/2 == m/2 }
	for name, open := range producers(actor.Options[int]{Capacity: 8, Alike: pairs}) {
		box, producer := open()
		producer.PutAll(t.Context(), []int{2, 3, 4, 5, 6})
		box.Close()
		var got []int
		box.Receive(t.Context(), func(run []int) error {
			got = append(got, run...)
			_ = append(run, -1)
			return nil
		})
		if !slices.Equal(got, []int{2, 3, 4, 5, 6}) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What was handed over is let go when its run was handled, not when others were.
func TestEachRunIsLetGo(t *testing.T) {
	type payload = *[1 << 16]byte
	never := func(payload, payload) bool { return false }
	for name, open := range producers(actor.Options[payload]{Capacity: 8, Alike: never}) {
		box, producer := open()
		var freed atomic.Int64
		for range 5 {
			value := new([1 << 16]byte)
			cleanup(value, &freed)
			producer.Put(t.Context(), value)
		}
		box.Close()
		runs := int64(0)
		box.Receive(t.Context(), func([]payload) error {
			eventually(t, func() bool { return freed.Load() == runs })
			runs++
			return nil
		})
		if runs != 5 {
			t.Errorf("%s: %d runs", name, runs)
		}
	}
}
