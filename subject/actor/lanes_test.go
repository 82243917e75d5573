package actor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// What a lane costs does not grow with how many there are, be they released all the same.
func TestManyLanesCostNoMoreEach(t *testing.T) {
	const producers, most = 5000, 4096 // bytes each; a copied list of so many lanes has 40,000
	box := actor.NewRings(actor.Options[int]{Capacity: 1})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for n := range producers {
		producer, release := box.NewProducer()
		producer.Put(t.Context(), n)
		release()
	}
	box.Close()
	got := 0
	box.Receive(t.Context(), func(run []int) error { got += len(run); return nil })
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / producers; got != producers || each > most || box.Lanes() != 1 {
		t.Errorf("%d of %d messages, %d bytes a lane, %d lanes left", got, producers, each, box.Lanes())
	}
}

// The receiver goes round: a lane that leaves does not cost another one its turn.
func TestNoLaneIsPassedOver(t *testing.T) {
	box := actor.NewRings(actor.Options[int]{Alike: func(int, int) bool { return false }})
	_, release := box.NewProducer()
	for lane := range 3 {
		producer, _ := box.NewProducer()
		producer.PutAll(t.Context(), []int{lane, lane})
	}
	release()
	box.Close()
	var got []int
	box.Receive(t.Context(), func(run []int) error { got = append(got, run...); return nil })
	if !slices.Equal(got, []int{0, 1, 2, 0, 1, 2}) {
		t.Errorf("the lanes' turns were %v", got)
	}
}

// New lanes, however many, do not keep an old one from its turn.
func TestNewLanesWaitForTheirTurn(t *testing.T) {
	box := actor.NewRings(actor.Options[bool]{Alike: func(bool, bool) bool { return false }})
	old, _ := box.NewProducer()
	old.PutAll(t.Context(), []bool{true, true, true})
	runs, fromOld := 0, 0
	box.Receive(t.Context(), func(run []bool) error {
		if runs++; run[0] {
			fromOld++
		}
		if runs == 100 || fromOld == 3 {
			box.Close()
			return errors.New("enough")
		}
		producer, _ := box.NewProducer()
		return producer.Put(t.Context(), false)
	})
	if fromOld != 3 {
		t.Errorf("%d of 3 messages of the old lane were handed over beside %d of new ones", fromOld, runs-fromOld)
	}
}

// Lanes come and go anywhere beside a receiver that goes round them: each message is handed
// over once, those of a lane in their order, and in the end no lane is left.
func TestLanesComeAndGo(t *testing.T) {
	const goroutines, lanes, each = 4, 2000, 3
	box := actor.NewRings(actor.Options[[2]int]{Capacity: 2})
	next := make([]int, goroutines*lanes)
	var putting, receiving sync.WaitGroup
	receiving.Go(func() {
		err := box.Receive(context.Background(), func(run [][2]int) error {
			for _, m := range run {
				if m[1] != next[m[0]] {
					return fmt.Errorf("message %d of lane %d where %d was due", m[1], m[0], next[m[0]])
				}
				next[m[0]]++
			}
			return nil
		})
		if err != nil {
			t.Error(err)
			box.Close() // nobody makes room any more
		}
	})
	for g := range goroutines {
		putting.Go(func() {
			leave := func() {}
			for lane := g * lanes; lane < (g+1)*lanes; lane++ {
				producer, release := box.NewProducer()
				for n := range each {
					producer.Put(context.Background(), [2]int{lane, n})
				}
				leave() // the one before, so that lanes leave from between others
				leave = release
			}
			leave()
		})
	}
	putting.Wait()
	box.Close()
	receiving.Wait()
	for lane, n := range next {
		if n != each {
			t.Fatalf("%d of %d messages of lane %d were handed over", n, each, lane)
		}
	}
	if box.Lanes() != 1 || box.Len() != 0 {
		t.Errorf("%d lanes and %d messages are left", box.Lanes(), box.Len())
	}
}
