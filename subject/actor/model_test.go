package actor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/syncwrite/syncwrite/subject/actor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// each runs a test with each mailbox.
func each(t *testing.T, test func(t *testing.T, open func(capacity int) actor.Mailbox[actor.Event])) {
	options := func(capacity int) actor.Options[actor.Event] {
		return actor.Options[actor.Event]{Capacity: capacity, Alike: actor.SameType}
	}
	for name, open := range map[string]func(capacity int) actor.Mailbox[actor.Event]{
		"Channel": func(capacity int) actor.Mailbox[actor.Event] { return actor.NewChannel(options(capacity)) },
		"Buffer":  func(capacity int) actor.Mailbox[actor.Event] { return actor.NewBuffer(options(capacity)) },
		"Rings":   func(capacity int) actor.Mailbox[actor.Event] { return actor.NewRings(options(capacity)) },
		"Rings, own lane": func(capacity int) actor.Mailbox[actor.Event] {
			box := actor.NewRings(options(capacity))
			own, _ := box.NewProducer()
			return ownLane{box, own}
		},
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// An ownLane puts through one producer's lane of its own.
type ownLane struct {
	*actor.Rings[actor.Event]
	own actor.Producer[actor.Event]
}

func (r ownLane) Put(ctx context.Context, e actor.Event) error { return r.own.Put(ctx, e) }

func (r ownLane) PutAll(ctx context.Context, events []actor.Event) (int, error) {
	return r.own.PutAll(ctx, events)
}

// numbered are events of the given types; each one's value is its place.
func numbered(types string) []actor.Event {
	events := make([]actor.Event, len(types))
	for i := range types {
		events[i] = actor.Event{Type: actor.EventType(types[i] - 'a'), Value: i}
	}
	return events
}

// word is the run as it was written in the test: its types, and where it began.
func word(run []actor.Event) string {
	text := ""
	for _, e := range run {
		text += string(rune('a' + e.Type))
	}
	return fmt.Sprint(text, run[0].Value)
}

// maximal are the runs of the types, none longer than most.
func maximal(types string, most int) (words []string) {
	for start := 0; start < len(types); {
		end := start
		for end < len(types) && end-start < most && types[end] == types[start] {
			end++
		}
		words = append(words, fmt.Sprint(types[start:end], start))
		start = end
	}
	return words
}

func putAll(t interface{ Fatal(...any) }, box actor.Mailbox[actor.Event], events []actor.Event) {
	for _, e := range events {
		if err := box.Put(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
}

func collect(words *[]string) func([]actor.Event) error {
	return func(run []actor.Event) error {
		for i, e := range run {
			if e.Value.(int) != run[0].Value.(int)+i {
				return fmt.Errorf("event %d stands %d places behind event %d", e.Value, i, run[0].Value)
			}
		}
		*words = append(*words, word(run))
		return nil
	}
}

// aaaabbb is (a,4) (b,3), and what is left when the mailbox closes is handled.
func TestRunsAreExact(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		for types, want := range map[string][]string{
			"aaaabbb": {"aaaa0", "bbb4"},
			"abab":    {"a0", "b1", "a2", "b3"},
			"a":       {"a0"},
			"aabbb":   {"aa0", "bbb2"},
			"":        nil,
		} {
			box := open(8)
			putAll(t, box, numbered(types))
			if err := box.Close(); err != nil {
				t.Fatal(err)
			}
			var got []string
			if err := box.Receive(t.Context(), collect(&got)); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %q, %v, want %q", types, got, err, want)
			}
		}
	})
}

// Whatever was put before is handed over as exactly its maximal runs, through
// receivers that stop with an error and go on.
func TestRunsOfAnySequence(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		rapid.Check(t, func(t *rapid.T) {
			types := rapid.StringMatching(`(a{1,4}|b{1,4}|c){0,12}`).Draw(t, "types")
			box := open(len(types) + 1)
			putAll(t, box, numbered(types))
			box.Close()
			stopAfter := rapid.IntRange(1, 5).Draw(t, "stop after")
			errStop := errors.New("stop")
			var got []string
			for err := errStop; errors.Is(err, errStop); {
				handled, take := 0, collect(&got)
				err = box.Receive(context.Background(), func(run []actor.Event) error {
					if err := take(run); err != nil {
						t.Fatal(err)
					}
					if handled++; handled == stopAfter {
						return errStop
					}
					return nil
				})
			}
			if want := maximal(types, len(types)+1); !slices.Equal(got, want) {
				t.Fatalf("%s: %q, want %q", types, got, want)
			}
		})
	})
}

