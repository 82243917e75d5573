package trials

import (
	"github.com/puzpuzpuz/xsync/v4"

	"github.com/syncwrite/syncwrite/experiments"
	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
)

// RivalCounter is our counters against xsync's, which is striped, too.
func RivalCounter() harness.Experiment {
	e := experiments.Counter().Only("atomic", "striped")
	e.Name, e.Question = "rival-counter", "How does our striped counter compare with others?"
	e.Goroutines = []int{1, 2, 8, 64}
	e.Variants = append(e.Variants, workload.CounterVariant("xsync", "xsync.Counter: stripes that goroutines find by luck",
		func(int) workload.Counter { return xsyncCounter{xsync.NewCounter()} }))
	return e
}

type xsyncCounter struct{ *xsync.Counter }

func (c xsyncCounter) Incrementer(int) harness.Operation {
	return func() error { c.Inc(); return nil }
}

func (c xsyncCounter) Value() int { return int(c.Counter.Value()) }

// RivalMap is our maps against xsync's.
func RivalMap() harness.Experiment {
	e := experiments.Map().Only("mutex", "rwmutex", "sync-map", "sharded")
	e.Name, e.Question = "rival-map", "How do our maps compare with others?"
	e.Goroutines, e.Claims = []int{1, 8, 64}, nil
	e.Variants = append(e.Variants, workload.MapVariant("xsync", "xsync.Map: buckets of a cache line, reads without a lock",
		func() workload.Map { return xsync.NewMap[uint64, uint64]() }))
	return e
}
