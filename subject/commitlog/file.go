package commitlog

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// File is a log in a directory of segments. Order total, result linearizable,
// survives what its Durability says. One File at a time has a directory open
// for writing. It holds the directory that it opened: if that is moved, the log goes
// with it, and what is put in its place is left alone. A name that was relative is
// that of the working directory at opening; messages have it as it was given.
//
// An append that finds no space is undone and the log goes on, so that a full
// disk is an error like any other, and so is a moment without file descriptors.
// If the disk fails in another way, nobody knows what it holds: from then on every
// Append returns that error until the log is opened anew, while Get keeps serving
// what was acknowledged. Entries whose flush failed may be there after reopening,
// or not.
type File struct {
	intake

	dir      disk.Dir
	lock     io.Closer
	options  FileOptions
	recovery Recovery

	// These are taken in this order and before the turn, and any may be left out.
	shaping  sync.Mutex // held while segments are sealed or truncated
	flushing sync.Mutex // held while the disk is flushed
	building sync.Mutex // held while room for entries is made

	view  atomic.Pointer[view] // changes while the turn is held
	rest  atomic.Bool          // secureRest is due before the next append; changes while all locks are held
	safe  atomic.Uint64        // the entries below survive a power cut, but for those in doubt
	doubt atomic.Uint64        // those from here on opening had no space to make safe; unlimited if it had

	gone    []string // files that truncations of the prefix could not remove; guarded by all locks
	spare   stock    // the segment that comes next
	gather  gather   // of appends that share a flush
	named   int      // how many segments have a name that is safe; guarded by flushing
	metrics meter    // of flushes
	ticker  ticker   // flushes at intervals
	keeper  keeper   // prepares and seals segments beside the appends
	buf     []byte   // of records on their way to a file that is not mapped
}

// A view is the log's shape as readers see it. It never changes.
type view struct {
	shelves  shelves     // of the entries that every reader may see
	last     likelyShelf // of the last segment
	manifest manifest
	segments []*segment // in order; entries are added to the last one only
	cuts     []uint64   // where each TruncateSuffix cut, for readers
	closed   bool
}

func newFile(in *inspection, lock io.Closer, options FileOptions) *File {
	f := &File{dir: in.dir, lock: lock, options: options, recovery: in.cut}
	f.straight, f.whole = options.Durability != Always, fileFront{f}
	if options.Durability == Always && !options.cached {
		f.tail.ring = newRing(options)
	}
	f.view.Store(&view{shelves: noShelves, manifest: in.manifest, segments: in.segments})
	f.turn.Give(in.next)
	f.safe.Store(in.next) // opening has flushed them
	f.doubt.Store(unlimited)
	for _, s := range in.segments {
		if s.unsecured != nil {
			f.rest.Store(true)
			f.doubt.Store(min(f.doubt.Load(), s.base))
		}
		if s.sealed {
			f.tail.sealed = s.next()
			s.mapAll(s.size.Load())
			s.shelve()
		} else {
			s.mapRoom(max(s.size.Load(), options.SegmentSize))
			s.size.Store(s.end) // zeros of another process may have become holes since, by a copy
		}
	}
	if s := in.active(); s != nil && f.rest.Load() {
		f.tail.end = s.end // the next append finds space, or says that there is none
	} else if s != nil {
		f.follow(s)
	}
	f.reshape(func(*view) {}) // with its shelves
	if options.Durability == Interval {
		f.ticker.start(options.Interval, f.flushAll)
	}
	if !options.alone {
		f.keeper.start(f.keep)
	}
	return f
}

// Recovery tells what opening found at the end of the log and cut off.
func (f *File) Recovery() Recovery { return f.recovery }

// First returns the index of the first entry that was not truncated; of the
// next one to be appended if there is none.
func (f *File) First() uint64 { return f.view.Load().manifest.first }

// Next returns the index behind the last entry that Get shows.
func (f *File) Next() uint64 {
	if f.options.Durability == Always {
		return f.safe.Load()
	}
	return f.turn.Next()
}

// Append implements [Log].
func (f *File) Append(value []byte) (uint64, error) {
	if f.straight {
		if index, ok := f.store(value); ok {
			return index, nil
		}
	}
	one := [1][]byte{value}
	return f.AppendBatch(one[:])
}

// AppendBatch adds values to the end of the log as one: they get consecutive
// indexes, of which it returns the first, become visible at once, and after a
// crash all of them are there or none. An empty batch adds nothing and gets
// the index that the next append will have.
//
// It returns what Append returns. A batch whose records take more than
// MaxBatchSize bytes is ErrTooLarge.
func (f *File) AppendBatch(values [][]byte) (first uint64, err error) {
	first, b, leads, err := f.write(values)
	if err == nil && b != nil {
		err = f.commit(b, leads)
	}
	if err != nil {
		return 0, appendError(first, err)
	}
	f.news.Tell()
	return first, nil
}

// batchSize returns the bytes that the records of values take.
func batchSize(values [][]byte) (int64, error) {
	size := int64(0)
	for _, value := range values {
		if len(value) > MaxValueSize {
			return 0, ErrTooLarge
		}
		if size += recordSize(len(value)); size > MaxBatchSize {
			return 0, ErrTooLarge
		}
	}
	return size, nil
}

// write puts the records into the log's order and, unless the log is durable,
// hands them to the operating system. Otherwise it returns the batch to be
// waited for. The index it returns is the one the first value has, or would
// have had.
func (f *File) write(values [][]byte) (first uint64, b *batch, leads bool, err error) {
	size, err := batchSize(values)
	for {
		first = f.turn.Take()
		if refused := f.usable(); refused != nil {
			err = refused
		}
		if err != nil || len(values) == 0 {
			f.turn.Give(first)
			return first, nil, false, err
		}
		if f.tail.fits(size) {
			break
		}
		f.turn.Give(first)
		err = f.makeRoom(size)
	}
	if f.options.Durability == Always {
		b, leads = f.enqueue(first, values)
	} else {
		err = f.put(first, values, size)
	}
	next := first
	if err == nil {
		next += uint64(len(values))
	}
	f.turn.Give(next)
	return first, b, leads, err
}

// usable returns the error that any change of the log must return.
func (f *File) usable() error {
	if f.view.Load().closed {
		return ErrClosed
	}
	if failed := f.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}

// orStop ends the log if err says that the disk cannot be trusted any more.
func (f *File) orStop(err error) error {
	if err != nil && isFlushError(err) {
		return f.stop(err)
	}
	return err
}

// stop makes cause, or the first one there was, the answer to every append.
func (f *File) stop(cause error) error {
	stopped := fmt.Errorf("log has stopped: %w", cause)
	f.failed.CompareAndSwap(nil, &stopped)
	return *f.failed.Load()
}

// raise makes a counter at least n.
func raise(counter *atomic.Uint64, n uint64) {
	for {
		old := counter.Load()
		if old >= n || counter.CompareAndSwap(old, n) {
			return
		}
	}
}
