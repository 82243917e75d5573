package cause_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause"
)

// Many goroutines wait for one mutex that is certainly held for a while. The
// runtime tracks one goroutine in eight, so the sum is an estimate: with 400
// of them a quarter of what they waited is a bound that chance does not break.
func TestMutexWaitIsSeen(t *testing.T) {
	const waiters, held = 400, 20 * time.Millisecond
	var mu sync.Mutex
	var wg sync.WaitGroup
	entered := 0
	before := cause.Take()
	mu.Lock()
	for range waiters {
		wg.Go(func() {
			mu.Lock()
			entered++
			mu.Unlock()
		})
	}
	for waiting() < waiters {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(held)
	mu.Unlock()
	wg.Wait()
	least := 0.25 * waiters * float64(held)
	if got := cause.Take().Since(before).MutexWaitNS; float64(got) < least {
		t.Errorf("mutex wait %v ns, want at least %v", got, least)
	}
}

// waiting counts the goroutines that wait for a mutex, as a traceback has them.
func waiting() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "[sync.Mutex.Lock")
}

// The runtime counts the last few allocations of each size later: a margin.
func TestAllocationsAreCounted(t *testing.T) {
	before := cause.Take()
	keep := make([][]byte, 10_000)
	for i := range keep {
		keep[i] = make([]byte, 1024)
	}
	u := cause.Take().Since(before)
	runtime.KeepAlive(keep)
	if u.Allocs < 9_000 || u.AllocBytes < 9_000*1024 {
		t.Errorf("10,000 allocations of 1 KiB counted as %v, %v bytes", u.Allocs, u.AllocBytes)
	}
}

func TestCollectionsAreCounted(t *testing.T) {
	before := cause.Take()
	runtime.GC()
	if u := cause.Take().Since(before); u.GCCycles < 1 {
		t.Errorf("one collection counted as %v", u.GCCycles)
	} else if u.GCCPUNS == 0 { // it may be untold
		t.Error("one collection took no time")
	}
}

func ExampleTake() {
	before := cause.Take()
	runtime.GC()
	usage := cause.Take().Since(before)
	fmt.Println("collections seen:", usage.GCCycles >= 1)
	// Output: collections seen: true
}

// Of few waits the runtime records next to none: nothing is told then, where a nought would be
// believed.
func TestFewSamplesTellNothing(t *testing.T) {
	before := cause.Take()
	u := cause.Take().Since(before)
	if u.MutexWaitNS.Known() || u.SchedWaitNS.Known() {
		t.Errorf("told of no time at all: %v at mutexes, %v for a processor", u.MutexWaitNS, u.SchedWaitNS)
	}
}
