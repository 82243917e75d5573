package commitlog

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"sync"
	"sync/atomic"
)

// keptBuffer is the most memory a File keeps from one append to the next.
const keptBuffer = 1 << 20

// FileOptions are the settings of a File; the zero value is useful.
type FileOptions struct {
	// Durable makes every Append wait until its entry would survive a power
	// cut. Appends that wait at the same time share one flush of the disk.
	Durable bool
}

// File is a log in one file. Order total, result linearizable, survives
// process-crash, or power-cut if it is Durable. Nothing may write to the file
// but one File at a time.
//
// A failed append is undone and the log goes on, so that a full disk is an
// error like any other. If undoing fails, or if a flush fails, nobody knows
// what the disk holds: from then on every Append returns that error until the
// log is opened anew, while Get keeps serving what was acknowledged. Entries
// whose flush failed may be there after reopening, or not.
type File struct {
	path    string
	durable bool
	disk    storage
	salt    uint64

	mu      sync.RWMutex
	offsets []int64 // where each record starts
	end     int64   // where the next one will
	buf     []byte
	failed  error // once set, no append may succeed
	closed  bool

	flushing sync.Mutex    // held while the disk is flushed
	safe     atomic.Uint64 // how many entries are as safe as promised: Get shows no others
}

// OpenFile opens the log at path and creates it if there is none. It reads
// the whole file and verifies every checksum.
//
// A record at the end that a crash left unfinished was never acknowledged and
// is cut off. Damage before an entry that was already safe is a *CorruptError
// instead, and so is a file of another kind; the file is then left untouched.
// Damage to the very last records cannot be told from an unfinished write.
func OpenFile(path string, options FileOptions) (*File, error) {
	disk, err := openOSFile(path)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return openStorage(path, disk, options)
}

// openStorage is OpenFile on any disk, which it closes if it fails.
func openStorage(path string, disk storage, options FileOptions) (*File, error) {
	found, err := readLog(path, disk, options.Durable)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", both(err, disk.Close()))
	}
	f := &File{path: path, durable: options.Durable, disk: disk, salt: found.salt, offsets: found.offsets, end: found.end}
	f.safe.Store(uint64(len(found.offsets)))
	return f, nil
}

// readLog makes the file one that ends behind its last intact record.
func readLog(path string, disk storage, durable bool) (*recovery, error) {
	r := &recovery{path: path}
	if err := r.begin(disk); err != nil {
		return nil, err
	}
	if err := r.scan(disk); err != nil {
		return nil, err
	}
	if err := r.checkTail(disk); err != nil {
		return nil, err
	}
	if r.end < r.size {
		if err := disk.Truncate(r.end); err != nil {
			return nil, err
		}
	}
	if !durable {
		return r, nil
	}
	// What is served from here on must be safe, whoever wrote it.
	if err := disk.Sync(); err != nil {
		return nil, err
	}
	return r, disk.SyncName()
}

// begin reads the file's header, or writes it where there is none yet.
func (r *recovery) begin(disk storage) error {
	size, err := disk.Size()
	if err != nil {
		return err
	}
	head := make([]byte, min(size, fileHeaderSize))
	if _, err := disk.ReadAt(head, 0); err != nil && unlessEnd(err) != nil {
		return err
	}
	r.size, r.end = size, fileHeaderSize
	salt, reason := parseFileHeader(head)
	if reason != "" && size <= fileHeaderSize && unfinishedHeader(head) {
		return r.create(disk)
	}
	if reason != "" {
		return &CorruptError{Path: r.path, Reason: reason}
	}
	r.salt = salt
	return nil
}

func (r *recovery) create(disk storage) error {
	var seed [8]byte
	rand.Read(seed[:]) // never fails
	r.salt, r.size = binary.LittleEndian.Uint64(seed[:]), fileHeaderSize
	_, err := disk.WriteAt(newFileHeader(r.salt), 0)
	return err
}

// Append implements [Log].
func (f *File) Append(value []byte) (uint64, error) {
	index, err := f.write(value)
	if err == nil && f.durable {
		err = f.flush(index)
	}
	if err != nil {
		return 0, appendError(index, err)
	}
	return index, nil
}

