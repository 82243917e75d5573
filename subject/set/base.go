package set

// base is the set that both kinds have in common. It locks nothing.
type base[T comparable] struct{ elements map[T]struct{} }

func (b *base[T]) init(room int) { b.elements = make(map[T]struct{}, room) }

// add, remove and their like expect elements that are equal to themselves.
func (b *base[T]) add(elements []T) int {
	if b.elements == nil {
		b.init(len(elements))
	}
	before := len(b.elements)
	for _, element := range elements {
		b.elements[element] = struct{}{}
	}
	return len(b.elements) - before
}

func (b *base[T]) remove(elements []T) int {
	before := len(b.elements)
	for _, element := range elements {
		delete(b.elements, element)
	}
	return before - len(b.elements)
}

// addOne and removeOne are add and remove of one element, which most calls
// are: without a loop they are inlined (BenchmarkOne).
func (b *base[T]) addOne(element T) int {
	before := len(b.elements)
	if before == 0 && b.elements == nil {
		b.init(0)
	}
	b.elements[element] = struct{}{}
	return len(b.elements) - before
}

func (b *base[T]) removeOne(element T) int {
	before := len(b.elements)
	delete(b.elements, element)
	return before - len(b.elements)
}

func (b *base[T]) contains(element T) bool {
	_, ok := b.elements[element]
	return ok
}

func (b *base[T]) pop() (element T, ok bool) {
	for element = range b.elements {
		delete(b.elements, element)
		return element, true
	}
	return element, false
}

// usable is what of the elements can be in a set: those that are equal to
// themselves. It is asked before a lock is taken, because the comparison
// panics if an element cannot be compared; a deferred unlock would cost each
// operation 2 ns of 12 to 30.
func usable[T comparable](elements []T) []T {
	for i := range elements {
		if !isItself(elements[i]) {
			return withoutUnusable(elements)
		}
	}
	return elements
}

func withoutUnusable[T comparable](elements []T) (rest []T) {
	for _, element := range elements {
		if isItself(element) {
			rest = append(rest, element)
		}
	}
	return rest
}

func isItself[T comparable](element T) bool {
	same := element
	return element == same
}
