package commitlog

import "fmt"

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

	queued bool // a test's: even where nobody waits
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
// A Memory, and a File whose appends wait for no flush, take an entry in less
// time than a queue does (BenchmarkAsync). Before these there is none: an append
// goes straight to them, and what it returns is theirs.
type Async struct{ whole front }

// A front is an inner log, or the queue before it.
type front interface {
	Log
	Flush() error
	Next() uint64
}

// NewAsync returns a log that appends to inner, which nothing else may append
// to, truncate at its end or close any more: an entry is acknowledged with the index
// that it will have if nothing does. If inner has entries already, it must say so through
// a method Next() uint64, as the logs of this package do.
func NewAsync(inner Log, options AsyncOptions) *Async {
	if options.Queue <= 0 {
		options.Queue = defaultQueue
	}
	if !options.queued {
		switch inner := inner.(type) {
		case *Memory:
			return &Async{whole: memoryFront{inner}}
		case *File:
			if !inner.durable() {
				return &Async{whole: fileFront{inner}}
			}
		}
	}
	return &Async{whole: newQueue(inner, options.Queue)}
}

// Append implements [Log]. Where there is a queue, it waits for the inner log
// only if that is full.
func (a *Async) Append(value []byte) (uint64, error) { return a.whole.Append(value) }

// Get implements [Log]. It waits for an entry that is on its way.
func (a *Async) Get(index uint64) (Entry, error) { return a.whole.Get(index) }

// Flush waits until the inner log has every entry that was appended before.
func (a *Async) Flush() error {
	if err := a.whole.Flush(); err != nil {
		return fmt.Errorf("flush log: %w", err)
	}
	return nil
}

// Next returns the index behind the last entry that was accepted.
func (a *Async) Next() uint64 { return a.whole.Next() }

// Close implements [Log]. It hands everything that was accepted to the inner
// log, closes that, and returns the first error either met.
func (a *Async) Close() error { return a.whole.Close() }

// A memoryFront has nothing to flush.
type memoryFront struct{ *Memory }

func (m memoryFront) Flush() error {
	next := m.turn.Take()
	defer m.turn.Give(next)
	if m.closed {
		return ErrClosed
	}
	return nil
}

// A fileFront has nothing to flush; a log that has stopped says so.
type fileFront struct{ *File }

func (f fileFront) Flush() error { return f.usable() }
