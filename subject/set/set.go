package set

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

// Set is a set for any number of goroutines. Its zero value is empty and ready
// for use; it may not be copied after it was first used.
type Set[T comparable] struct {
	mu sync.RWMutex
	base[T]
}

// New returns a set of the elements.
func New[T comparable](elements ...T) *Set[T] {
	s := new(Set[T])
	s.Add(elements...)
	return s
}

// Add implements [Interface].
func (s *Set[T]) Add(elements ...T) int {
	if len(elements) != 1 {
		return s.addSeveral(elements)
	}
	element := elements[0]
	if !isItself(element) {
		return 0
	}
	s.mu.Lock()
	added := s.addOne(element)
	s.mu.Unlock()
	return added
}

func (s *Set[T]) addSeveral(elements []T) int {
	if elements = usable(elements); len(elements) == 0 {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.add(elements)
}

// Remove implements [Interface].
func (s *Set[T]) Remove(elements ...T) int {
	if len(elements) != 1 {
		return s.removeSeveral(elements)
	}
	element := elements[0]
	if !isItself(element) {
		return 0
	}
	s.mu.Lock()
	removed := s.removeOne(element)
	s.mu.Unlock()
	return removed
}

func (s *Set[T]) removeSeveral(elements []T) int {
	if elements = usable(elements); len(elements) == 0 {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.remove(elements)
}

// Contains implements [Interface].
func (s *Set[T]) Contains(element T) bool {
	if !isItself(element) {
		return false
	}
	s.mu.RLock()
	ok := s.contains(element)
	s.mu.RUnlock()
	return ok
}

// Len implements [Interface].
func (s *Set[T]) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.elements)
}

// Clear implements [Interface].
func (s *Set[T]) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.elements)
}

// Pop implements [Interface].
func (s *Set[T]) Pop() (element T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pop()
}

// All implements [Interface]. It yields what was in the set when the loop
// began, from a copy: no lock is held while the loop's body runs.
func (s *Set[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, element := range s.list() {
			if !yield(element) {
				return
			}
		}
	}
}

func (s *Set[T]) list() (all []T) {
	s.view(func(elements map[T]struct{}) {
		all = slices.AppendSeq(make([]T, 0, len(elements)), maps.Keys(elements))
	})
	return all
}

// view implements viewer.
func (s *Set[T]) view(see func(elements map[T]struct{})) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	see(s.elements)
}

// Clone implements [Interface]; the result is a *Set.
func (s *Set[T]) Clone() Interface[T] { return &Set[T]{base: copied[T](s)} }

// Union implements [Interface]; the result is a *Set.
func (s *Set[T]) Union(other Interface[T]) Interface[T] { return &Set[T]{base: union(s, other)} }

// Intersection implements [Interface]; the result is a *Set.
func (s *Set[T]) Intersection(other Interface[T]) Interface[T] {
	return &Set[T]{base: intersection(s, other)}
}

// Difference implements [Interface]; the result is a *Set.
func (s *Set[T]) Difference(other Interface[T]) Interface[T] {
	return &Set[T]{base: difference(s, other)}
}

// SymmetricDifference implements [Interface]; the result is a *Set.
func (s *Set[T]) SymmetricDifference(other Interface[T]) Interface[T] {
	return &Set[T]{base: symmetricDifference(s, other)}
}

// IsSubset implements [Interface].
func (s *Set[T]) IsSubset(other Interface[T]) bool {
	return isSubset(copied[T](s).elements, other)
}

// Equal implements [Interface].
func (s *Set[T]) Equal(other Interface[T]) bool {
	return s.Len() == other.Len() && isEqual(copied[T](s).elements, other)
}

// MarshalJSON implements [Interface].
func (s *Set[T]) MarshalJSON() ([]byte, error) { return marshal(s.All()) }

// UnmarshalJSON implements [Interface].
func (s *Set[T]) UnmarshalJSON(data []byte) error {
	elements, err := unmarshal[T](data)
	if err != nil || elements == nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.elements = elements
	return nil
}

// String implements [Interface].
func (s *Set[T]) String() string { return text(s.All()) }
