package set

import (
	"iter"
	"math"
	"strconv"
	"testing"
	"time"
)

// ends fails the test if do does not end: it waits for a lock.
func ends(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s waits for a lock", what)
	}
}

// Add and Remove return before they lock if nothing is given, or nothing that
// can be in a set.
func TestNothingGivenNothingLocked(t *testing.T) {
	s := New(1.0)
	s.mu.Lock()
	defer s.mu.Unlock()
	ends(t, "Add or Remove of nothing", func() {
		if s.Add()+s.Remove()+s.Add(math.NaN())+s.Remove(math.NaN()) != 0 {
			t.Error("nothing was added or removed, and counted")
		}
	})
}

// A witness is an operand that looks, whenever it is looked at, whether the
// other operand is locked.
type witness struct {
	SetNonTS[int]
	other  *Set[int]
	locked bool
}

func (w *witness) look() {
	if !w.other.mu.TryLock() {
		w.locked = true
		return
	}
	w.other.mu.Unlock()
}

func (w *witness) view(see func(map[int]struct{})) {
	w.look()
	w.SetNonTS.view(see)
	w.look()
}

func (w *witness) Len() int { w.look(); return w.SetNonTS.Len() }

func (w *witness) All() iter.Seq[int] { w.look(); return w.SetNonTS.All() }

// No operation holds the lock of one set while it looks at the other.
func TestNeverTwoLocks(t *testing.T) {
	s := New(1, 2, 3)
	for _, elements := range [][]int{{}, {3}, {1, 2, 3}, {2, 3, 4, 5}} {
		for name, do := range map[string]func(a, b Interface[int]){
			"Union":               func(a, b Interface[int]) { a.Union(b) },
			"Intersection":        func(a, b Interface[int]) { a.Intersection(b) },
			"Difference":          func(a, b Interface[int]) { a.Difference(b) },
			"SymmetricDifference": func(a, b Interface[int]) { a.SymmetricDifference(b) },
			"IsSubset":            func(a, b Interface[int]) { a.IsSubset(b) },
			"Equal":               func(a, b Interface[int]) { a.Equal(b) },
		} {
			w := &witness{other: s}
			w.Add(elements...)
			if do(s, w); w.locked {
				t.Errorf("%s of %v: the receiver is locked while the other set is looked at", name, elements)
			}
		}
	}
}

// What cannot be compared panics before a lock is taken: the set is as before.
func TestPanicLeavesNoLock(t *testing.T) {
	s := New[any]("one")
	for name, do := range map[string]func(){
		"Add":      func() { s.Add("two", []int{3}) },
		"Remove":   func() { s.Remove("one", []int{3}) },
		"Contains": func() { s.Contains([]int{3}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s of a slice does not panic", name)
				}
			}()
			do()
		}()
		ends(t, name+" after a panic", func() { s.Add("two"); s.Remove("two") })
	}
	if got := s.String(); got != "{one}" {
		t.Errorf("the set is %s", got)
	}
}

// NaN is never in a set, whichever way it is offered.
func TestNaN(t *testing.T) {
	nan := math.NaN()
	for _, s := range []Interface[float64]{New(1, nan, nan), NewNonTS(1, nan), New(1.0).Union(offering{NewNonTS[float64](), nan})} {
		if s.Len() != 1 || s.Contains(nan) || s.Add(nan, 1, 2) != 1 || s.Remove(nan, 2) != 1 {
			t.Errorf("%T: %v", s, s)
		}
	}
}

// spelt is a number that is NaN in JSON where it is spelt so.
type spelt float64

func (s *spelt) UnmarshalText(text []byte) error {
	x, err := strconv.ParseFloat(string(text), 64)
	*s = spelt(x)
	return err
}

// Nor is it where an element's own decoding gives it.
func TestDecodedNaN(t *testing.T) {
	for _, s := range []Interface[spelt]{New[spelt](), NewNonTS[spelt]()} {
		if err := s.UnmarshalJSON([]byte(`["NaN", "1", "NaN"]`)); err != nil || s.Len() != 1 || !s.Contains(1) {
			t.Errorf("%T: %v, %v", s, s, err)
		}
	}
}

// Zeros of both signs are one element; bytes have the sign that was given.
func TestZerosOfBothSigns(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, s := range []Interface[float64]{New(minus), NewNonTS(minus)} {
		if text, err := s.MarshalJSON(); !s.Equal(New(0.0)) || string(text) != "[-0]" || err != nil {
			t.Errorf("%T: %s, %v", s, text, err)
		}
	}
}

// offering is a foreign set that yields an element no set of ours can have.
type offering struct {
	Interface[float64]
	element float64
}

func (offering) Len() int { return 1 }

func (o offering) All() iter.Seq[float64] {
	return func(yield func(float64) bool) { yield(o.element) }
}
