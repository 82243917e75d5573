package experiments

import (
	"sync/atomic"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
)

// A stripedCounter has a counter for each goroutine, which alone writes it, so
// that an increment needs no locked instruction: a plain store, which other
// processors may see a little later than it returned. A read first makes them
// see it (settle), then adds up. That moves the cost of a barrier from every
// increment to the reads; BenchmarkStripes shows both.
//
// It is linearizable. Let an increment take effect when others see it or when
// it returns, whichever is earlier, and let C be how many have. A read that
// starts at s and ends at e finds at least C(s), since it settles what had
// returned, and at most C(e). C goes up in steps of one, so at some moment
// between s and e it was what the read found.
type stripedCounter struct {
	stripes []stripe
	// settle makes every increment that has returned visible; nil where the
	// system has no such call: increments are atomic there.
	settle func()
}

// A stripe fills two cache lines: processors fetch them in pairs.
type stripe struct {
	n int64
	_ [120]byte
}

func newStripedCounter(goroutines int) workload.Counter {
	return &stripedCounter{stripes: make([]stripe, goroutines), settle: barrier()}
}

// Incrementer is not inlined, so that the compiler cannot see through the
// increment that it returns, and the store is made before the increment returns.
// The file that offers a barrier is not built under the race detector, which
// would not know it for one.
//
//go:noinline
func (c *stripedCounter) Incrementer(g int) harness.Operation {
	own := &c.stripes[g]
	if c.settle == nil {
		return func() error { atomic.AddInt64(&own.n, 1); return nil }
	}
	return func() error { own.n++; return nil }
}

func (c *stripedCounter) Value() int {
	if c.settle != nil {
		c.settle()
	}
	sum := 0
	for i := range c.stripes {
		sum += int(atomic.LoadInt64(&c.stripes[i].n))
	}
	return sum
}
