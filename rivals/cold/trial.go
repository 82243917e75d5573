package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/rivals/internal/logs"
)

// A trial is what one process measures of one log.
type trial struct {
	What       what
	Log        string
	Dir        string
	Payload    int // bytes of a value, or mixedSizes
	Goroutines int
	Entries    int           // appended before the window, or in it; 0: as many as the window takes
	Segment    int64         // of our log; 0: the default
	Sealed     bool          // before it is killed our log has sealed what is full
	Heap       int           // bytes that the process has beside the log, so that the collector comes seldom
	Window     time.Duration // at least
}

// mixedSizes stands for values of 16 B to 256 KiB, each power of two as often.
const (
	mixedSizes = -1
	leastMixed = 16
	mixes      = 15
)

type what string

const (
	appending   what = "append"
	getting     what = "get"
	gettingCold what = "get cold"
	readingCold what = "read cold"
	inOrder     what = "read in order"
	opening     what = "open"
	sizing      what = "size"
	pacing      what = "pace"
	pacingMost  what = "pace, most"
	dying       what = "fill and die"
)

func (t trial) run() (float64, error) {
	heap := make([]byte, t.Heap)
	defer runtime.KeepAlive(heap)
	switch t.What {
	case appending:
		return t.append()
	case getting:
		return t.get()
	case gettingCold, readingCold:
		return t.getCold()
	case inOrder:
		return t.readInOrder()
	case opening:
		return t.open()
	case sizing:
		return t.size()
	case pacing, pacingMost:
		return t.pace()
	case dying:
		return t.fillAndDie()
	}
	return 0, fmt.Errorf("nothing is measured by %q", t.What)
}

func (t trial) rival() (logs.Rival, error) {
	all := logs.Rivals()
	i := slices.IndexFunc(all, func(r logs.Rival) bool { return r.Name == t.Log })
	if i < 0 {
		return logs.Rival{}, fmt.Errorf("no log is called %q", t.Log)
	}
	return all[i], nil
}

func (t trial) opened() (logs.Appender, error) {
	r, err := t.rival()
	if err != nil {
		return nil, err
	}
	return r.Open(t.Dir, t.Goroutines)
}

// values are what a goroutine appends, one after another.
func (t trial) values(g int) func() []byte {
	if t.Payload != mixedSizes {
		value := make([]byte, t.Payload)
		return func() []byte { return value }
	}
	random, all := rand.New(rand.NewPCG(1, uint64(g))), make([]byte, leastMixed<<(mixes-1))
	return func() []byte { return all[:leastMixed<<random.IntN(mixes)] }
}

// append returns the appends a second of a log that nobody has used before.
func (t trial) append() (float64, error) {
	switch t.Log {
	case "pages":
		return t.freshPages()
	case "flushed pages":
		return t.flushedPages()
	}
	log, err := t.opened()
	if err != nil {
		return 0, err
	}
	var done atomic.Int64
	start := time.Now()
	err = t.each(func(g int) error {
		value := t.values(g)
		for n := 1; ; n++ {
			if err := log.Append(value()); err != nil {
				return err
			}
			if t.enough(n, start) {
				done.Add(int64(n))
				return nil
			}
		}
	})
	took := time.Since(start)
	if err == nil {
		err = log.Close()
	}
	return float64(done.Load()) / took.Seconds(), err
}

// enough reports whether a goroutine that has done n operations should end.
func (t trial) enough(n int, start time.Time) bool {
	if t.Entries > 0 && t.What == appending {
		return n >= t.Entries/t.Goroutines
	}
	return n%16 == 0 && time.Since(start) >= t.Window
}

// each runs a function in every goroutine.
func (t trial) each(run func(g int) error) error {
	errs := make([]error, t.Goroutines)
	var group sync.WaitGroup
	for g := range t.Goroutines {
		group.Go(func() { errs[g] = run(g) })
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
