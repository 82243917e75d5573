package settest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"

	"github.com/syncwrite/syncwrite/subject/set"
)

// CheckTwo holds the operations on two sets to a plain model, also where both
// are the same set, and looks whether they leave their operands alone and
// return a set of the receiver's kind.
func CheckTwo(make, other MakeFunc) error {
	for seed := range uint64(rounds) {
		random := rand.New(rand.NewPCG(seed, 1))
		left, right := drawn(random), drawn(random)
		a, b := make(left...), other(right...)
		err := errors.Join(operations(a, b, modelOf(left...), modelOf(right...)), operations(a, a, modelOf(left...), modelOf(left...)))
		err = errors.Join(err, same(a, modelOf(left...)), same(b, modelOf(right...)))
		if err != nil {
			return fmt.Errorf("%v and %v: %w", left, right, err)
		}
	}
	return nil
}

func operations(a, b set.Interface[int], left, right model) error {
	for _, o := range []struct {
		name   string
		do     func(set.Interface[int]) set.Interface[int]
		belong func(left, right bool) bool
	}{
		{"Union", a.Union, func(l, r bool) bool { return l || r }},
		{"Intersection", a.Intersection, func(l, r bool) bool { return l && r }},
		{"Difference", a.Difference, func(l, r bool) bool { return l && !r }},
		{"SymmetricDifference", a.SymmetricDifference, func(l, r bool) bool { return l != r }},
	} {
		result, m := o.do(b), model{}
		for element := range elementsN {
			if o.belong(left[element], right[element]) {
				m[element] = true
			}
		}
		if err := owned(result, a, m); err != nil {
			return fmt.Errorf("%s: %w", o.name, err)
		}
	}
	subset := true
	for element := range left {
		subset = subset && right[element]
	}
	if a.IsSubset(b) != subset {
		return fmt.Errorf("is a subset: %v", a.IsSubset(b))
	}
	if equal := maps.Equal(left, right); a.Equal(b) != equal {
		return fmt.Errorf("is equal: %v", a.Equal(b))
	}
	return nil
}

// owned reports whether a result is right, of the receiver's kind, and a set of
// its own: that can be written to, and nobody else sees it.
func owned(result, receiver set.Interface[int], m model) error {
	if got, right := fmt.Sprintf("%T", result), fmt.Sprintf("%T", receiver.Clone()); got != right {
		return fmt.Errorf("the result is a %s, want a %s", got, right)
	}
	if err := same(result, m); err != nil {
		return err
	}
	if result.Add(-1) != 1 || receiver.Contains(-1) {
		return errors.New("the result is not a set of its own")
	}
	result.Clear()
	return nil
}
