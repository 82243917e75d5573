package experiments

// Does an unguarded counter lose updates, and what does each guard cost?

import (
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
	"github.com/syncwrite/syncwrite/results"
)

// Counter increments one counter from all goroutines, unguarded and under each
// guard that Go offers.
//
// The variant plain is a data race, on purpose: it is what the question is
// about. The race detector would report it and make the process exit with an
// error, so tests leave plain out under -race.
func Counter() harness.Experiment {
	lossy := results.Promise{Order: "none", Result: results.Lossy, Survives: "nothing"}
	return harness.Experiment{
		Name:     "counter",
		Question: "Does an unguarded counter lose updates, and what does each guard cost?",
		Unit:     "increment",
		Variants: []harness.Variant{
			{Name: "plain", About: "n++ without a guard: updates are lost, and counted", Promise: lossy, Open: openPlainCounter},
			workload.CounterVariant("atomic", "atomic.Int64.Add on one counter", newAtomicCounter),
			workload.CounterVariant("mutex", "n++ under a sync.Mutex", newMutexCounter),
			workload.CounterVariant("rwmutex", "n++ under the write side of a sync.RWMutex", newRWMutexCounter),
			workload.CounterVariant("channel", "a channel of 1,024 to one goroutine that owns n; the rate is that of the owner", newChannelCounter),
			workload.CounterVariant("striped", "one padded counter a goroutine, added up when read; a read settles what is under way (membarrier)", newStripedCounter),
		},
	}
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

func newAtomicCounter(int) workload.Counter { return new(atomicCounter) }

func (c *atomicCounter) Incrementer(int) harness.Operation {
	return func() error { c.n.Add(1); return nil }
}

func (c *atomicCounter) Value() int { return int(c.n.Load()) }

type mutexCounter struct {
	mu sync.Mutex
	n  int
}

func newMutexCounter(int) workload.Counter { return new(mutexCounter) }

func (c *mutexCounter) Incrementer(int) harness.Operation {
	return func() error {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
		return nil
	}
}

func (c *mutexCounter) Value() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

type rwMutexCounter struct {
	mu sync.RWMutex
	n  int
}

func newRWMutexCounter(int) workload.Counter { return new(rwMutexCounter) }

func (c *rwMutexCounter) Incrementer(int) harness.Operation {
	return func() error {
		c.mu.Lock()
		c.n++
		c.mu.Unlock()
		return nil
	}
}

func (c *rwMutexCounter) Value() int {
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

func newChannelCounter(int) workload.Counter {
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

func (c *channelCounter) Incrementer(int) harness.Operation {
	return func() error { c.requests <- nil; return nil }
}

func (c *channelCounter) Value() int {
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
