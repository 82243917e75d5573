package actor_test

import (
	"errors"
	"runtime"
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

// What was put is never missing from the depth before it is handled, and a look beside
// all the others sees no more than can be there.
func TestDepth(t *testing.T) {
	const capacity = 4
	for name, open := range mailboxes(actor.Options[int]{Capacity: capacity}) {
		handle := make(chan bool)
		a := actor.Start(t.Context(), func(*actor.Self[int], int) error { <-handle; return nil }, actor.Settings[int]{Mailbox: open()})
		for range 1000 {
			a.Put(t.Context(), 1)
			if m := a.Metrics(); m.Depth != 1 {
				t.Errorf("%s: depth %d of one message", name, m.Depth)
			}
			handle <- true
			for a.Metrics().Depth > 0 {
				runtime.Gosched()
			}
		}
		looked, over := make(chan bool), make(chan bool)
		go func() {
			defer close(looked)
			for {
				if n := a.Metrics().Depth; n < 0 || n > 3*capacity+1 {
					t.Errorf("%s: depth %d, where %d can wait", name, n, capacity)
				}
				select {
				case <-over:
					return
				default:
					runtime.Gosched()
				}
			}
		}()
		close(handle)
		for range 50_000 {
			a.Put(t.Context(), 1)
		}
		close(over)
		<-looked
		a.Stop(t.Context())
		if m := a.Metrics(); m.Depth != 0 || m.Handled != 51_000 {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// Bursts of ten, a millisecond each and nothing between them: the first waits 1 ms, the
// last 10. What is dropped waits, too: where one comes every millisecond, one has room
// and one is handled in 2 ms, half of them wait a millisecond to be dropped, and the
// others up to one to be handled.
func TestMeanWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sleeps := func(d time.Duration) actor.Handler[int] {
			return func(*actor.Self[int], int) error { time.Sleep(d); return nil }
		}
		feed := func(a *actor.Actor[int], burst int, every time.Duration) {
			synctest.Wait() // until it is watched
			for range 100 {
				for range burst {
					a.Put(t.Context(), 1)
				}
				time.Sleep(every)
			}
			a.Stop(t.Context())
		}
		for name, open := range mailboxes(actor.Options[int]{}) {
			a := actor.Start(t.Context(), sleeps(time.Millisecond), actor.Settings[int]{Mailbox: open()})
			go feed(a, 10, 100*time.Millisecond)
			m := a.Watch(t.Context(), time.Hour)
			want := 5500 * time.Microsecond
			if name == "Channel" {
				want = 0
			}
			if m.MeanWait != want || m.MeanHandling != time.Millisecond {
				t.Errorf("%s: %+v", name, m)
			}
		}
		a := actor.Start(t.Context(), sleeps(2*time.Millisecond), actor.Settings[int]{Mailbox: actor.NewBuffer(actor.Options[int]{Capacity: 1, WhenFull: actor.DropOldest})})
		go feed(a, 1, time.Millisecond)
		if m := a.Watch(t.Context(), time.Hour); m.Dropped == 0 || m.MeanWait < 1500*time.Microsecond || m.MeanWait > 2*time.Millisecond {
			t.Errorf("%+v", m)
		}
	})
}

// However many watch, and whenever they begin in a run, they see what is so: of a run in
// hand one message waits for its end, and the others are gone or not, and who watches
// within one message sees nothing.
func TestWatchInsideARun(t *testing.T) {
	fails := errors.New("it fails")
	for _, last := range []error{nil, fails} {
		synctest.Test(t, func(t *testing.T) {
			a := actor.Start(t.Context(), func(_ *actor.Self[time.Duration], d time.Duration) error {
				time.Sleep(d)
				if d == 2*time.Second {
					return last
				}
				return nil
			}, actor.Settings[time.Duration]{})
			a.PutAll(t.Context(), slices.Concat(slices.Repeat([]time.Duration{time.Millisecond}, 998), []time.Duration{time.Second, 2 * time.Second}))
			time.Sleep(1500 * time.Millisecond) // in the message before the last
			seen := make(chan actor.Metrics, 2)
			for i := range 2 {
				go func() {
					time.Sleep(time.Duration(i) * 100 * time.Millisecond)
					seen <- a.Watch(t.Context(), 2*time.Second)
				}()
			}
			if m := a.Watch(t.Context(), 100*time.Millisecond); m.MeanDepth != 0 || m.MeanWait != 0 || m.PerSecond != 0 {
				t.Errorf("within one message: %+v", m)
			}
			for range 2 { // each is left with the last message alone, all the time
				if m := <-seen; m.MeanDepth != 1 || m.Handled != 999 {
					t.Errorf("last %v: %+v", last, m)
				}
			}
			a.Stop(t.Context())
		})
	}
}
