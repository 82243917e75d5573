package cause_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/cause"
)

// A mutex held while another goroutine waits: the wait is seen, and is no
// shorter than the time it was certainly held.
func TestMutexWaitIsSeen(t *testing.T) {
	var mu sync.Mutex
	before := cause.Take()
	mu.Lock()
	entered := make(chan struct{})
	done := make(chan struct{})
	go func() {
		close(entered)
		mu.Lock()
		mu.Unlock()
		close(done)
	}()
	<-entered
	time.Sleep(30 * time.Millisecond)
	mu.Unlock()
	<-done
	if got := cause.Take().Since(before).MutexWaitNS; got < 1e6 {
		t.Errorf("mutex wait %v ns after one wait of about 30 ms", got)
	}
}

func TestAllocationsAreCounted(t *testing.T) {
	before := cause.Take()
	keep := make([][]byte, 1000)
	for i := range keep {
		keep[i] = make([]byte, 1024)
	}
	u := cause.Take().Since(before)
	runtime.KeepAlive(keep)
	if u.Allocs < 1000 || u.AllocBytes < 1000*1024 {
		t.Errorf("1000 allocations of 1 KiB counted as %v, %v bytes", u.Allocs, u.AllocBytes)
	}
}

func TestCollectionsAreCounted(t *testing.T) {
	before := cause.Take()
	runtime.GC()
	if u := cause.Take().Since(before); u.GCCycles < 1 {
		t.Errorf("one collection counted as %v", u.GCCycles)
	}
}

func ExampleTake() {
	before := cause.Take()
	runtime.GC()
	usage := cause.Take().Since(before)
	fmt.Println("collections seen:", usage.GCCycles >= 1)
	// Output: collections seen: true
}
