package set

import (
	"encoding/json"
	"fmt"
	"iter"
)

// Interface is what both kinds of set do. Package settest holds an
// implementation, yours included, to it.
type Interface[T comparable] interface {
	// Add puts the elements into the set and returns how many were not there
	// before. With nothing given it does nothing, not even lock.
	Add(elements ...T) int
	// Remove takes the elements out of the set and returns how many were there.
	// With nothing given it does nothing, not even lock.
	Remove(elements ...T) int
	// Contains reports whether the element is in the set.
	Contains(element T) bool
	// Len returns how many elements the set has.
	Len() int
	// Clear removes all elements; the set keeps their room.
	Clear()
	// Pop removes any one element and returns it; ok is false if there is none.
	Pop() (element T, ok bool)
	// All yields every element once, in no order. The loop's body may use the
	// set: an element that is added or removed meanwhile is yielded or not.
	All() iter.Seq[T]

	// Clone returns a set of the same kind with the same elements.
	Clone() Interface[T]
	// Union returns a set of the same kind with the elements of both.
	Union(other Interface[T]) Interface[T]
	// Intersection returns a set of the same kind with the elements that are in
	// both.
	Intersection(other Interface[T]) Interface[T]
	// Difference returns a set of the same kind with the elements that are not
	// in other.
	Difference(other Interface[T]) Interface[T]
	// SymmetricDifference returns a set of the same kind with the elements that
	// are in one of both and not in the other.
	SymmetricDifference(other Interface[T]) Interface[T]
	// IsSubset reports whether all elements are in other.
	IsSubset(other Interface[T]) bool
	// Equal reports whether both sets have the same elements.
	Equal(other Interface[T]) bool

	// MarshalJSON returns the elements as an array, in the order of their
	// encodings: equal sets give equal bytes. (0 and -0 are equal, and written
	// with the sign that was given.)
	json.Marshaler
	// UnmarshalJSON replaces the elements by those of an array; one that is
	// there twice is taken once, and one that is not equal to itself is passed
	// over. After an error, and after null, the set is as before.
	json.Unmarshaler
	// String returns the elements in braces, in the order of their texts.
	fmt.Stringer
}

var (
	_ Interface[int] = (*Set[int])(nil)
	_ Interface[int] = (*SetNonTS[int])(nil)
)
