package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func processors() []bottleneck {
	running := []string{results.TimeRunning}
	beyond := 1 - float64(min(runtime.GOMAXPROCS(0), runtime.NumCPU()))/16
	return []bottleneck{
		{"asleep", "1 ms", 4, []string{results.TimeSleep}, 1, "slept", doing(func(int) {
			time.Sleep(time.Millisecond) // at: slept
		})},
		{"work", "two compute for 100 µs at a time", 2, running, 1, "", doing(func(int) { work(100 * time.Microsecond) })},
		{"more than processors", "sixteen compute for 100 µs at a time", 16, []string{results.TimeRunnable}, beyond, "", doing(func(int) { work(100 * time.Microsecond) })},
		{"yields", "sixteen compute for 50 µs and yield", 16, []string{results.TimeRunnable}, beyond, "", doing(func(int) {
			work(50 * time.Microsecond)
			runtime.Gosched()
		})},
		{"busy neighbour", "two compute beside two processes that do", 2, running, 1, "", openNeighbour},
		{"false sharing", "two counters in one cache line", 2, running, 1, "", openFalseSharing},
		{"contended counter", "one counter for both", 2, running, 1, "", openCounter},
		{"waits for memory", "a walk through 64 MiB in random order", 2, running, 1, "", openPointers},
	}
}

// work computes for a time of the clock.
func work(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

func openNeighbour(s harness.Setup) (harness.Instance, error) {
	ctx, end := context.WithCancel(s.Context)
	var others []*exec.Cmd
	stop := func() error {
		end()
		for _, c := range others {
			c.Wait() // it was killed
		}
		return nil
	}
	for range 2 {
		c := exec.CommandContext(ctx, "sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			return harness.Instance{}, errors.Join(err, stop())
		}
		others = append(others, c)
	}
	return instance(func(int) { work(100 * time.Microsecond) }, stop), nil
}

func openFalseSharing(harness.Setup) (harness.Instance, error) {
	counters := new([2]atomic.Int64)
	return instance(func(g int) {
		for range 10_000 {
			counters[g%2].Add(1)
		}
	}, nil), nil
}

func openCounter(harness.Setup) (harness.Instance, error) {
	counter := new(atomic.Int64)
	return instance(func(int) {
		for range 10_000 {
			counter.Add(1)
		}
	}, nil), nil
}

func openPointers(s harness.Setup) (harness.Instance, error) {
	next := make([]int32, 16<<20)
	order := rand.New(rand.NewPCG(1, 1)).Perm(1 << 16)
	stride := len(next) / len(order)
	for i, o := range order { // one cycle through places far apart
		next[o*stride] = int32(order[(i+1)%len(order)] * stride)
	}
	at := make([][8]int32, s.Goroutines)
	return instance(func(g int) {
		i := at[g][0]
		for range 2_000 {
			i = next[i]
		}
		at[g][0] = i
	}, nil), nil
}
