package commitlog

import (
	"context"
	"runtime"
	"sync/atomic"
)

const (
	cacheLine = 128 // two of 64 bytes, which processors fetch together

	turnSpins    = 10   // looks at a turn that is taken before the first yield
	turnPatience = 200  // yields before a goroutine is parked
	turnPause    = 1000 // empty calls between two looks, about a microsecond
)

// A turn is the lock under which a log puts entries into their order. It is
// one word with the index of the next entry, so that giving the turn back and
// showing a new entry to readers is one store.
//
// Who has the turn holds it for tens of nanoseconds. Who finds it taken looks
// away for longer than that: the next appends of the one who has it then find
// every cache line where it was, which a fair lock would send to and fro
// (BenchmarkTurn). After some time the waiting goroutine lets others run, threads
// (BenchmarkYield) and goroutines, and at last it is parked, in case the one who
// has the turn was stopped.
type turn struct {
	_      [cacheLine]byte
	word   atomic.Uint64 // the next index, times two; odd while the turn is taken
	_      [cacheLine - 8]byte
	parked news
	stays  bool // who waits leaves the processor to goroutines only, for BenchmarkYield
}

// next is the index that the next entry gets.
func (t *turn) next() uint64 { return t.word.Load() >> 1 }

// take waits for the turn and returns the index that the next entry gets.
func (t *turn) take() uint64 {
	word := t.word.Load()
	if word&1 == 0 && t.word.CompareAndSwap(word, word|1) {
		return word >> 1
	}
	return t.wait()
}

// give ends the turn. The entries below next are there to be seen.
func (t *turn) give(next uint64) {
	t.word.Store(next << 1)
	t.parked.tell()
}

// show changes the next index while the turn is kept.
func (t *turn) show(next uint64) { t.word.Store(next<<1 | 1) }

func (t *turn) try() (next uint64, ok bool) {
	word := t.word.Load()
	return word >> 1, word&1 == 0 && t.word.CompareAndSwap(word, word|1)
}

func (t *turn) wait() uint64 {
	for round := range turnSpins + turnPatience {
		pause(turnPause)
		if next, ok := t.try(); ok {
			return next
		}
		if round >= turnSpins {
			t.leave()
		}
	}
	var next uint64
	var ok bool
	t.parked.await(context.Background(), func() bool {
		next, ok = t.try()
		return ok
	})
	return next
}

// leave lets others run.
func (t *turn) leave() {
	if !t.stays {
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
