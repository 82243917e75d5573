package experiments

// What does one set for many goroutines cost?

import (
	"sync"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/subject/set"
)

// Set is one set under a mix of operations: ours, the same under a plain mutex,
// and what each goroutine would do alone, on a set or a map of its own.
func Set() harness.Experiment {
	return harness.Experiment{
		Name:     "set",
		Question: "What does one set for many goroutines cost?",
		Factors:  workload.SetFactors(),
		Variants: []harness.Variant{
			workload.SetVariant("set", "set.Set: one map under a RWMutex, for all", workload.NewSet),
			workload.SetVariant("mutex", "set.SetNonTS under a Mutex, for all", newMutexSet),
			workload.SetEachVariant("nonts", "set.SetNonTS, one for each goroutine: no lock, nothing shared", workload.NewNonTS),
			workload.SetEachVariant("map", "a map[int]struct{} for each goroutine", workload.NewBareMap),
		},
	}
}

func newMutexSet() workload.Set {
	var mu sync.Mutex
	s := set.NewNonTS[int]()
	return workload.Set{
		Add:      func(e int) int { mu.Lock(); n := s.Add(e); mu.Unlock(); return n },
		Remove:   func(e int) int { mu.Lock(); n := s.Remove(e); mu.Unlock(); return n },
		Contains: func(e int) bool { mu.Lock(); ok := s.Contains(e); mu.Unlock(); return ok },
		Len:      s.Len,
	}
}
