package trials

import (
	mapset "github.com/deckarep/golang-set/v2"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
)

// RivalSet is our sets against golang-set's, and what needs no lock against a
// bare map.
func RivalSet() harness.Experiment {
	return harness.Experiment{
		Name:       "rival-set",
		Question:   "How do our sets compare with golang-set's, and with a bare map?",
		Factors:    workload.SetFactors(),
		Goroutines: []int{1, 2, 8, 64},
		Variants: []harness.Variant{
			workload.SetVariant("set", "ours: set.New, one for all", workload.NewSet),
			workload.SetVariant("golang-set", "deckarep/golang-set: NewSet, one for all; ContainsOne", theirSet(mapset.NewSet[int])),
			workload.SetEachVariant("nonts", "ours: set.NewNonTS, one for each goroutine", workload.NewNonTS),
			workload.SetEachVariant("golang-set-unsafe", "deckarep/golang-set: NewThreadUnsafeSet, one for each goroutine", theirSet(mapset.NewThreadUnsafeSet[int])),
			workload.SetEachVariant("map", "a map[int]struct{} for each goroutine", workload.NewBareMap),
		},
	}
}

// theirSet tells no change: golang-set's Remove does not.
func theirSet(open func(...int) mapset.Set[int]) func() workload.Set {
	return func() workload.Set {
		s := open()
		return workload.Set{
			Add:      func(e int) int { s.Add(e); return workload.Untold },
			Remove:   func(e int) int { s.Remove(e); return workload.Untold },
			Contains: func(e int) bool { return s.ContainsOne(e) },
			Len:      s.Cardinality,
		}
	}
}
