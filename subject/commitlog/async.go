package commitlog

import (
	"fmt"
	"sync"
	"sync/atomic"
)

const defaultQueue = 1024

// AsyncOptions are the settings of an Async; the zero value is useful.
type AsyncOptions struct {
	// Queue is how many entries may wait for the inner log before Append
	// blocks; 0 means 1024. As many again may be on their way into it. It
	// counts entries, not bytes.
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
// One goroutine owns the inner log's writing side. Close ends it. Since it
// appends one entry at a time, appends to a Durable file share no flush here:
// Async hides what they cost and does not lower it.
type Async struct {
	inner Log
	limit int
	done  chan struct{} // closed when the owner has ended

	applied atomic.Uint64 // how many entries the inner log has
	waiting atomic.Int64  // how many wait for applied to grow

	mu       sync.Mutex
	room     sync.Cond // the queue was taken, or the log ended
	work     sync.Cond // the queue is no longer empty, or the log ended
	progress sync.Cond // applied has grown, or the log failed
	queue    run
	next     uint64 // the index the next Append gets
	failed   error
	closed   bool
}

// A run is values in one piece of memory.
type run struct {
	bytes []byte
	ends  []int // where each value ends in bytes
}

func (b *run) add(value []byte) {
	b.bytes = append(b.bytes, value...)
	b.ends = append(b.ends, len(b.bytes))
}

// reset empties the run and gives back memory that one burst needed.
func (b *run) reset() {
	if cap(b.bytes) > keptBuffer {
		b.bytes = nil
	}
	b.bytes, b.ends = b.bytes[:0], b.ends[:0]
}

// NewAsync returns a log that appends to inner, which nothing else may append
// to or close any more. If inner has entries already, it must say so through
// a method Next() uint64, as the logs of this package do.
func NewAsync(inner Log, options AsyncOptions) *Async {
	a := &Async{inner: inner, limit: options.Queue, done: make(chan struct{})}
	if a.limit <= 0 {
		a.limit = defaultQueue
	}
	a.room.L, a.work.L, a.progress.L = &a.mu, &a.mu, &a.mu
	if sized, ok := inner.(interface{ Next() uint64 }); ok {
		a.next = sized.Next()
		a.applied.Store(a.next)
	}
	go a.own()
	return a
}

// Append implements [Log]. It blocks only while the queue is full.
func (a *Async) Append(value []byte) (uint64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.queue.ends) >= a.limit && a.failed == nil && !a.closed {
		a.room.Wait()
	}
	index := a.next
	switch {
	case a.closed:
		return 0, appendError(index, ErrClosed)
	case len(value) > MaxValueSize:
		return 0, appendError(index, ErrTooLarge)
	case a.failed != nil:
		return 0, appendError(index, a.failed)
	}
	a.queue.add(value)
	a.next++
	if len(a.queue.ends) == 1 {
		a.work.Signal()
	}
	return index, nil
}

// Get implements [Log]. It waits for an entry that is on its way.
func (a *Async) Get(index uint64) (Entry, error) {
	a.mu.Lock()
	var err error
	switch {
	case a.closed:
		err = ErrClosed
	case index >= a.next:
		err = ErrNotFound
	default:
		err = a.await(index)
	}
	a.mu.Unlock()
	if err != nil {
		return Entry{}, getError(index, err)
	}
	return a.inner.Get(index)
}

// Flush waits until the inner log has every entry that was appended before.
func (a *Async) Flush() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return fmt.Errorf("flush log: %w", ErrClosed)
	}
	if a.next == 0 {
		return nil
	}
	if err := a.await(a.next - 1); err != nil {
		return fmt.Errorf("flush log: %w", err)
	}
	return nil
}

// await returns once the inner log has the entry at index, or never will.
// a.mu is held.
func (a *Async) await(index uint64) error {
	a.waiting.Add(1)
	defer a.waiting.Add(-1)
	for a.applied.Load() <= index {
		if a.failed != nil {
			return a.failed
		}
		a.progress.Wait()
	}
	return nil
}

// Next returns the index behind the last entry that was accepted.
func (a *Async) Next() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.next
}

// Close implements [Log]. It hands everything that was accepted to the inner
// log, closes that, and returns the first error either met.
func (a *Async) Close() error {
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		return closeError(ErrClosed)
	}
	a.closed = true
	a.room.Broadcast()
	a.work.Signal()
	a.mu.Unlock()

	<-a.done
	if err := both(a.failed, a.inner.Close()); err != nil {
		return closeError(err)
	}
	return nil
}

// own is the goroutine that appends to the inner log. It ends with the log
// closed and the queue empty, or with the first error.
func (a *Async) own() {
	defer close(a.done)
	var taken run
	for a.take(&taken) {
		if err := a.apply(&taken); err != nil {
			a.fail(err)
			return
		}
	}
}

// take waits for entries and swaps the whole queue for the batch that has
// been dealt with. It reports false when none will come.
func (a *Async) take(dealt *run) bool {
	dealt.reset()
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.queue.ends) == 0 && !a.closed {
		a.work.Wait()
	}
	a.queue, *dealt = *dealt, a.queue
	a.room.Broadcast()
	return len(dealt.ends) > 0
}

func (a *Async) apply(taken *run) error {
	start := 0
	for _, end := range taken.ends {
		reserved := a.applied.Load()
		index, err := a.inner.Append(taken.bytes[start:end:end])
		if err != nil {
			return err
		}
		if index != reserved {
			return fmt.Errorf("apply entry %d: the inner log put it at %d: something else appends to it, or it had entries and did not say so", reserved, index)
		}
		a.advance(reserved + 1)
		start = end
	}
	return nil
}

// advance publishes that the inner log has n entries. A waiter counts itself
// before it looks at applied, so that one of the two sees the other.
func (a *Async) advance(n uint64) {
	a.applied.Store(n)
	if a.waiting.Load() > 0 {
		a.mu.Lock()
		a.progress.Broadcast()
		a.mu.Unlock()
	}
}

func (a *Async) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failed = err
	a.queue = run{}
	a.room.Broadcast()
	a.progress.Broadcast()
}
