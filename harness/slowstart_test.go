package harness

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/results"
)

// saw is what a window of 500 ms makes of goroutines that began one after another, whose
// first operations took so long, in ms, and those after them a tenth of a millisecond.
func saw(t *testing.T, first []int64) results.Trial {
	t.Helper()
	const ms, each, wall = int64(time.Millisecond), int64(100 * time.Microsecond), 500 * int64(time.Millisecond)
	w := window{cell: cell{variant: Func("any", promise, nil), goroutines: len(first)}, byTime: true}
	workers := w.workers(Instance{Worker: func(int) Operation { return nil }}, nil, nil, nil)
	for i, worker := range workers {
		worker.start, worker.first, worker.end = int64(i+1), first[i]*ms, wall
		worker.done = 1 + int((wall-worker.first)/each)
	}
	trial, err := w.collect(workers, nil, 0, wall)
	if err != nil {
		t.Fatal(err)
	}
	trial.Usage = results.MissingUsage()
	return trial
}

func toldSlowStart(trial results.Trial) bool {
	p := &planned{byTime: true, cellState: &cellState{Ops: trial.Ops, Rate: float64(trial.Ops) / float64(trial.WallNS) * 1e9}}
	return slices.Contains(codes(trialWarnings(trial, p)), results.WarnSlowStart)
}

// Slow first operations lower the rate by what they take of all goroutines' time, whoever
// has them and whoever starts first.
func TestSlowStartOfAnyGoroutine(t *testing.T) {
	all := func(n int, slow ...int) []int64 {
		first := make([]int64, n)
		for _, g := range slow {
			first[g] = 100
		}
		return first
	}
	allBut := func(n, lucky int) []int64 {
		first := slices.Repeat([]int64{100}, n)
		first[lucky] = 0
		return first
	}
	for name, c := range map[string]struct {
		first []int64
		mean  time.Duration
		want  bool
	}{
		"the only one":                     {all(1, 0), 100 * time.Millisecond, true},
		"the first of two":                 {all(2, 0), 50 * time.Millisecond, true},
		"the second of two":                {all(2, 1), 50 * time.Millisecond, true},
		"all but the first":                {allBut(8, 0), 87500 * time.Microsecond, true},
		"all but the last":                 {allBut(8, 7), 87500 * time.Microsecond, true},
		"the first, and those who wait":    {allBut(64, 63), 98437500 * time.Nanosecond, true},
		"all of 64 but the first":          {allBut(64, 0), 98437500 * time.Nanosecond, true},
		"one of 64, a 320th of the window": {all(64, 0), 1562500 * time.Nanosecond, false},
		"none":                             {all(64), 0, false},
	} {
		trial := saw(t, c.first)
		if trial.FirstNS != c.mean.Nanoseconds() || toldSlowStart(trial) != c.want {
			t.Errorf("%s: first ones of %d ns, told %v, want %d, %v", name, trial.FirstNS, !c.want, c.mean.Nanoseconds(), c.want)
		}
	}
}

// A goroutine that did none has no first operation that could make the others' shorter.
func TestFirstOperationsOfThoseThatDidOne(t *testing.T) {
	if got := firstOnes([]*worker{{done: 1, first: 90}, {}, {done: 2, first: 30}}); got != 60 {
		t.Errorf("first ones of %d ns, want 60", got)
	}
	if got := firstOnes([]*worker{{}}); got != 0 {
		t.Errorf("first ones of %d ns where there is none", got)
	}
}

// Where everybody waits for one lock, first operations wait as long as those after them: of
// few each they are much of the window, and no slow start.
func TestContendedLockIsNoSlowStart(t *testing.T) {
	var lock sync.Mutex
	v := Func("lock", promise, func() error {
		lock.Lock()
		defer lock.Unlock()
		time.Sleep(500 * time.Microsecond)
		return nil
	})
	for _, n := range []int{8, 64} {
		trial, err := once(t, v, n, 5*n, eachTimed)
		if err != nil {
			t.Fatal(err)
		}
		if trial.WallNS = max(trial.WallNS, floorWindow.Nanoseconds()); toldSlowStart(trial) {
			t.Errorf("N = %d: first ones of %d ns and later ones of %d, in %d", n, trial.FirstNS, trial.LaterNS, trial.WallNS)
		}
	}
}

// First operations that wait at a queue which others filled, or for a processor, lower no rate: the
// second half of the operations is no faster than the first.
func TestSlowFirstOperationsThatLowerNoRate(t *testing.T) {
	for name, c := range map[string]struct {
		first, halfMS int64 // of 500
		want          bool
	}{
		"nothing done for 100 ms, then steady":            {100, 300, true},
		"nothing done for 30 ms, then steady":             {30, 265, true},
		"the queue takes half at once":                    {100, 5, false},
		"steady from the beginning":                       {100, 250, false},
		"steady from the beginning, the first ones brief": {30, 250, false},
		"one of two does nothing for 440 ms":              {220, 280, true},
		"nobody knows of halves":                          {100, 0, true},
	} {
		trial := saw(t, slices.Repeat([]int64{c.first}, 4))
		trial.HalfNS, trial.HalfOps = c.halfMS*1e6, trial.Ops/2
		if got := toldSlowStart(trial); got != c.want {
			t.Errorf("%s: told %v, want %v", name, got, c.want)
		}
	}
}
