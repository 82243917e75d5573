package settest

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/set"
)

const (
	goroutines = 8
	contested  = 2000 // elements that all goroutines go for
)

// together runs one function in many goroutines and returns what they say.
func together(n int, do func(g int) error) error {
	errs := make([]error, n)
	var all sync.WaitGroup
	for g := range n {
		all.Go(func() { errs[g] = do(g) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// CheckConcurrent lets many goroutines add the same elements, pop and remove
// them: each element is added once and taken once, and none is lost.
func CheckConcurrent(make MakeFunc) error {
	s := make()
	var added, taken, sum atomic.Int64
	err := together(goroutines, func(int) error {
		for element := range contested {
			added.Add(int64(s.Add(element)))
		}
		return nil
	})
	if err = errors.Join(err, want(added.Load(), contested), want(s.Len(), contested)); err != nil {
		return fmt.Errorf("%d goroutines added the same %d elements: %w", goroutines, contested, err)
	}
	err = together(goroutines, func(g int) error {
		for i := range contested {
			if g%2 == 0 {
				n := s.Remove(i)
				taken.Add(int64(n))
				sum.Add(int64(n * i))
			} else if element, ok := s.Pop(); ok {
				taken.Add(1)
				sum.Add(int64(element))
			}
		}
		return nil
	})
	err = errors.Join(err, want(s.Len(), 0), want(taken.Load(), contested), want(sum.Load(), contested*(contested-1)/2))
	if err != nil {
		return fmt.Errorf("%d goroutines took %d elements: %w", goroutines, contested, err)
	}
	return nil
}

// CheckWhole adds and removes several elements by one call, again and again,
// while others look at the set in every way: nobody may see a part of them.
func CheckWhole(make MakeFunc) error {
	elements := []int{1, 2, 3, 4, 5, 6, 7, 8}
	empty, full := make(), make(elements...)
	s := make()
	var stop atomic.Bool
	var writer sync.WaitGroup
	writer.Go(func() {
		for !stop.Load() {
			s.Add(elements...)
			runtime.Gosched()
			s.Remove(elements...)
		}
	})
	err := together(4, func(int) error {
		for range 500 {
			for what, n := range sizes(s, empty, full) {
				if n != 0 && n != len(elements) {
					return fmt.Errorf("%s sees %d of %d elements that are added and removed at once", what, n, len(elements))
				}
			}
		}
		return nil
	})
	stop.Store(true)
	writer.Wait()
	return err
}

// sizes are how many of the elements each operation sees.
func sizes(s, empty, full set.Interface[int]) map[string]int {
	listed := 0
	for range s.All() {
		listed++
	}
	data, _ := s.MarshalJSON()
	return map[string]int{
		"Len": s.Len(), "All": listed, "Clone": s.Clone().Len(),
		"MarshalJSON":         (len(data) - 1) / 2, // [] or [1,2,3,4,5,6,7,8]
		"Union":               s.Union(empty).Len(),
		"Union of another":    empty.Union(s).Len(),
		"Intersection":        s.Intersection(full).Len(),
		"Difference":          s.Difference(empty).Len(),
		"Difference from":     full.Difference(s).Len(),
		"SymmetricDifference": full.SymmetricDifference(s).Len(),
	}
}