// write hands the record to the operating system. The index it returns is
// the one the value has, or would have had.
func (f *File) write(value []byte) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	index := uint64(len(f.offsets))
	switch {
	case f.closed:
		return index, ErrClosed
	case len(value) > MaxValueSize:
		return index, ErrTooLarge
	case f.failed != nil:
		return index, f.failed
	}
	lag := min(index-f.safe.Load(), math.MaxUint32)
	f.buf = appendRecord(f.buf[:0], f.salt, index, uint32(lag), value)
	size := int64(len(f.buf))
	_, err := f.disk.WriteAt(f.buf, f.end)
	if cap(f.buf) > keptBuffer {
		f.buf = nil
	}
	if err != nil {
		return index, f.undo(err)
	}
	f.offsets = append(f.offsets, f.end)
	f.end += size
	if !f.durable {
		f.safe.Store(index + 1)
	}
	return index, nil
}

// undo removes what a failed write may have left behind the last record.
func (f *File) undo(cause error) error {
	if err := f.disk.Truncate(f.end); err != nil {
		f.failed = fmt.Errorf("log has stopped: %w; and undoing it: %w", cause, err)
		return f.failed
	}
	return cause
}

// flush returns once the entry at index is safe. Whoever comes first flushes
// for all that were written by then; the others find it done.
func (f *File) flush(index uint64) error {
	f.flushing.Lock()
	defer f.flushing.Unlock()
	if f.safe.Load() > index {
		return nil
	}
	f.mu.RLock()
	written, failed := uint64(len(f.offsets)), f.failed
	f.mu.RUnlock()
	if failed != nil {
		return failed
	}
	if err := f.disk.Sync(); err != nil {
		return f.stop(err)
	}
	f.safe.Store(written)
	return nil
}

// stop is what a failed flush ends in: the system may have dropped the data
// and would report the next flush as good.
func (f *File) stop(cause error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed == nil {
		f.failed = fmt.Errorf("log has stopped: %w", cause)
	}
	return f.failed
}

// Get implements [Log]. It reads the file and verifies the checksum.
func (f *File) Get(index uint64) (Entry, error) {
	start, size, err := f.locate(index)
	if err != nil {
		return Entry{}, getError(index, err)
	}
	record := make([]byte, size)
	if _, err := f.disk.ReadAt(record, start); errors.Is(err, fs.ErrClosed) {
		return Entry{}, getError(index, ErrClosed)
	} else if unlessEnd(err) != nil {
		return Entry{}, getError(index, err)
	}
	value := record[recordHeaderSize:]
	h, ok := parseRecordHeader(f.salt, record)
	if !ok || h.index != index || int(h.length) != len(value) || h.valueSum != checksum(value) {
		corrupt := &CorruptError{Path: f.path, Index: index, Offset: start, Reason: "checksum does not match"}
		return Entry{}, getError(index, corrupt)
	}
	return Entry{Index: index, Value: value}, nil
}

// locate returns where the record at index starts, and its size.
func (f *File) locate(index uint64) (start, size int64, err error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.closed {
		return 0, 0, ErrClosed
	}
	if index >= f.safe.Load() {
		return 0, 0, ErrNotFound
	}
	end := f.end
	if next := index + 1; next < uint64(len(f.offsets)) {
		end = f.offsets[next]
	}
	start = f.offsets[index]
	return start, end - start, nil
}

// Len returns the number of entries that Get shows.
func (f *File) Len() uint64 { return f.safe.Load() }

// Close implements [Log]. Appends that are under way are finished first, each
// with its promise.
func (f *File) Close() error {
	written, err := f.refuse()
	if err != nil {
		return closeError(err)
	}
	if f.durable && written > 0 {
		err = f.flush(written - 1)
	}
	f.flushing.Lock()
	defer f.flushing.Unlock()
	if err = both(err, f.disk.Close()); err != nil {
		return closeError(err)
	}
	return nil
}

// refuse ends all appends to come and returns how many there were.
func (f *File) refuse() (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return 0, ErrClosed
	}
	f.closed = true
	return uint64(len(f.offsets)), nil
}
