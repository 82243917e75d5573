package main

import (
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func conditions() []bottleneck {
	condition := []string{results.TimeCondition}
	return []bottleneck{
		{"turns", "each waits for its turn, and takes 1 ms", 4, condition, 0.75, "turn", openTurns},
		{"herd", "turns of eight, of which each wakes all", 8, condition, 7. / 8, "turn", openTurns},
		{"fork and join", "a child that takes 2 ms", 4, condition, 1, "joined", openFork},
		{"barrier", "three wait for the fourth, which takes 2 ms a round", 4, condition, 0.75, "barrier", openBarrier},
		{"group commit", "one takes 2 ms for all that came before", 8, condition, 0, "committed", openGroupCommit},
	}
}

func openTurns(s harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	cond, turn, left := sync.NewCond(&mu), 0, false
	return instance(func(g int) {
		mu.Lock()
		for turn%s.Goroutines != g && !left {
			cond.Wait() // at: turn
		}
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		turn++
		left = left || turn+s.Goroutines > s.Ops // near the end there is no next one to wait for
		mu.Unlock()
		cond.Broadcast()
	}, nil), nil
}

func openFork(harness.Setup) (harness.Instance, error) {
	return instance(func(int) {
		var group sync.WaitGroup
		group.Go(func() { time.Sleep(2 * time.Millisecond) })
		group.Wait() // at: joined
	}, nil), nil
}

func openBarrier(s harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	cond, round, done := sync.NewCond(&mu), 0, 0
	return instance(func(g int) {
		mu.Lock()
		defer mu.Unlock()
		if done++; done > s.Ops-2*s.Goroutines { // near the end there are not enough to come
			round++
			cond.Broadcast()
			return
		}
		if g != 0 {
			for mine := round; round == mine; {
				cond.Wait() // at: barrier
			}
			return
		}
		mu.Unlock()
		time.Sleep(2 * time.Millisecond)
		mu.Lock()
		round++
		cond.Broadcast()
	}, nil), nil
}

func openGroupCommit(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	cond, asked, done, busy := sync.NewCond(&mu), 0, 0, false
	return instance(func(int) {
		mu.Lock()
		defer mu.Unlock()
		asked++
		for mine := asked; done < mine; {
			if busy {
				cond.Wait() // at: committed
				continue
			}
			busy = true
			all := asked
			mu.Unlock()
			time.Sleep(2 * time.Millisecond)
			mu.Lock()
			busy, done = false, all
			cond.Broadcast()
		}
	}, nil), nil
}
