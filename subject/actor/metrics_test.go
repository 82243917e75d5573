package actor_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/actor"
)

// Watching tells what is true of an actor that takes 6 ms for a message of which one
// comes every 10 ms, two at a time: the first of two waits for its own handling, the
// second for both.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := actor.Start(t.Context(), func(*actor.Self[int], int) error {
			time.Sleep(6 * time.Millisecond)
			return nil
		}, actor.Settings[int]{})
		go func() {
			for range 1000 {
				a.PutAll(t.Context(), []int{1, 2})
				time.Sleep(20 * time.Millisecond)
			}
			a.Stop(t.Context())
		}()
		time.Sleep(time.Second)
		m := a.Watch(t.Context(), 10*time.Second)
		near := func(name string, got, want float64) {
			t.Helper()
			if got < want*0.97 || got > want*1.03 {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		near("messages a second", m.PerSecond, 100)
		near("mean wait in ms", m.MeanWait.Seconds()*1e3, 9)
		near("mean depth", m.MeanDepth, 0.9)
		near("mean handling in ms", m.MeanHandling.Seconds()*1e3, 6)
		near("longest handling in ms", m.MaxHandling.Seconds()*1e3, 6)
		a.Wait()
		if m := a.Metrics(); m != (actor.Metrics{Handled: 2000}) {
			t.Errorf("%+v", m)
		}
	})
}

// What is watched is what happens in the window, also in a run that began before.
func TestWatchIsOfItsWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := actor.Start(t.Context(), func(_ *actor.Self[time.Duration], d time.Duration) error { time.Sleep(d); return nil }, actor.Settings[time.Duration]{})
		a.PutAll(t.Context(), slices.Concat([]time.Duration{time.Second}, slices.Repeat([]time.Duration{time.Millisecond}, 999)))
		time.Sleep(time.Second + 500*time.Microsecond) // in the run's second message
		first := a.Watch(t.Context(), 0)
		if seen := a.Watch(t.Context(), 500*time.Millisecond); seen.PerSecond < 990 || seen.PerSecond > 1010 || seen.MaxHandling != time.Millisecond {
			t.Errorf("%+v, before %+v", seen, first)
		}
		a.Stop(t.Context())
	})
}
