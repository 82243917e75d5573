package settest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/syncwrite/syncwrite/subject/set"
)

const (
	rounds    = 100 // sequences of operations
	steps     = 60  // operations of one
	elementsN = 24  // elements that are drawn from
)

// A model is a set as plain as it can be.
type model map[int]bool

func modelOf(elements ...int) model {
	m := model{}
	for _, element := range elements {
		m[element] = true
	}
	return m
}

// CheckOne holds one set to a plain model through random operations.
func CheckOne(make MakeFunc) error {
	for seed := range uint64(rounds) {
		random := rand.New(rand.NewPCG(seed, 0))
		start := drawn(random)
		s, m := make(start...), modelOf(start...)
		for i := range steps {
			said, err := step(random, s, m)
			if err == nil {
				err = same(s, m)
			}
			if err != nil {
				return fmt.Errorf("seed %d, operation %d, %s: %w", seed, i, said, err)
			}
		}
	}
	return nil
}

// drawn are up to five elements, some of them twice.
func drawn(random *rand.Rand) []int {
	all := make([]int, random.IntN(6))
	for i := range all {
		all[i] = random.IntN(elementsN)
	}
	return all
}

// step does one operation to both and compares what they return.
func step(random *rand.Rand, s set.Interface[int], m model) (said string, err error) {
	elements := drawn(random)
	before := len(m)
	switch random.IntN(10) {
	case 0, 1, 2, 3:
		maps.Copy(m, modelOf(elements...))
		return fmt.Sprint("Add", elements), want(s.Add(elements...), len(m)-before)
	case 4, 5, 6:
		for _, element := range elements {
			delete(m, element)
		}
		return fmt.Sprint("Remove", elements), want(s.Remove(elements...), before-len(m))
	case 7:
		element, ok := s.Pop()
		if ok != (before > 0) || ok && !m[element] {
			err = fmt.Errorf("got %d, %v", element, ok)
		}
		delete(m, element)
		return "Pop", err
	case 8:
		clone := s.Clone()
		err = same(clone, m)
		clone.Add(-1) // is no concern of s
		return "Clone", err
	default:
		if random.IntN(5) == 0 {
			clear(m)
			s.Clear()
		}
		return "Clear", nil
	}
}

// same reports a difference between a set and its model.
func same(s set.Interface[int], m model) error {
	if err := want(s.Len(), len(m)); err != nil {
		return fmt.Errorf("length: %w", err)
	}
	for element := range elementsN {
		if s.Contains(element) != m[element] {
			return fmt.Errorf("element %d: contained is %v", element, s.Contains(element))
		}
	}
	listed := slices.Sorted(s.All())
	if right := slices.Sorted(maps.Keys(m)); !slices.Equal(listed, right) {
		return fmt.Errorf("it yields %v, want %v", listed, right)
	}
	return nil
}

func want[T comparable](got, right T) error {
	if got != right {
		return fmt.Errorf("got %v, want %v", got, right)
	}
	return nil
}
