package experiments

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/internal/workload"
)

// guardedCounters are the counters that promise to lose nothing.
func guardedCounters() map[string]func(int) workload.Counter {
	return map[string]func(int) workload.Counter{
		"atomic": newAtomicCounter, "mutex": newMutexCounter, "rwmutex": newRWMutexCounter,
		"channel": newChannelCounter, "striped": newStripedCounter,
	}
}

// A read that begins after an increment has returned counts it, and all reads
// go through one order: porcupine finds one that a single counter would have
// given. The channel is among them although its owner counts later.
func TestCountersAreLinearizable(t *testing.T) {
	for name, open := range guardedCounters() {
		for range 20 {
			if verdict := checkCounter(open); verdict != porcupine.Ok {
				t.Fatalf("%s: %s", name, verdict)
			}
		}
	}
}

// checkCounter has clients increment and read a fresh counter.
func checkCounter(open func(int) workload.Counter) porcupine.CheckResult {
	const clients, each = 4, 50
	c := open(clients)
	if owned, ok := c.(*channelCounter); ok {
		defer owned.Close()
	}
	began := time.Now()
	histories := make([][]porcupine.Operation, clients)
	var group sync.WaitGroup
	for g := range clients {
		increment := c.Incrementer(g)
		group.Go(func() {
			for i := range each {
				call := porcupine.Operation{ClientId: g, Input: i%2 == 0, Call: time.Since(began).Nanoseconds()}
				if i%2 == 0 {
					increment()
				} else {
					call.Output = c.Value()
				}
				call.Return = time.Since(began).Nanoseconds()
				histories[g] = append(histories[g], call)
			}
		})
	}
	group.Wait()
	var all []porcupine.Operation
	for _, h := range histories {
		all = append(all, h...)
	}
	return porcupine.CheckOperationsTimeout(porcupine.Model{
		Init: func() any { return 0 },
		Step: func(state, input, output any) (bool, any) {
			if input.(bool) {
				return true, state.(int) + 1
			}
			return output.(int) == state.(int), state
		},
	}, all, 5*time.Minute)
}

// forgetful loses the seventh increment.
type forgetful struct{ atomicCounter }

func (c *forgetful) Incrementer(g int) harness.Operation {
	n, add := 0, c.atomicCounter.Incrementer(g)
	return func() error {
		if n++; n == 7 {
			return nil
		}
		return add()
	}
}

func TestALostIncrementVoidsTheTrial(t *testing.T) {
	v := workload.CounterVariant("forgetful", "", func(int) workload.Counter { return new(forgetful) })
	instance, err := v.Open(harness.Setup{Goroutines: 1})
	if err != nil {
		t.Fatal(err)
	}
	increment := instance.Worker(0)
	for range 10 {
		increment()
	}
	if err := instance.Check(10); err == nil || !strings.Contains(err.Error(), "stands at 9 after 10") {
		t.Errorf("an increment was lost, and the check says %v", err)
	}
}

// What the plain counter lost is counted: here 3 of 10 by hand.
func TestPlainCountsItsLosses(t *testing.T) {
	instance, err := openPlainCounter(harness.Setup{Goroutines: 1})
	if err != nil {
		t.Fatal(err)
	}
	increment := instance.Worker(0)
	for range 7 {
		increment()
	}
	if lost, err := instance.Lost(10); lost != 3 || err != nil {
		t.Errorf("%d lost, error %v, want 3", lost, err)
	}
}

// Two goroutines increment and then read. Whoever reads last has to find both
// increments: if neither does, one of them was not yet visible to the other
// although it had returned.
func TestAReadFindsWhatReturnedBefore(t *testing.T) {
	for name, open := range guardedCounters() {
		c := open(2)
		rounds := 20_000
		if owned, ok := c.(*channelCounter); ok {
			defer owned.Close()
			rounds = 500
		}
		var gate [2]atomic.Int64
		var found [2][]int
		var group sync.WaitGroup
		for g := range 2 {
			increment := c.Incrementer(g)
			group.Go(func() {
				for round := range rounds {
					gate[g].Store(int64(round + 1))
					for gate[1-g].Load() <= int64(round) {
						runtime.Gosched()
					}
					increment()
					found[g] = append(found[g], c.Value())
				}
			})
		}
		group.Wait()
		for round := range rounds {
			if both := 2 * (round + 1); found[0][round] < both && found[1][round] < both {
				t.Fatalf("%s: after %d increments the reads found %d and %d", name, both, found[0][round], found[1][round])
			}
		}
	}
}

// What the barrier moves from the increments to the reads.
func BenchmarkStripes(b *testing.B) {
	for name, settle := range map[string]func(){"atomic": nil, "membarrier": barrier()} {
		if name == "membarrier" && settle == nil {
			continue
		}
		c := &stripedCounter{stripes: make([]stripe, 2), settle: settle}
		increment := c.Incrementer(0)
		b.Run(name+"/increment", func(b *testing.B) {
			for b.Loop() {
				increment()
			}
		})
		b.Run(name+"/read", func(b *testing.B) {
			for b.Loop() {
				c.Value()
			}
		})
	}
}
