package settest

import (
	"errors"
	"iter"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/set"
)

// Each type here is a good set with one planted defect.

// counting says 1 for an element that was there.
type counting struct{ *set.Set[int] }

func (s counting) Add(elements ...int) int { s.Set.Add(elements...); return len(elements) }

// checking looks and adds in two steps.
type checking struct{ *set.Set[int] }

func (s checking) Add(elements ...int) (added int) {
	for _, element := range elements {
		if !s.Contains(element) {
			runtime.Gosched()
			s.Set.Add(element)
			added++
		}
	}
	return added
}

// piecemeal adds several elements one by one.
type piecemeal struct{ *set.Set[int] }

func (s piecemeal) Add(elements ...int) (added int) {
	for _, element := range elements {
		added += s.Set.Add(element)
		runtime.Gosched()
	}
	return added
}

// forgetful loses every twentieth addition.
type forgetful struct {
	*set.Set[int]
	mu    *sync.Mutex
	count *int
}

func (s forgetful) Add(elements ...int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if *s.count++; *s.count%20 == 0 {
		return len(elements)
	}
	return s.Set.Add(elements...)
}

// peeking pops what it has seen before, and does not look whether it is there
// still.
type peeking struct{ *set.Set[int] }

func (s peeking) Pop() (int, bool) {
	for element := range s.All() {
		runtime.Gosched()
		s.Remove(element)
		return element, true
	}
	return 0, false
}

// swapped takes the difference the wrong way round.
type swapped struct{ *set.Set[int] }

func (s swapped) Difference(other set.Interface[int]) set.Interface[int] {
	return set.New[int]().Union(other.Difference(s.Set))
}

// absorbing lets a union change the receiver.
type absorbing struct{ *set.Set[int] }

func (s absorbing) Union(other set.Interface[int]) set.Interface[int] {
	for element := range other.All() {
		s.Add(element)
	}
	return s.Clone()
}

// strange returns a set of another kind.
type strange struct{ *set.Set[int] }

func (s strange) Union(other set.Interface[int]) set.Interface[int] {
	return set.NewNonTS[int]().Union(s.Set.Union(other))
}

// appending keeps what it had when it is decoded.
type appending struct{ *set.Set[int] }

func (s *appending) UnmarshalJSON(data []byte) error {
	decoded := set.New[int]()
	if err := decoded.UnmarshalJSON(data); err != nil {
		return err
	}
	for element := range decoded.All() {
		s.Add(element)
	}
	return nil
}

// A guarded set has a lock of its own around a set that needs none.
type guarded struct {
	*set.SetNonTS[int]
	mu *sync.RWMutex
}

func makeGuarded(elements ...int) guarded {
	return guarded{set.NewNonTS(elements...), new(sync.RWMutex)}
}

func (s guarded) Add(elements ...int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.SetNonTS.Add(elements...)
}

func (s guarded) Remove(elements ...int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.SetNonTS.Remove(elements...)
}

// yielding holds its lock while it yields.
type yielding struct{ guarded }

func (s yielding) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		s.mu.RLock()
		defer s.mu.RUnlock()
		s.SetNonTS.All()(yield)
	}
}

// nested holds the lock of one set while it takes that of the other, as they
// come: the order that deadlocks as soon as somebody waits to write to both.
type nested struct{ guarded }

func (s nested) Union(other set.Interface[int]) set.Interface[int] {
	s.mu.RLock()
	defer s.mu.RUnlock()
	runtime.Gosched()
	second := other.(nested)
	second.mu.RLock()
	defer second.mu.RUnlock()
	return s.SetNonTS.Union(second.SetNonTS)
}

func (s nested) Intersection(other set.Interface[int]) set.Interface[int] { return s.Union(other) }

func (s nested) Difference(other set.Interface[int]) set.Interface[int] { return s.Union(other) }

func (s nested) SymmetricDifference(other set.Interface[int]) set.Interface[int] {
	return s.Union(other)
}

func (s nested) IsSubset(other set.Interface[int]) bool { return s.Union(other) != nil }

func (s nested) Equal(other set.Interface[int]) bool { return s.Union(other) != nil }

// apart is nested, but never takes one lock twice: only the order of two sets
// is wrong.
type apart struct{ nested }

func (s apart) Union(other set.Interface[int]) set.Interface[int] {
	if s == other.(apart) {
		return s
	}
	return s.nested.Union(other.(apart).nested)
}

func (s apart) Intersection(other set.Interface[int]) set.Interface[int] { return s.Union(other) }

func (s apart) Difference(other set.Interface[int]) set.Interface[int] { return s.Union(other) }

