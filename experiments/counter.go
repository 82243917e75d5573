package experiments

// Does an unguarded counter lose updates, and what does each guard cost?

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// Counter increments one counter from all goroutines, unguarded and under each
// guard that Go offers.
//
// The variant plain is a data race, on purpose: it is what the question is
// about. The race detector would report it and make the process exit with an
// error, so tests leave plain out under -race.
func Counter() harness.Experiment {
	guarded := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	lossy := results.Promise{Order: "none", Result: results.Lossy, Survives: "nothing"}
	return harness.Experiment{
		Name:     "counter",
		Question: "Does an unguarded counter lose updates, and what does each guard cost?",
		Unit:     "increment",
		Variants: []harness.Variant{
			{Name: "plain", About: "n++ without a guard: updates are lost, and counted", Promise: lossy, Open: openPlainCounter},
			counterVariant("atomic", "atomic.Int64.Add on one counter", guarded, newAtomicCounter),
			counterVariant("mutex", "n++ under a sync.Mutex", guarded, newMutexCounter),
			counterVariant("rwmutex", "n++ under the write side of a sync.RWMutex", guarded, newRWMutexCounter),
			counterVariant("channel", "a channel of 1,024 to one goroutine that owns n; the rate is that of the owner", guarded, newChannelCounter),
			counterVariant("striped", "one padded counter a goroutine, added up when read; a read settles what is under way (membarrier)", guarded, newStripedCounter),
		},
	}
}

// A counter is incremented by many goroutines. A read that begins after an
// increment has returned counts it.
type counter interface {
	// incrementer returns the increment of one goroutine.
	incrementer(goroutine int) harness.Operation
	value() int
}

// counterVariant measures a counter that promises to lose nothing.
func counterVariant(name, about string, p results.Promise, make func(harness.Setup) counter) harness.Variant {
	return harness.Variant{Name: name, About: about, Promise: p, Open: func(s harness.Setup) (harness.Instance, error) {
		c := make(s)
		i := harness.Instance{Worker: c.incrementer, Check: func(ops int) error { return counts(c, ops) }}
		if owned, ok := c.(*channelCounter); ok {
			i.Finish = func() error { owned.value(); return nil }
			i.Close = owned.Close
		}
		return i, nil
	}}
}

// counts reports a counter that does not stand at the operations that were done.
func counts(c counter, ops int) error {
	if got := c.value(); got != ops {
		return fmt.Errorf("the counter stands at %d after %d increments", got, ops)
	}
	return nil
}

// openPlainCounter has no guard, and counts what that costs in updates. Where
// only one goroutine increments, nothing can be lost.
func openPlainCounter(harness.Setup) (harness.Instance, error) {
	n := new(int)
	return harness.Instance{
		Worker: func(int) harness.Operation { return func() error { *n++; return nil } },
		Lost:   func(ops int) (int, error) { return ops - *n, nil },
	}, nil
}

type atomicCounter struct{ n atomic.Int64 }

func newAtomicCounter(harness.Setup) counter { return new(atomicCounter) }

func (c *atomicCounter) incrementer(int) harness.Operation {
	return func() error { c.n.Add(1); return nil }
}

func (c *atomicCounter) value() int { return int(c.n.Load()) }

type mutexCounter struct {
	mu sync.Mutex
	n  int
}

func newMutexCounter(harness.Setup) counter { return new(mutexCounter) }

func (c *mutexCounter) incrementer(int) harness.Operation {
	return func() error {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
		return nil
	}
}

func (c *mutexCounter) value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

type rwMutexCounter struct {
	mu sync.RWMutex
	n  int
}

func newRWMutexCounter(harness.Setup) counter { return new(rwMutexCounter) }

func (c *rwMutexCounter) incrementer(int) harness.Operation {
	return func() error {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
		return nil
	}
}

func (c *rwMutexCounter) value() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.n
}

// A channelCounter is owned by one goroutine. Reads go the way of the
// increments: one that is sent later is answered later, so that an increment
// takes effect when it is sent, although the owner counts it afterwards.
type channelCounter struct {
	requests chan chan<- int // nil: an increment; else where to send the value
	owner    sync.WaitGroup
}

// channelSize is the mailbox of the documents' actor.
const channelSize = 1024

func newChannelCounter(harness.Setup) counter {
	c := &channelCounter{requests: make(chan chan<- int, channelSize)}
	c.owner.Go(func() {
		n := 0
		for reply := range c.requests {
			if reply == nil {
				n++
			} else {
				reply <- n
			}
		}
	})
	return c
}

func (c *channelCounter) incrementer(int) harness.Operation {
	return func() error { c.requests <- nil; return nil }
}

func (c *channelCounter) value() int {
	reply := make(chan int)
	c.requests <- reply
	return <-reply
}

// Close ends the owner and waits for it.
func (c *channelCounter) Close() error {
	close(c.requests)
	c.owner.Wait()
	return nil
}
