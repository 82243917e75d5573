package commitlog

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/internal/turn"
)

// A queue is an Async before a log that may make its appends wait. What has
// gathered in it goes into that log as one batch, if it has a method AppendBatch
// as File has: appends to a durable File share its flush. A goroutine does that,
// and who finds the queue full. Close ends it.
type queue struct {
	inner Log
	limit int
	done  chan struct{} // closed when the goroutine has ended

	turn    turn.Turn // guards waiting, and closed where an entry must not be added
	waiting run
	closed  atomic.Bool
	failed  atomic.Pointer[error]

	handing chan struct{} // has room for the one who hands over what waits
	spare   run           // what is filled meanwhile
	applied atomic.Uint64 // how many entries the inner log has

	work     turn.News // something waits, or the log was closed
	progress turn.News // applied has grown, or the log failed
}

func newQueue(inner Log, limit int) *queue {
	q := &queue{inner: inner, limit: min(limit, mostQueued), done: make(chan struct{}), handing: make(chan struct{}, 1)}
	if sized, ok := inner.(interface{ Next() uint64 }); ok {
		q.turn.Give(sized.Next())
		q.applied.Store(sized.Next())
	}
	go q.own()
	return q
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

func (q *queue) Append(value []byte) (uint64, error) {
	for {
		index := q.turn.Take()
		if err := q.refusal(value); err != nil {
			q.turn.Give(index)
			return 0, appendError(index, err)
		}
		if !q.full() {
			n := len(q.waiting.ends)
			q.waiting.add(value)
			q.turn.Give(index + 1)
			if n == 0 {
				q.work.Tell()
			}
			return index, nil
		}
		q.turn.Give(index)
		q.handOver(q.full)
	}
}

// full reports whether nothing more may wait. The turn is held.
func (q *queue) full() bool {
	return len(q.waiting.ends) >= q.limit || len(q.waiting.bytes) >= queuedBytes
}

// refusal says why a value is not appended, if so. The turn is held.
func (q *queue) refusal(value []byte) error {
	if q.closed.Load() {
		return ErrClosed
	}
	if len(value) > MaxValueSize {
		return ErrTooLarge
	}
	return q.failure()
}

// failure is what the inner log said when it refused an entry.
func (q *queue) failure() error {
	if failed := q.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

func (q *queue) Get(index uint64) (Entry, error) {
	var err error
	switch {
	case q.closed.Load():
		err = ErrClosed
	case index >= q.turn.Next():
		err = ErrNotFound
	default:
		err = q.await(index + 1)
	}
	if err != nil {
		return Entry{}, getError(index, err)
	}
	return q.inner.Get(index)
}

func (q *queue) Flush() error {
	if q.closed.Load() {
		return ErrClosed
	}
	return q.await(q.turn.Next())
}

// await returns once the inner log has the entries below next, or never will.
func (q *queue) await(next uint64) error {
	q.progress.Await(context.Background(), func() bool {
		return q.applied.Load() >= next || q.failed.Load() != nil
	})
	if q.applied.Load() >= next {
		return nil
	}
	return q.failure()
}

func (q *queue) Next() uint64 { return q.turn.Next() }

func (q *queue) Close() error {
	next := q.turn.Take()
	closed := q.closed.Swap(true)
	q.turn.Give(next)
	if closed {
		return closeError(ErrClosed)
	}
	q.work.Tell()
	<-q.done
	if err := both(q.failure(), q.inner.Close()); err != nil {
		return closeError(err)
	}
	return nil
}

// own is the goroutine that hands the queue over. It ends with the log closed
// and everything handed over.
func (q *queue) own() {
	defer close(q.done)
	for {
		q.work.Await(context.Background(), func() bool { return q.left() > 0 || q.closed.Load() })
		q.handOver(func() bool { return len(q.waiting.ends) > 0 })
		if q.ended() {
			return
		}
	}
}

// ended reports whether the log is closed and everything was handed over. What no
// longer waits may be on its way: in the hands of one who found the queue full.
func (q *queue) ended() bool {
	q.handing <- struct{}{}
	defer func() { <-q.handing }()
	return q.closed.Load() && q.left() == 0
}

// left is how many entries wait. After a failure none counts.
func (q *queue) left() int {
	next := q.turn.Take()
	defer q.turn.Give(next)
	if q.failed.Load() != nil {
		return 0
	}
	return len(q.waiting.ends)
}

// handOver gives the inner log what is in the queue, if it is still worth it
// when those before are done: many may have found the queue full.
func (q *queue) handOver(worth func() bool) {
	q.handing <- struct{}{}
	defer func() { <-q.handing }()
	q.spare.reset()
	next := q.turn.Take()
	ok := worth()
	if ok {
		q.waiting, q.spare = q.spare, q.waiting
	}
	q.turn.Give(next)
	if !ok || q.failed.Load() != nil {
		return
	}
	if err := q.apply(q.spare.split()); err != nil {
		q.failed.Store(&err)
	}
	q.progress.Tell()
}

func (q *queue) apply(values [][]byte) error {
	if inner, ok := q.inner.(interface {
		AppendBatch(values [][]byte) (uint64, error)
	}); ok && len(values) > 1 {
		first, err := inner.AppendBatch(values)
		return q.count(first, len(values), err)
	}
	for _, value := range values {
		index, err := q.inner.Append(value)
		if err := q.count(index, 1, err); err != nil {
			return err
		}
	}
	return nil
}

// count notes that the inner log has n more entries.
func (q *queue) count(index uint64, n int, err error) error {
	reserved := q.applied.Load()
	if err == nil && index != reserved {
		err = fmt.Errorf("apply entry %d: the inner log put it at %d: something else appends to it or truncates it, or it had entries and did not say so", reserved, index)
	}
	if err == nil {
		q.applied.Add(uint64(n))
	}
	return err
}
