package settest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/subject/set"
)

const (
	crossings = 500  // of each goroutine of CheckNoDeadlock
	crowd     = 1000 // elements: looking at them takes so long that writers come to wait
)

// CheckNoDeadlock runs the operations on two sets in both directions and on a
// set with itself, while others write to both: a reader that waits behind a
// waiting writer must not hold what that writer's way out depends on. If no
// operation ends for as long as patience says, that is a deadlock; the
// goroutines that are stuck in it are left behind.
func CheckNoDeadlock(make MakeFunc, patience time.Duration) error {
	elements := countTo(crowd)
	a, b := make(elements...), make(elements[crowd/2:]...)
	var done atomic.Int64
	ended := newError()
	go func() { ended <- crossAll(a, b, &done) }()
	for last := int64(-1); ; {
		select {
		case err := <-ended:
			return err
		case <-time.After(patience):
		}
		now := done.Load()
		if now == last {
			return fmt.Errorf("deadlock: no operation on two sets ended in %v, after %d of %d", patience, now, 4*crossings)
		}
		last = now
	}
}

// crossAll counts what is done in done.
func crossAll(a, b set.Interface[int], done *atomic.Int64) error {
	var stop atomic.Bool
	var writers sync.WaitGroup
	for _, s := range []set.Interface[int]{a, b} {
		writers.Go(func() {
			for i := 0; !stop.Load(); i++ {
				s.Remove(i % crowd)
				s.Add(i % crowd)
			}
		})
	}
	err := together(4, func(g int) error {
		pairs := [][2]set.Interface[int]{{a, b}, {b, a}, {a, a}, {b, b}}
		for i := range crossings {
			both(i, pairs[g][0], pairs[g][1])
			done.Add(1)
		}
		return nil
	})
	stop.Store(true)
	writers.Wait()
	return err
}

func countTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

// newError can take an error that nobody waits for any more.
func newError() chan error { return make(chan error, 1) }

// both does the i-th operation on two sets.
func both(i int, a, b set.Interface[int]) {
	switch i % 6 {
	case 0:
		a.Union(b)
	case 1:
		a.Intersection(b)
	case 2:
		a.Difference(b)
	case 3:
		a.SymmetricDifference(b)
	case 4:
		a.IsSubset(b)
	default:
		a.Equal(b)
	}
}
