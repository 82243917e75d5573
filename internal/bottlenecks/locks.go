package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func locks() []bottleneck {
	lock := []string{results.TimeLock}
	return []bottleneck{
		{"sleep under a mutex", "each sleeps 1 ms under one lock", 4, lock, 0.75, "mutex", openSleepUnderMutex},
		{"sleep under a mutex, 16", "each sleeps 1 ms under one lock", 16, lock, 15. / 16, "mutex", openSleepUnderMutex},
		// Who is woken from a mutex runs, or waits for a processor, and loses to whoever is on one: how
		// often, nobody can reckon.
		{"spin under a mutex", "each computes for 200 µs under one lock", 4, lock, 0, "spinning", openSpinUnderMutex},
		{"write lock", "each sleeps 1 ms under the write lock", 4, lock, 0.75, "write lock", openWriteLock},
		{"readers behind a slow writer", "one sleeps 2 ms under the write lock, again and again", 4, lock, 0, "read lock", openSlowWriter},
		{"readers alone", "each sleeps 1 ms under the read lock, which is no bottleneck", 4, []string{results.TimeSleep}, 1, "reading", openReaders},
		{"two locks, the second longer", "1 ms asleep under one, then 3 ms under another", 8, lock, 20. / 24, "second lock", openTwoLocks},
		{"uneven stripes", "seven of eight share a lock, one has its own", 8, lock, 0.75, "stripe", openStripes},
		{"lock in a method of one's own", "the lock is taken by a function that is called", 4, lock, 0.75, "wrapped", openWrapped},
		{"rare long holder", "one in 50 holds the lock for 20 ms, the others for 50 µs", 4, lock, 0, "rarely long", openRarelyLong},
		{"convoy", "100 µs of work under a lock, 100 µs beside it", 8, []string{results.TimeLock, results.TimeRunnable}, 0, "", openConvoy},
		{"short lock beside a sleep", "1 ms asleep, then a lock for nothing: the lock is none", 4, []string{results.TimeSleep}, 1, "sleeping beside", openShortLock},
		{"sends under a lock", "under a lock each waits for a slow receiver", 4, lock, 0.75, "sending", openSendUnderLock},
		{"lock that spins", "compare and swap until it succeeds, 100 µs of work under it", 2, []string{results.TimeRunning}, 1, "", openSpinLock(false)},
		{"lock that yields", "compare and swap, and Gosched", 8, []string{results.TimeRunnable, results.TimeRunning}, 0, "", openSpinLock(true)},
	}
}

func openSleepUnderMutex(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	return instance(func(int) {
		mu.Lock() // at: mutex
		time.Sleep(time.Millisecond)
		mu.Unlock()
	}, nil), nil
}

func openSpinUnderMutex(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	return instance(func(int) {
		mu.Lock() // at: spinning
		work(200 * time.Microsecond)
		mu.Unlock()
	}, nil), nil
}

func openWriteLock(harness.Setup) (harness.Instance, error) {
	var mu sync.RWMutex
	return instance(func(int) {
		mu.Lock() // at: write lock
		time.Sleep(time.Millisecond)
		mu.Unlock()
	}, nil), nil
}

func openSlowWriter(harness.Setup) (harness.Instance, error) {
	var mu sync.RWMutex
	return instance(func(g int) {
		if g == 0 {
			mu.Lock()
			time.Sleep(2 * time.Millisecond)
			mu.Unlock()
			return
		}
		mu.RLock() // at: read lock
		work(20 * time.Microsecond)
		mu.RUnlock()
	}, nil), nil
}

func openReaders(harness.Setup) (harness.Instance, error) {
	var mu sync.RWMutex
	return instance(func(int) {
		mu.RLock()
		time.Sleep(time.Millisecond) // at: reading
		mu.RUnlock()
	}, nil), nil
}

func openTwoLocks(harness.Setup) (harness.Instance, error) {
	var first, second sync.Mutex
	return instance(func(int) {
		first.Lock()
		time.Sleep(time.Millisecond)
		first.Unlock()
		second.Lock() // at: second lock
		time.Sleep(3 * time.Millisecond)
		second.Unlock()
	}, nil), nil
}

func openStripes(harness.Setup) (harness.Instance, error) {
	var stripes [2]sync.Mutex
	return instance(func(g int) {
		mu := &stripes[min(g, 1)]
		mu.Lock() // at: stripe
		time.Sleep(time.Millisecond)
		mu.Unlock()
	}, nil), nil
}

type wrapped struct{ mu sync.Mutex }

func (w *wrapped) lock() {
	w.mu.Lock() // at: wrapped
}

func openWrapped(harness.Setup) (harness.Instance, error) {
	w := new(wrapped)
	return instance(func(int) {
		w.lock()
		time.Sleep(time.Millisecond)
		w.mu.Unlock()
	}, nil), nil
}

func openRarelyLong(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	n := 0
	return instance(func(int) {
		mu.Lock() // at: rarely long
		if n++; n%50 == 0 {
			time.Sleep(20 * time.Millisecond)
		} else {
			work(50 * time.Microsecond)
		}
		mu.Unlock()
	}, nil), nil
}

func openConvoy(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	return instance(func(int) {
		mu.Lock()
		work(100 * time.Microsecond)
		mu.Unlock()
		work(100 * time.Microsecond)
	}, nil), nil
}

func openShortLock(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	n := 0
	return instance(func(int) {
		time.Sleep(time.Millisecond) // at: sleeping beside
		mu.Lock()
		n++
		mu.Unlock()
	}, nil), nil
}

func openSendUnderLock(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	slow := make(chan int)
	var receiver sync.WaitGroup
	receiver.Go(func() {
		for range slow {
			time.Sleep(time.Millisecond)
		}
	})
	return instance(func(int) {
		mu.Lock() // at: sending
		slow <- 1
		mu.Unlock()
	}, func() error {
		close(slow)
		receiver.Wait()
		return nil
	}), nil
}

func openSpinLock(yields bool) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) {
		var held atomic.Bool
		return instance(func(int) {
			for !held.CompareAndSwap(false, true) {
				if yields {
					runtime.Gosched()
				}
			}
			work(100 * time.Microsecond)
			held.Store(false)
		}, nil), nil
	}
}
