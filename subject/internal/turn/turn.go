// Package turn is the one lock of this house that is not the standard library's, and
// how goroutines wait beside it: a lock for critical sections of some nanoseconds that
// many goroutines want, and news for those that wait until something has changed.
//
// Do not use the lock where a section waits for anything: those that want it keep
// looking. Nobody is served in order; sync.Mutex is fairer, and slower.
package turn

import (
	"context"
	"runtime"
	"sync/atomic"
)

const (
	cacheLine = 128 // two of 64 bytes, which processors fetch together

	spins    = 10   // looks at a turn that is taken before the first yield
	patience = 200  // yields before a goroutine is parked
	look     = 1000 // empty calls between two looks, about a microsecond
)

// A Turn is the lock under which entries are put into their order, those of a log or
// of a mailbox. It is one word with the index of the next entry, so that giving the
// turn back and showing a new entry to readers is one store.
//
// Who has the turn holds it for tens of nanoseconds. Who finds it taken looks
// away for longer than that: the next appends of the one who has it then find
// every cache line where it was, which a fair lock would send to and fro
// (BenchmarkTurn). After some time the waiting goroutine lets others run, threads
// (commitlog's BenchmarkYield) and goroutines, and at last it is parked, in case the
// one who has the turn was stopped.
type Turn struct {
	_      [cacheLine]byte
	word   atomic.Uint64 // the next index, times two; odd while the turn is taken
	_      [cacheLine - 8]byte
	parked News
	Stays  bool // who waits leaves the processor to goroutines only, for BenchmarkYield
}

// Next is the index that the next entry gets.
func (t *Turn) Next() uint64 { return t.word.Load() >> 1 }

// Take waits for the turn and returns the index that the next entry gets.
func (t *Turn) Take() uint64 {
	word := t.word.Load()
	if word&1 == 0 && t.word.CompareAndSwap(word, word|1) {
		return word >> 1
	}
	return t.wait()
}

// Give ends the turn. The entries below next are there to be seen.
func (t *Turn) Give(next uint64) {
	t.word.Store(next << 1)
	t.parked.Tell()
}

// Show changes the next index while the turn is kept.
func (t *Turn) Show(next uint64) { t.word.Store(next<<1 | 1) }

// Try is Take, but waits for nobody; ok is false if the turn is taken.
func (t *Turn) Try() (next uint64, ok bool) {
	word := t.word.Load()
	return word >> 1, word&1 == 0 && t.word.CompareAndSwap(word, word|1)
}

func (t *Turn) wait() uint64 {
	for round := range spins + patience {
		pause(look)
		if next, ok := t.Try(); ok {
			return next
		}
		if round >= spins {
			t.Leave()
		}
	}
	var next uint64
	var ok bool
	t.parked.Await(context.Background(), func() bool {
		next, ok = t.Try()
		return ok
	})
	return next
}

// Leave lets others run.
func (t *Turn) Leave() {
	if !t.Stays {
		yield()
	}
	runtime.Gosched()
}

// pause keeps the processor busy with nothing.
func pause(calls int) {
	for range calls {
		nothing()
	}
}

//go:noinline
func nothing() {}
