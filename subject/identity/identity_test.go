package identity_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/syncwrite/syncwrite/subject/identity"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type span struct{ first, n uint64 }

func newSpan(first, n uint64) span { return span{first, n} }

type server = identity.Server[span]

// each runs a test with each server, and closes what it has opened.
func each(t *testing.T, test func(t *testing.T, open func(floor uint64) server)) {
	for name, open := range map[string]func(identity.Options[span]) server{
		"simple":       identity.NewSimple[span],
		"sequence":     identity.NewSequence[span],
		"locker":       identity.NewLocker[span],
		"atomic":       identity.NewAtomic[span],
		"actor-direct": identity.NewActorDirect[span],
		"actor":        identity.NewActor[span],
	} {
		t.Run(name, func(t *testing.T) {
			var opened []server
			defer func() {
				for _, s := range opened {
					if err := s.Close(); err != nil {
						t.Error(err)
					}
				}
			}()
			test(t, func(floor uint64) server {
				opened = append(opened, open(identity.Options[span]{Floor: floor, Reply: newSpan}))
				return opened[len(opened)-1]
			})
		})
	}
}

// Any calls, one after another, are answered as a number that only grows would answer
// them, up to the end of the range.
func TestOneCallAfterAnother(t *testing.T) {
	each(t, func(t *testing.T, open func(uint64) server) {
		rapid.Check(t, func(t *rapid.T) {
			near := rapid.OneOf(rapid.Uint64Range(0, 20), rapid.Uint64Range(identity.Max-20, identity.Max))
			floor := near.Draw(t, "floor")
			s, last := open(floor), floor
			for range rapid.IntRange(1, 12).Draw(t, "calls") {
				if rapid.Bool().Draw(t, "update") {
					id := rapid.OneOf(near, rapid.Uint64()).Draw(t, "id")
					err := s.Update(t.Context(), id)
					if (err != nil) != (id > identity.Max) || err != nil && !errors.Is(err, identity.ErrRange) {
						t.Fatalf("update %d: %v", id, err)
					}
					if err == nil {
						last = max(last, id)
					}
					continue
				}
				n := rapid.OneOf(rapid.Just(uint64(1)), rapid.Uint64Range(0, 30), rapid.Uint64()).Draw(t, "n")
				got, err := s.NextN(t.Context(), n)
				switch {
				case n == 0:
					if !errors.Is(err, identity.ErrCount) {
						t.Fatalf("next 0: %v, %v", got, err)
					}
				case n > identity.Max-last:
					if !errors.Is(err, identity.ErrExhausted) {
						t.Fatalf("next %d behind %d: %v, %v", n, last, got, err)
					}
				case err != nil || got != span{last + 1, n}:
					t.Fatalf("next %d behind %d: %v, %v", n, last, got, err)
				default:
					last += n
				}
			}
		})
	})
}

// The end of the range stays the end, for all who ask, and nobody gets a number twice.
func TestEndOfTheRange(t *testing.T) {
	const left, goroutines, times = 100, 8, 50
	each(t, func(t *testing.T, open func(uint64) server) {
		s := open(identity.Max - left)
		var all sync.WaitGroup
		var mu sync.Mutex
		var ids []uint64
		for range goroutines {
			all.Go(func() {
				for range times {
					got, err := s.Next(t.Context())
					if err != nil && !errors.Is(err, identity.ErrExhausted) {
						t.Error(err)
					}
					if err == nil {
						mu.Lock()
						ids = append(ids, got.first)
						mu.Unlock()
					}
				}
			})
		}
		all.Wait()
		slices.Sort(ids)
		if len(ids) != left || len(slices.Compact(ids)) != left || ids[0] != identity.Max-left+1 || ids[left-1] != identity.Max {
			t.Errorf("%d identities, %v", len(ids), ids)
		}
	})
}

