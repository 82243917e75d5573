package commitlog

import (
	"context"
	"fmt"
	"sync/atomic"
)

const (
	defaultQueue = 16384
	queuedBytes  = 128 << 10 // values that may wait, whatever their number
)

// AsyncOptions are the settings of an Async; the zero value is useful.
type AsyncOptions struct {
	// Queue is how many entries may wait for the inner log before Append hands
	// them over itself; 0 means 16384. As many again may be on their way into
	// it. Fewer may wait if their values have more than 128 KiB.
	Queue int
}

// Async puts a queue before another log: Append reserves an index, copies the
// value into the queue and returns before the inner log has seen it. Order
// total, result linearizable, survives nothing: an acknowledged append
// survives nothing, whatever the inner log promises, until Flush or Close has
// returned nil.
//
// Get of an index that was handed out waits for its entry. After an error of
// the inner log, the entry it struck and all later ones are lost: their Get,
// every Append and every Flush return that error from then on, and so does
// Close.
//
// What has gathered in the queue goes into the inner log as one batch, if that
// has a method AppendBatch as File has: appends to a durable File share its
// flush. A goroutine does that, and who finds the queue full. Close ends it.
type Async struct {
	inner Log
	limit int
	done  chan struct{} // closed when the goroutine has ended

	turn   turn // guards queue, and closed where an entry must not be added
	queue  run
	closed atomic.Bool
	failed atomic.Pointer[error]

	handing chan struct{} // has room for the one who hands the queue to the inner log
	spare   run           // what is filled while the queue is handed over
	applied atomic.Uint64 // how many entries the inner log has

	work     news // the queue is no longer empty, or the log was closed
	progress news // applied has grown, or the log failed
}

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
		r.bytes = nil
	}
	r.bytes, r.ends = r.bytes[:0], r.ends[:0]
}

// NewAsync returns a log that appends to inner, which nothing else may append
// to or close any more. If inner has entries already, it must say so through
// a method Next() uint64, as the logs of this package do.
func NewAsync(inner Log, options AsyncOptions) *Async {
	a := &Async{inner: inner, limit: options.Queue, done: make(chan struct{}), handing: make(chan struct{}, 1)}
	if a.limit <= 0 {
		a.limit = defaultQueue
	}
	if sized, ok := inner.(interface{ Next() uint64 }); ok {
		a.turn.give(sized.Next())
		a.applied.Store(sized.Next())
	}
	go a.own()
	return a
}

// Append implements [Log]. It waits for the inner log only if the queue is
// full.
func (a *Async) Append(value []byte) (uint64, error) {
	for {
		index := a.turn.take()
		if err := a.refusal(value); err != nil {
			a.turn.give(index)
			return 0, appendError(index, err)
		}
		if !a.full() {
			n := len(a.queue.ends)
			a.queue.add(value)
			a.turn.give(index + 1)
			if n == 0 {
				a.work.tell()
			}
			return index, nil
		}
		a.turn.give(index)
		a.handOver(a.full)
	}
}

// full reports whether nothing more may wait. The turn is held.
func (a *Async) full() bool {
	return len(a.queue.ends) >= a.limit || len(a.queue.bytes) >= queuedBytes
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

// Get implements [Log]. It waits for an entry that is on its way.
func (a *Async) Get(index uint64) (Entry, error) {
	var err error
	switch {
	case a.closed.Load():
		err = ErrClosed
	case index >= a.turn.next():
		err = ErrNotFound
	default:
		err = a.await(index + 1)
	}
	if err != nil {
		return Entry{}, getError(index, err)
	}
	return a.inner.Get(index)
}

// Flush waits until the inner log has every entry that was appended before.
func (a *Async) Flush() error {
	err := ErrClosed
	if !a.closed.Load() {
		err = a.await(a.turn.next())
	}
	if err != nil {
		return fmt.Errorf("flush log: %w", err)
	}
	return nil
}

// await returns once the inner log has the entries below next, or never will.
func (a *Async) await(next uint64) error {
	a.progress.await(context.Background(), func() bool {
		return a.applied.Load() >= next || a.failed.Load() != nil
	})
	if a.applied.Load() >= next {
		return nil
	}
	return a.failure()
}

// Next returns the index behind the last entry that was accepted.
func (a *Async) Next() uint64 { return a.turn.next() }

// Close implements [Log]. It hands everything that was accepted to the inner
// log, closes that, and returns the first error either met.
func (a *Async) Close() error {
	next := a.turn.take()
	closed := a.closed.Swap(true)
	a.turn.give(next)
	if closed {
		return closeError(ErrClosed)
	}
	a.work.tell()
	<-a.done
	if err := both(a.failure(), a.inner.Close()); err != nil {
		return closeError(err)
	}
	return nil
}

// own is the goroutine that hands the queue over. It ends with the log closed
// and everything handed over.
func (a *Async) own() {
	defer close(a.done)
	for {
		a.work.await(context.Background(), func() bool { return a.waiting() > 0 || a.closed.Load() })
		a.handOver(func() bool { return len(a.queue.ends) > 0 })
		if a.closed.Load() && a.waiting() == 0 {
			return
		}
	}
}

// waiting is how many entries are in the queue. After a failure none counts.
func (a *Async) waiting() int {
	next := a.turn.take()
	defer a.turn.give(next)
	if a.failed.Load() != nil {
		return 0
	}
	return len(a.queue.ends)
}

// handOver gives the inner log what is in the queue, if it is still worth it
// when those before are done: many may have found the queue full.
func (a *Async) handOver(worth func() bool) {
	a.handing <- struct{}{}
	defer func() { <-a.handing }()
	a.spare.reset()
	next := a.turn.take()
	ok := worth()
	if ok {
		a.queue, a.spare = a.spare, a.queue
	}
	a.turn.give(next)
	if !ok || a.failed.Load() != nil {
		return
	}
	if err := a.apply(a.spare.split()); err != nil {
		a.failed.Store(&err)
	}
	a.progress.tell()
}

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
		err = fmt.Errorf("apply entry %d: the inner log put it at %d: something else appends to it, or it had entries and did not say so", reserved, index)
	}
	if err == nil {
		a.applied.Add(uint64(n))
	}
	return err
}
