package set

import (
	"iter"
	"maps"
)

// SetNonTS is a set for one goroutine at a time: it is not thread-safe, and
// costs what a map does. Its zero value is empty and ready for use; it may not
// be copied after it was first used.
type SetNonTS[T comparable] struct{ base[T] }

// NewNonTS returns a set of the elements.
func NewNonTS[T comparable](elements ...T) *SetNonTS[T] {
	s := new(SetNonTS[T])
	s.Add(elements...)
	return s
}

// Add implements [Interface].
func (s *SetNonTS[T]) Add(elements ...T) int {
	if len(elements) == 1 && isItself(elements[0]) {
		return s.addOne(elements[0])
	}
	return s.add(usable(elements))
}

// Remove implements [Interface].
func (s *SetNonTS[T]) Remove(elements ...T) int {
	if len(elements) == 1 {
		return s.removeOne(elements[0])
	}
	return s.remove(usable(elements))
}

// Contains implements [Interface].
func (s *SetNonTS[T]) Contains(element T) bool { return s.contains(element) }

// Len implements [Interface].
func (s *SetNonTS[T]) Len() int { return len(s.elements) }

// Clear implements [Interface].
func (s *SetNonTS[T]) Clear() { clear(s.elements) }

// Pop implements [Interface].
func (s *SetNonTS[T]) Pop() (element T, ok bool) { return s.pop() }

// All implements [Interface]. It yields from the set itself, and copies
// nothing.
func (s *SetNonTS[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) { maps.Keys(s.elements)(yield) }
}

// view implements viewer.
func (s *SetNonTS[T]) view(see func(elements map[T]struct{})) { see(s.elements) }

// Clone implements [Interface]; the result is a *SetNonTS.
func (s *SetNonTS[T]) Clone() Interface[T] { return &SetNonTS[T]{copied[T](s)} }

// Union implements [Interface]; the result is a *SetNonTS.
func (s *SetNonTS[T]) Union(other Interface[T]) Interface[T] {
	return &SetNonTS[T]{union(s, other)}
}

// Intersection implements [Interface]; the result is a *SetNonTS.
func (s *SetNonTS[T]) Intersection(other Interface[T]) Interface[T] {
	return &SetNonTS[T]{intersection(s, other)}
}

// Difference implements [Interface]; the result is a *SetNonTS.
func (s *SetNonTS[T]) Difference(other Interface[T]) Interface[T] {
	return &SetNonTS[T]{difference(s, other)}
}

// SymmetricDifference implements [Interface]; the result is a *SetNonTS.
func (s *SetNonTS[T]) SymmetricDifference(other Interface[T]) Interface[T] {
	return &SetNonTS[T]{symmetricDifference(s, other)}
}

// IsSubset implements [Interface].
func (s *SetNonTS[T]) IsSubset(other Interface[T]) bool { return isSubset(s.elements, other) }

// Equal implements [Interface].
func (s *SetNonTS[T]) Equal(other Interface[T]) bool { return isEqual(s.elements, other) }

// MarshalJSON implements [Interface].
func (s *SetNonTS[T]) MarshalJSON() ([]byte, error) { return marshal(s.All()) }

// UnmarshalJSON implements [Interface].
func (s *SetNonTS[T]) UnmarshalJSON(data []byte) error {
	elements, err := unmarshal[T](data)
	if err == nil && elements != nil {
		s.elements = elements
	}
	return err
}

// String implements [Interface].
func (s *SetNonTS[T]) String() string { return text(s.All()) }
