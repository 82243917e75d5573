package set

import (
	"iter"
	"maps"
)

// A viewer is a set whose map can be looked at in place: under its lock, if it
// has one, and no longer than see runs. What see does takes no lock.
type viewer[T comparable] interface {
	view(see func(elements map[T]struct{}))
}

// view looks at a set of ours in place, and at a copy of any other.
func view[T comparable](set Interface[T], see func(elements map[T]struct{})) {
	if ours, ok := set.(viewer[T]); ok {
		ours.view(see)
		return
	}
	see(collected(set.All()).elements)
}

// copied is a set's elements at one moment.
func copied[T comparable](set Interface[T]) (b base[T]) {
	view(set, func(elements map[T]struct{}) { b.elements = maps.Clone(elements) })
	return b
}

func collected[T comparable](all iter.Seq[T]) (b base[T]) {
	b.init(0)
	for element := range all {
		if isItself(element) {
			b.elements[element] = struct{}{}
		}
	}
	return b
}

// union is a copy of one set to which the other is added. Here and below one
// set is let go of before the other is looked at, so that nobody ever holds
// two locks, or one twice.
func union[T comparable](a, b Interface[T]) base[T] {
	return merged(a, b, func(large map[T]struct{}, element T) { large[element] = struct{}{} })
}

// merged is a copy of the larger set that every element of the smaller is put to.
func merged[T comparable](a, b Interface[T], put func(large map[T]struct{}, element T)) base[T] {
	small, large := bySize(a, b)
	result := copied(large)
	view(small, func(elements map[T]struct{}) {
		if result.elements == nil {
			result.init(len(elements))
		}
		for element := range elements {
			put(result.elements, element)
		}
	})
	return result
}

func intersection[T comparable](a, b Interface[T]) base[T] {
	small, large := bySize(a, b)
	result := copied(small)
	view(large, func(elements map[T]struct{}) {
		for element := range result.elements {
			if _, both := elements[element]; !both {
				delete(result.elements, element)
			}
		}
	})
	return result
}

func difference[T comparable](a, b Interface[T]) base[T] {
	result := copied(a)
	view(b, func(elements map[T]struct{}) {
		small, large := elements, result.elements
		if len(large) < len(small) {
			small, large = large, small
		}
		for element := range small {
			if _, both := large[element]; both {
				delete(result.elements, element)
			}
		}
	})
	return result
}

// symmetricDifference puts what is in one alone: what is there already goes.
func symmetricDifference[T comparable](a, b Interface[T]) base[T] {
	return merged(a, b, func(large map[T]struct{}, element T) {
		before := len(large)
		if delete(large, element); len(large) == before {
			large[element] = struct{}{}
		}
	})
}

// bySize tells which of two sets is smaller, as far as one can while others
// write: what follows is right either way, and faster this way.
func bySize[T comparable](a, b Interface[T]) (small, large Interface[T]) {
	if a.Len() > b.Len() {
		return b, a
	}
	return a, b
}

// isSubset reports whether all elements are in set.
func isSubset[T comparable](elements map[T]struct{}, set Interface[T]) (all bool) {
	view(set, func(among map[T]struct{}) { all = within(elements, among) })
	return all
}

func isEqual[T comparable](elements map[T]struct{}, set Interface[T]) (equal bool) {
	view(set, func(others map[T]struct{}) {
		equal = len(elements) == len(others) && within(elements, others)
	})
	return equal
}

func within[T comparable](elements, among map[T]struct{}) bool {
	if len(elements) > len(among) {
		return false
	}
	for element := range elements {
		if _, ok := among[element]; !ok {
			return false
		}
	}
	return true
}
