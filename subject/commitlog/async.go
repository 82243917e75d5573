package commitlog

import (
	"fmt"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/internal/turn"
)

const (
	defaultQueue = 16384
	mostQueued   = 1 << 20   // entries, so that they fit into one batch
	queuedBytes  = 128 << 10 // values that may wait, whatever their number
)

// AsyncOptions are the settings of an Async; the zero value is useful.
type AsyncOptions struct {
	// Queue is how many entries may wait for the inner log before Append hands
	// them over itself; 0 means 16384, and more than 1048576 means that. As many
	// again may be on their way into it. Fewer may wait if their values have more
	// than 128 KiB.
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
// Close. They wait as long as the inner log does, and one that panics in the goroutine
// that hands entries over ends the process.
//
// It is for logs that make their appends wait. What has gathered goes into the inner log as one
// batch, if that has a method AppendBatch as File has: appends to a durable File share its flush. A
// Memory, and a File that is not durable, take an entry in less time than a queue does.
type Async struct {
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

// NewAsync returns a log that appends to inner, which nothing else may append
// to, truncate at its end or close any more: an entry is acknowledged with the index
// that it will have if nothing does. If inner has entries already, it must say so through
// a method Next() uint64, as the logs of this package do. A goroutine hands the queue
// over, and who finds it full; Close ends it.
func NewAsync(inner Log, options AsyncOptions) *Async {
	if options.Queue <= 0 {
		options.Queue = defaultQueue
	}
	a := &Async{inner: inner, limit: min(options.Queue, mostQueued), done: make(chan struct{}), handing: make(chan struct{}, 1)}
	if sized, ok := inner.(interface{ Next() uint64 }); ok {
		a.turn.Give(sized.Next())
		a.applied.Store(sized.Next())
	}
	go a.own()
	return a
}

// Append implements [Log]. It waits for the inner log only if the queue is full.
func (a *Async) Append(value []byte) (uint64, error) {
	for {
		index := a.turn.Take()
		if err := a.refusal(value); err != nil {
			a.turn.Give(index)
			return 0, appendError(index, err)
		}
		if !a.full() {
			n := len(a.waiting.ends)
			a.waiting.add(value)
			a.turn.Give(index + 1)
			if n == 0 {
				a.work.Tell()
			}
			return index, nil
		}
		a.turn.Give(index)
		a.handOver(a.full)
	}
}

// Get implements [Log]. It waits for an entry that is on its way.
func (a *Async) Get(index uint64) (Entry, error) {
	var err error
	switch {
	case a.closed.Load():
		err = ErrClosed
	case index >= a.turn.Next():
		err = ErrNotFound
	default:
		err = a.await(index + 1)
	}
	if err != nil {
		return Entry{}, getError(index, err)
	}
	return a.inner.Get(index)
}

// Flush waits until the inner log has every entry that was appended before: an inner log that
// is an Async, too, has them in its own queue then.
func (a *Async) Flush() error {
	err := ErrClosed
	if !a.closed.Load() {
		err = a.await(a.turn.Next())
	}
	if err != nil {
		return fmt.Errorf("flush log: %w", err)
	}
	return nil
}

// Next returns the index behind the last entry that was accepted.
func (a *Async) Next() uint64 { return a.turn.Next() }

// Close implements [Log]. It hands everything that was accepted to the inner
// log, closes that, and returns the first error either met.
func (a *Async) Close() error {
	next := a.turn.Take()
	closed := a.closed.Swap(true)
	a.turn.Give(next)
	if closed {
		return closeError(ErrClosed)
	}
	a.work.Tell()
	<-a.done
	if err := both(a.failure(), a.inner.Close()); err != nil {
		return closeError(err)
	}
	return nil
}
