package commitlog

import (
	"context"
	"errors"
	"fmt"
)

// A run is values in one piece of memory.
type run struct {
	bytes  []byte
	ends   []int    // where each value ends in bytes
	values [][]byte // made of the two when it is handed over
}

func (r *run) add(value []byte) {
	r.bytes = append(r.bytes, value...)
	r.ends = append(r.ends, len(r.bytes))
}

// split returns the values.
func (r *run) split() [][]byte {
	r.values = r.values[:0]
	start := 0
	for _, end := range r.ends {
		r.values = append(r.values, r.bytes[start:end:end])
		start = end
	}
	return r.values
}

// reset empties the run and gives back memory that one burst needed.
func (r *run) reset() {
	if cap(r.bytes) > 2*queuedBytes {
		r.bytes, r.values = nil, nil
	}
	r.bytes, r.ends = r.bytes[:0], r.ends[:0]
}

// full reports whether nothing more may wait. The turn is held.
func (a *Async) full() bool {
	return len(a.waiting.ends) >= a.limit || len(a.waiting.bytes) >= queuedBytes
}

// refusal says why a value is not appended, if so. The turn is held.
func (a *Async) refusal(value []byte) error {
	if a.closed.Load() {
		return ErrClosed
	}
	if len(value) > MaxValueSize {
		return ErrTooLarge
	}
	return a.failure()
}

// failure is what the inner log said when it refused an entry.
func (a *Async) failure() error {
	if failed := a.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// await returns once the inner log has the entries below next, or never will.
func (a *Async) await(next uint64) error {
	a.progress.Await(context.Background(), func() bool {
		return a.applied.Load() >= next || a.failed.Load() != nil
	})
	if a.applied.Load() >= next {
		return nil
	}
	return a.failure()
}

// own is the goroutine that hands the queue over. It ends with the log closed
// and everything handed over.
func (a *Async) own() {
	defer close(a.done)
	for {
		a.work.Await(context.Background(), func() bool { return a.left() > 0 || a.closed.Load() })
		a.handOver(func() bool { return len(a.waiting.ends) > 0 })
		if a.ended() {
			return
		}
	}
}

// ended reports whether the log is closed and everything was handed over. What no
// longer waits may be on its way: in the hands of one who found the queue full.
func (a *Async) ended() bool {
	a.handing <- struct{}{}
	defer func() { <-a.handing }()
	return a.closed.Load() && a.left() == 0
}

// left is how many entries wait. After a failure none counts.
func (a *Async) left() int {
	next := a.turn.Take()
	defer a.turn.Give(next)
	if a.failed.Load() != nil {
		return 0
	}
	return len(a.waiting.ends)
}

// handOver gives the inner log what is in the queue, if it is still worth it
// when those before are done: many may have found the queue full.
func (a *Async) handOver(worth func() bool) {
	a.handing <- struct{}{}
	defer func() { <-a.handing }()
	next := a.turn.Take()
	ok := worth()
	if ok {
		a.waiting, a.spare = a.spare, a.waiting
	}
	a.turn.Give(next)
	if !ok || a.failed.Load() != nil {
		return
	}
	err := errUnfinished
	defer func() {
		if err != nil {
			a.failed.Store(&err)
		}
		a.progress.Tell()
	}()
	err = a.apply(a.spare.split())
	a.spare.reset()
}

// errUnfinished says that a call of the inner log did not return: it panicked, or ended its goroutine.
var errUnfinished = errors.New("the inner log has not finished an append: what it has of it is not known")

func (a *Async) apply(values [][]byte) error {
	if inner, ok := a.inner.(interface {
		AppendBatch(values [][]byte) (uint64, error)
	}); ok && len(values) > 1 {
		first, err := inner.AppendBatch(values)
		return a.count(first, len(values), err)
	}
	for _, value := range values {
		index, err := a.inner.Append(value)
		if err := a.count(index, 1, err); err != nil {
			return err
		}
	}
	return nil
}

// count notes that the inner log has n more entries.
func (a *Async) count(index uint64, n int, err error) error {
	reserved := a.applied.Load()
	if err == nil && index != reserved {
		err = fmt.Errorf("apply entry %d: the inner log put it at %d: something else appends to it or truncates it, or it had entries and did not say so", reserved, index)
	}
	if err == nil {
		a.applied.Add(uint64(n))
	}
	return err
}