// Beside each other, calls hand out every number once, and to each caller ever higher
// ones; replies belong to who asked.
func TestManyAtOnce(t *testing.T) {
	const goroutines, times = 8, 5000
	each(t, func(t *testing.T, open func(uint64) server) {
		s := open(0)
		var all sync.WaitGroup
		spans := make([][]span, goroutines)
		for g := range goroutines {
			all.Go(func() {
				for i := range times {
					n := uint64((g+i)%goroutines + 1)
					got, err := s.NextN(t.Context(), n)
					if err != nil || got.n != n || i > 0 && got.first < spans[g][i-1].first+spans[g][i-1].n {
						t.Errorf("%v, %v for %d behind %v", got, err, n, spans[g])
						return
					}
					spans[g] = append(spans[g], got)
				}
			})
		}
		all.Wait()
		together := slices.Concat(spans...)
		slices.SortFunc(together, func(a, b span) int { return int(int64(a.first) - int64(b.first)) })
		next := uint64(1)
		for _, got := range together {
			if got.first != next {
				t.Fatalf("%v where %d was due", got, next)
			}
			next += got.n
		}
	})
}

// A context that has ended ends whoever waits for an actor; the server goes on.
func TestWhoGivesUp(t *testing.T) {
	each(t, func(t *testing.T, open func(uint64) server) {
		s := open(0)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 100 {
			if _, err := s.Next(ctx); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if got, err := s.Next(t.Context()); err != nil || got.first > 101 {
			t.Errorf("%v, %v", got, err)
		}
	})
}

// After Close an actor that is gone is told; a lock has nothing to close.
func TestAfterClose(t *testing.T) {
	for name, s := range map[string]server{
		"actor-direct": identity.NewActorDirect(identity.Options[span]{Reply: newSpan}),
		"actor":        identity.NewActor(identity.Options[span]{Reply: newSpan}),
	} {
		s.Close()
		if _, err := s.Next(t.Context()); !errors.Is(err, identity.ErrClosed) {
			t.Errorf("%s: next: %v", name, err)
		}
		if err := s.Update(t.Context(), 1); !errors.Is(err, identity.ErrClosed) {
			t.Errorf("%s: update: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: close again: %v", name, err)
		}
	}
}

// Close beside Next: who was answered has an identity of its own, who was not is told.
func TestCloseBesideNext(t *testing.T) {
	for range 50 {
		s := identity.NewActor(identity.Options[uint64]{Reply: identity.Number})
		var all sync.WaitGroup
		var mu sync.Mutex
		seen := map[uint64]bool{}
		for range 4 {
			all.Go(func() {
				for {
					id, err := s.Next(t.Context())
					if err != nil {
						if !errors.Is(err, identity.ErrClosed) {
							t.Error(err)
						}
						return
					}
					mu.Lock()
					if seen[id] {
						t.Errorf("%d again", id)
					}
					seen[id] = true
					mu.Unlock()
				}
			})
		}
		for more := true; more; {
			mu.Lock()
			more = len(seen) < 10
			mu.Unlock()
		}
		s.Close()
		all.Wait()
	}
}

// Options that cannot be are a mistake of the program, told where it is made.
func TestOptionsThatCannotBe(t *testing.T) {
	for _, options := range []identity.Options[uint64]{{}, {Floor: identity.Max + 1, Reply: identity.Number}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was taken", options)
				}
			}()
			identity.NewAtomic(options)
		}()
	}
}

func Example() {
	ids := identity.NewAtomic(identity.Options[uint64]{Reply: identity.Number})
	ctx := context.Background()
	a, _ := ids.Next(ctx)
	b, _ := ids.NextN(ctx, 10)
	ids.Update(ctx, 100) // somebody else has handed out up to 100
	c, _ := ids.Next(ctx)
	ids.Update(ctx, 50) // which is nothing new
	d, _ := ids.Next(ctx)
	fmt.Println(a, b, c, d)
	fmt.Println(ids.Update(ctx, 1<<63))
	// Output:
	// 1 2 101 102
	// update 9223372036854775808: not an identity: the highest is 9223372036854775807
}
