package workload

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/syncwrite/syncwrite/harness"
)

// A LogTrial is what the goroutines of one trial do to one log, and what they
// must find in it afterwards.
type LogTrial struct {
	value     []byte
	reads     uint32 // percent
	seed      uint64
	appenders []*appender
}

// An appender is one goroutine's part: what it appended, and the sum of the
// indexes it got.
type appender struct {
	appended uint64
	sum      uint64
	last     uint64
	indexed  bool
	random   rand.PCG // by value: two goroutines' small states would share a cache line
	_        [64]byte // no two goroutines' counters on one cache line
}

// NoIndex is what an append returns where the log tells no index.
const NoIndex = math.MaxUint64

// NewLogTrial reads the levels of payload and reads from the setup.
func NewLogTrial(s harness.Setup) *LogTrial {
	// Levels were checked before the run began.
	reads, _ := strconv.Atoi(s.Factors["reads"])
	return &LogTrial{value: Payload(s), reads: uint32(reads), seed: s.Seed}
}

// Payload is "foofoofoo…", as long as the level of the factor payload says.
func Payload(s harness.Setup) []byte {
	size, _ := strconv.Atoi(s.Factors["payload"])
	return bytes.Repeat([]byte("foo"), size/3+1)[:size]
}

// Operation returns what one goroutine does again and again: an append or, in
// the share of reads, a Get of a random entry among as many as it has itself
// appended, so that it certainly exists.
func (w *LogTrial) Operation(g int, add func([]byte) (uint64, error), get func(uint64) ([]byte, error)) harness.Operation {
	a := &appender{random: *rand.NewPCG(w.seed, uint64(g))}
	w.appenders = append(w.appenders, a)
	value := w.value
	write := func() error {
		index, err := add(value)
		if err != nil {
			return err
		}
		return a.note(index)
	}
	if w.reads == 0 {
		return write
	}
	return func() error {
		draw := a.random.Uint64()
		if a.appended == 0 || uint32(draw%100) >= w.reads {
			return write()
		}
		index := (draw >> 32) * a.appended >> 32
		got, err := get(index)
		if err == nil && len(got) != len(value) {
			err = fmt.Errorf("get entry %d: %d bytes, want %d", index, len(got), len(value))
		}
		return err
	}
}

// note counts an append. Indexes a goroutine gets only go up.
func (a *appender) note(index uint64) error {
	if index != NoIndex {
		if a.indexed && index <= a.last {
			return fmt.Errorf("append: got index %d after index %d", index, a.last)
		}
		a.indexed, a.last = true, index
		a.sum += index
	}
	a.appended++
	return nil
}

// Check looks whether the log holds what was appended, no more and no less:
// the indexes add up to those of a dense range, the last entry is there, none
// is behind it, and entries all over the log hold the value.
func (w *LogTrial) Check(get func(uint64) ([]byte, error)) error {
	var n, sum uint64
	indexed := false
	for _, a := range w.appenders {
		n += a.appended
		sum += a.sum
		indexed = indexed || a.indexed
	}
	if want := n * (n - 1) / 2; n > 0 && indexed && sum != want {
		return fmt.Errorf("%d appends got indexes that add up to %d, not to %d: one was lost or given twice", n, sum, want)
	}
	if _, err := get(n); err == nil {
		return fmt.Errorf("the log holds more than the %d entries that were appended", n)
	}
	const looks = 50
	for i := range min(n, looks) {
		index := n - 1 - i*(n-1)/looks
		got, err := get(index)
		if err != nil {
			return fmt.Errorf("after %d appends: %w", n, err)
		}
		if !bytes.Equal(got, w.value) {
			return fmt.Errorf("entry %d holds %d bytes that were not appended", index, len(got))
		}
	}
	return nil
}