// An arrival is an event and the time at which it is put.
type arrival struct {
	event actor.Event
	at    time.Duration
}

// A timed run is what the receiver got, and when.
type timedRun struct {
	word string
	at   time.Duration
}

// expected is what a plain queue gives a receiver that needs so long for each
// run: at the moment it is free, all that begins the queue and is alike. No two
// things happen at the same time.
func expected(arrivals []arrival, cost time.Duration, most int) (runs []timedRun) {
	free := time.Duration(0)
	for start := 0; start < len(arrivals); {
		free = max(free, arrivals[start].at)
		end := start
		for end < len(arrivals) && end-start < most && arrivals[end].at <= free && arrivals[end].event.Type == arrivals[start].event.Type {
			end++
		}
		var run []actor.Event
		for _, a := range arrivals[start:end] {
			run = append(run, a.event)
		}
		runs = append(runs, timedRun{word(run), free})
		free += cost
		start = end
	}
	return runs
}

// Beside producers that go on, a run is maximal with respect to what had
// arrived when it was handed over: not one event less, not one more.
func TestRunsAreMaximalInTime(t *testing.T) {
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		rapid.Check(t, func(r *rapid.T) {
			types := rapid.StringMatching(`(a{1,6}|b{1,6}){1,12}`).Draw(r, "types")
			capacity := len(types) // nobody waits for room
			cost := time.Duration(rapid.IntRange(1, 40).Draw(r, "cost"))*100 + 1
			var arrivals []arrival
			at := time.Duration(0)
			for _, e := range numbered(types) {
				at += time.Duration(rapid.IntRange(1, 20).Draw(r, "gap")) * 100
				arrivals = append(arrivals, arrival{e, at})
			}
			got := play(t, func() actor.Mailbox[actor.Event] { return open(capacity) }, arrivals, cost)
			if want := expected(arrivals, cost, capacity); !slices.Equal(got, want) {
				r.Fatalf("%s at a cost of %v:\ngot  %v\nwant %v", types, cost, got, want)
			}
		})
	})
}

// play lets one goroutine put what arrives, in a time that does not pass by
// itself, and another one receive it.
func play(t *testing.T, open func() actor.Mailbox[actor.Event], arrivals []arrival, cost time.Duration) (runs []timedRun) {
	synctest.Test(t, func(t *testing.T) {
		box := open() // its channels belong to this time
		began := time.Now()
		go func() {
			for _, a := range arrivals {
				time.Sleep(a.at - time.Since(began))
				if err := box.Put(t.Context(), a.event); err != nil {
					t.Error(err)
				}
			}
			box.Close()
		}()
		err := box.Receive(t.Context(), func(run []actor.Event) error {
			runs = append(runs, timedRun{word(run), time.Since(began)})
			time.Sleep(cost)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	return runs
}

// Many producers on a mailbox that is mostly full: nothing is lost or given
// twice, each producer's events keep their order, and a run is of one type and
// no longer than the mailbox.
func TestNothingLostBetweenMany(t *testing.T) {
	const producers, times = 16, 2000
	each(t, func(t *testing.T, open func(int) actor.Mailbox[actor.Event]) {
		for _, capacity := range []int{1, 2, 7, 64, 1024} {
			box := open(capacity)
			var putting, receiving sync.WaitGroup
			next, longest := [producers]int{}, 0
			receiving.Go(func() {
				err := box.Receive(t.Context(), func(run []actor.Event) error {
					longest = max(longest, len(run))
					for _, e := range run {
						p := e.Source.(int)
						if e.Type != run[0].Type || e.Value.(int) != next[p] {
							return fmt.Errorf("event %d of producer %d after %d, type %d in a run of %d", e.Value, p, next[p]-1, e.Type, run[0].Type)
						}
						next[p]++
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			for p := range producers {
				putting.Go(func() {
					for i := range times {
						err := box.Put(t.Context(), actor.Event{Type: actor.EventType(i / 50 % 2), Source: p, Value: i})
						if err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			putting.Wait()
			box.Close()
			receiving.Wait()
			for p, n := range next {
				if n != times {
					t.Errorf("capacity %d: %d of %d events of producer %d were handed over", capacity, n, times, p)
				}
			}
			if longest > capacity {
				t.Errorf("capacity %d: a run of %d", capacity, longest)
			}
		}
	})
}
