package experiments

// Does the instrument read costs that are known beforehand?

import (
	"errors"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// KnownCost is the experiment on the instrument itself: an operation that does
// nothing, one that sleeps, one that spins, one that spins under a lock.
func KnownCost() harness.Experiment {
	independent := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	guarded := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	sleep := harness.Func("sleep", independent, func() error { time.Sleep(time.Millisecond); return nil })
	sleep.About = "a sleep of 1 ms: its latency stays, its rate grows with N"
	sleep.PerGoroutine = 100
	empty := harness.Func("empty", independent, func() error { return nil })
	empty.About = "nothing: what is left is the harness"
	return harness.Experiment{
		Name:     "known-cost",
		Question: "Does the instrument read costs that are known beforehand?",
		Apart:    true,
		Variants: []harness.Variant{
			empty,
			sleep,
			{Name: "spin", About: "a fixed computation: its rate grows up to the processors", Promise: independent, Open: openSpin},
			{Name: "spin-mutex", About: "the same under one mutex: its rate stays flat, its mean latency grows with N", Promise: guarded, Open: openSpinMutex},
		},
	}
}

// spinRounds make one operation a few microseconds: long enough to be timed
// each, short against a scheduler slice.
const spinRounds = 4000

// spin depends on every step of itself, so that no compiler drops it.
func spin(x uint64) uint64 {
	for range spinRounds {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

var errSpinZero = errors.New("the generator reached zero")

func openSpin(s harness.Setup) (harness.Instance, error) {
	return harness.Instance{Worker: func(goroutine int) harness.Operation {
		x := uint64(goroutine) + 1
		return func() error {
			if x = spin(x); x == 0 {
				return errSpinZero
			}
			return nil
		}
	}}, nil
}

func openSpinMutex(s harness.Setup) (harness.Instance, error) {
	lock := s.Guard(new(sync.Mutex))
	x := uint64(1)
	op := func() error {
		lock.Lock()
		defer lock.Unlock()
		if x = spin(x); x == 0 {
			return errSpinZero
		}
		return nil
	}
	return harness.Instance{Worker: func(int) harness.Operation { return op }}, nil
}
