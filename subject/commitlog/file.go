package commitlog

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// keptBuffer is the most memory a File keeps from one append to the next.
const keptBuffer = 1 << 20

// File is a log in a directory of segments. Order total, result linearizable,
// survives what its Durability says. One File at a time has a directory open
// for writing.
//
// A failed append is undone and the log goes on, so that a full disk is an
// error like any other. If undoing fails, or if a flush fails, nobody knows
// what the disk holds: from then on every Append returns that error until the
// log is opened anew, while Get keeps serving what was acknowledged. Entries
// whose flush failed may be there after reopening, or not.
type File struct {
	dir      disk.Dir
	lock     io.Closer
	options  FileOptions
	recovery Recovery

	// mu guards what the log is made of. It may be taken while flushing is
	// held, and never the other way round.
	mu       sync.RWMutex
	manifest manifest
	segments []*segment // in order; only the last one may be unsealed
	cuts     []uint64   // where each TruncateSuffix cut, for readers
	marked   uint64     // what the newest mark says, or sealing proved
	buf      []byte
	closed   bool

	flushing sync.Mutex            // held while the disk is flushed
	appended atomic.Uint64         // the index the next append gets
	safe     atomic.Uint64         // the entries below survive a power cut
	failed   atomic.Pointer[error] // once set, no append may succeed

	news    news // wakes readers that wait for an entry
	metrics meter
	ticker  ticker // flushes at intervals
}

func newFile(in *inspection, lock io.Closer, options FileOptions) *File {
	f := &File{
		dir: in.dir, lock: lock, options: options, recovery: in.cut,
		manifest: in.manifest, segments: in.segments,
	}
	f.appended.Store(in.next)
	f.safe.Store(in.next) // opening has flushed them
	if options.Durability == Interval {
		f.ticker.start(options.Interval, f.flushAll)
	}
	return f
}

// Recovery tells what opening found at the end of the log and cut off.
func (f *File) Recovery() Recovery { return f.recovery }

// First returns the index of the first entry that was not truncated; of the
// next one to be appended if there is none.
func (f *File) First() uint64 {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.manifest.first
}

// Next returns the index behind the last entry that Get shows.
func (f *File) Next() uint64 {
	if f.options.Durability == Always {
		return f.safe.Load()
	}
	return f.appended.Load()
}

// Append implements [Log].
func (f *File) Append(value []byte) (uint64, error) {
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
	first, err = f.write(values)
	if err == nil && f.options.Durability == Always {
		err = f.flush(first + uint64(len(values)))
	}
	if err != nil {
		return 0, appendError(first, err)
	}
	f.news.tell()
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

// write hands the records to the operating system. The index it returns is
// the one the first value has, or would have had.
func (f *File) write(values [][]byte) (uint64, error) {
	size, err := batchSize(values)
	f.mu.Lock()
	defer f.mu.Unlock()
	first := f.appended.Load()
	if err == nil {
		err = f.usable()
	}
	if err != nil || len(values) == 0 {
		return first, err
	}
	s, err := f.room(size)
	if err == nil {
		err = f.put(s, first, values)
	}
	return first, f.orStop(err)
}

// usable returns the error that any change of the log must return.
func (f *File) usable() error {
	if f.closed {
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

// active returns the segment that is written to, or nil.
func (f *File) active() *segment {
	if n := len(f.segments); n > 0 && !f.segments[n-1].sealed {
		return f.segments[n-1]
	}
	return nil
}

// room returns the active segment with room for size bytes of records and a
// mark. If it fails, nothing is lost and the next append tries again.
func (f *File) room(size int64) (*segment, error) {
	size += markSize
	s := f.active()
	if s != nil && s.end+size > f.options.SegmentSize && s.entries() > 0 {
		if err := f.seal(s); err != nil {
			return nil, err
		}
		s = nil
	}
	if s == nil {
		return f.grow(size)
	}
	return s, f.prepare(s, s.end+size)
}

func (f *File) seal(s *segment) error {
	if err := f.timed(s.seal); err != nil {
		return fmt.Errorf("seal segment: %w", err)
	}
	f.marked = s.next()
	raise(&f.safe, s.next())
	return nil
}

// grow adds a segment with room for size bytes.
func (f *File) grow(size int64) (*segment, error) {
	h := header{id: f.manifest.id, base: f.appended.Load(), salt: f.options.salt()}
	s, err := createSegment(f.dir, h, recordsStart+size, f.options.preparation())
	if err != nil {
		return nil, fmt.Errorf("create segment: %w", err)
	}
	f.segments = append(f.segments, s)
	return s, nil
}

// prepare makes the segment ready up to the offset end.
func (f *File) prepare(s *segment, end int64) error {
	if err := s.prepare(end, min(s.size+f.options.preparation(), f.options.SegmentSize)); err != nil {
		return fmt.Errorf("prepare segment: %w", err)
	}
	return nil
}

// put writes the records of a batch behind the segment's last one, after a
// mark if there is something new to say.
func (f *File) put(s *segment, first uint64, values [][]byte) error {
	start, safe := len(s.offsets), f.safe.Load()
	f.buf = f.buf[:0]
	if safe > f.marked {
		f.buf = appendMark(f.buf, s.seed, first, safe)
	}
	for i, value := range values {
		s.offsets = append(s.offsets, uint32(s.end+int64(len(f.buf))))
		f.buf = appendRecord(f.buf, s.seed, entryKind, i < len(values)-1, first+uint64(i), value)
	}
	if err := f.writeBuffer(s); err != nil {
		s.offsets = s.offsets[:start]
		return err
	}
	f.marked = max(f.marked, safe)
	f.appended.Store(first + uint64(len(values)))
	return nil
}

// writeBuffer writes f.buf at the segment's end.
func (f *File) writeBuffer(s *segment) error {
	size := int64(len(f.buf))
	_, err := s.file.WriteAt(f.buf, s.end)
	if cap(f.buf) > keptBuffer {
		f.buf = nil
	}
	if err != nil {
		return f.undo(s, size, err)
	}
	s.end += size
	return nil
}

// undo removes what a failed write of size bytes may have left behind the last
// record: a part of it could one day stand behind a record that took its place.
func (f *File) undo(s *segment, size int64, cause error) error {
	if err := writeZeros(s.file, s.end, s.end+size); err != nil {
		return f.stop(fmt.Errorf("%w; and undoing it: %w", cause, err))
	}
	return cause
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