func (s apart) SymmetricDifference(other set.Interface[int]) set.Interface[int] {
	return s.Union(other)
}

func (s apart) IsSubset(other set.Interface[int]) bool { return s.Union(other) != nil }

func (s apart) Equal(other set.Interface[int]) bool { return s.Union(other) != nil }

// soon is enough for a deadlock that is there to be found: what runs on is
// found out to run on.
const soon = 500 * time.Millisecond

// mostTries is how often a check may miss a defect that shows only where goroutines
// meet: on a busy machine they do not each time.
const mostTries = 100

func TestChecksRejectDefects(t *testing.T) {
	makeCounting := func(e ...int) set.Interface[int] { return counting{set.New(e...)} }
	makeChecking := func(e ...int) set.Interface[int] { return checking{set.New(e...)} }
	makePiecemeal := func(e ...int) set.Interface[int] { return piecemeal{set.New(e...)} }
	makePeeking := func(e ...int) set.Interface[int] { return peeking{set.New(e...)} }
	makeForgetful := func(e ...int) set.Interface[int] {
		return forgetful{set.New(e...), new(sync.Mutex), new(int)}
	}
	makeSwapped := func(e ...int) set.Interface[int] { return swapped{set.New(e...)} }
	makeAbsorbing := func(e ...int) set.Interface[int] { return absorbing{set.New(e...)} }
	makeStrange := func(e ...int) set.Interface[int] { return strange{set.New(e...)} }
	makeAppending := func(e ...int) set.Interface[int] { return &appending{set.New(e...)} }
	makeYielding := func(e ...int) set.Interface[int] { return yielding{makeGuarded(e...)} }
	for name, c := range map[string]struct {
		check func() error
		finds string
	}{
		"says that all were new":     {func() error { return CheckOne(makeCounting) }, "Add["},
		"loses one, alone":           {func() error { return CheckOne(makeForgetful) }, "Add["},
		"loses one, concurrent":      {func() error { return CheckConcurrent(makeForgetful) }, "want 2000"},
		"looks, then adds":           {func() error { return CheckConcurrent(makeChecking) }, "added the same"},
		"looks, then adds, ordered":  {func() error { return CheckLinearizable(makeChecking) }, "no order"},
		"adds one by one":            {func() error { return CheckWhole(makePiecemeal) }, "added and removed at once"},
		"pops what was taken":        {func() error { return CheckLinearizable(makePeeking) }, "no order"},
		"difference swapped":         {func() error { return CheckTwo(makeSwapped, nonTS) }, "Difference: "},
		"union changes the receiver": {func() error { return CheckTwo(makeAbsorbing, nonTS) }, "length: got"},
		"result of another kind":     {func() error { return CheckTwo(makeStrange, nonTS) }, "want a *set.Set[int]"},
		"decoding adds":              {func() error { return CheckJSON(makeAppending) }, "was decoded to"},
		"locked while it yields":     {func() error { return CheckAll(makeYielding, soon) }, "did not end"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.check()
			for tries := 1; err == nil && tries < mostTries; tries++ { // two have to meet
				err = c.check()
			}
			if err == nil || !strings.Contains(err.Error(), c.finds) {
				t.Fatalf("got %v, want %q", err, c.finds)
			}
		})
	}
}

// A lock order that deadlocks two sets is found, and so is one that takes the
// lock of one set twice.
func TestDeadlocksAreFound(t *testing.T) {
	for name, make := range map[string]MakeFunc{
		"two sets": func(e ...int) set.Interface[int] { return apart{nested{makeGuarded(e...)}} },
		"one set":  func(e ...int) set.Interface[int] { return nested{makeGuarded(e...)} },
	} {
		t.Run(name, func(t *testing.T) {
			err := CheckNoDeadlock(make, soon)
			if err == nil || !strings.Contains(err.Error(), "deadlock") {
				t.Fatalf("got %v", err)
			}
			t.Log(err)
		})
	}
}

func TestChecksAcceptASoundSet(t *testing.T) {
	for _, err := range []error{
		CheckOne(threadSafe), CheckTwo(threadSafe, foreign), CheckAll(threadSafe, patience), CheckJSON(threadSafe),
		CheckConcurrent(threadSafe), CheckWhole(threadSafe), CheckLinearizable(threadSafe), CheckNoDeadlock(threadSafe, patience),
	} {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestLinearizabilityIsRefuted(t *testing.T) {
	err := CheckLinearizable(func(e ...int) set.Interface[int] { return checking{set.New(e...)} })
	if !errors.Is(err, errNotLinearizable) {
		t.Errorf("got %v, want a refutation and not a timeout", err)
	}
}
