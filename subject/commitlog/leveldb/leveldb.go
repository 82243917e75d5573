// Package leveldb keeps an append-only log in a LevelDB, through goleveldb:
// one key for each entry, the index as a big-endian uint64, so that the keys'
// order is the log's. Order total, result linearizable, survives
// process-crash, or power-cut with Options.Sync.
//
// It is here to be measured against. Think twice before you use it for more:
//
//   - Nobody maintains goleveldb any more: a defect found in it stays.
//   - On a full disk it fails promptly, but it cannot be opened again until
//     there is space, not even to read: opening writes.
//   - A log never overwrites a key, so that compaction, which is most of what
//     LevelDB does, is work without a use.
//   - Opening reads every entry.
//   - Damage to its journal is not told: goleveldb takes the first record there that
//     does not check for the end of what was written, and the entries from it on are
//     gone without an error.
//   - It does not flush the directory when it begins a new journal: a power cut is
//     survived on file systems that make a file's name safe with its first fsync, as ext4
//     and xfs do.
package leveldb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/syndtr/goleveldb/leveldb"
	dberrors "github.com/syndtr/goleveldb/leveldb/errors"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// Options are the settings of a Log; the zero value is useful.
type Options struct {
	// Sync makes every Append wait until its entry would survive a power cut.
	Sync bool
}

// Log is a [commitlog.Log] in a LevelDB.
//
// goleveldb merges writes that arrive together, but in any order, which would
// let a crash keep an entry and lose an earlier one. So the log merges them
// itself: while one batch is written, the appends that come collect in the
// next, in the order of their indexes. A batch is atomic, hence what LevelDB
// holds is always a gapless beginning of the log, and with Sync all appends
// of a batch share one flush.
//
// After a failed write nobody knows what its journal holds. From then on
// every Append returns that error until the log is opened anew, while Get
// keeps serving what was acknowledged.
type Log struct {
	path string
	disk io.Closer
	db   *leveldb.DB
	sync bool

	mu     sync.Mutex
	next   *leveldb.Batch // the appends that wait for the write under way
	length uint64         // entries written and waiting
	failed error
	closed bool

	writing sync.Mutex
	spare   *leveldb.Batch // the batch written last, to be used again; writing guards it
	written atomic.Uint64  // entries that Get shows
}

// keptBatch is the most memory, in bytes, kept from one write to the next.
const keptBatch = 1 << 20

// verified makes reads check every block they touch.
var verified = &opt.ReadOptions{Strict: opt.StrictBlockChecksum | opt.StrictReader}

// Open opens the log in the directory path and creates it if there is none.
// It returns a [*commitlog.CorruptError] if an entry is missing in the midst.
func Open(path string, options Options) (*Log, error) {
	disk, err := storage.OpenFile(path, false)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	l, err := openStorage(path, disk, options)
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	l.disk = disk
	return l, nil
}

// openStorage is Open on any storage, which the caller closes.
func openStorage(path string, disk storage.Storage, options Options) (*Log, error) {
	db, err := leveldb.Open(disk, nil)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", typed(path, 0, err))
	}
	length, err := count(path, db)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", errors.Join(err, db.Close()))
	}
	l := &Log{path: path, db: db, sync: options.Sync, next: new(leveldb.Batch), spare: new(leveldb.Batch), length: length}
	l.written.Store(length)
	return l, nil
}

// count returns the number of entries and checks that they have no gap.
func count(path string, db *leveldb.DB) (uint64, error) {
	keys := db.NewIterator(nil, verified)
	defer keys.Release()
	length := uint64(0)
	for keys.Next() {
		if key := keys.Key(); len(key) != 8 || binary.BigEndian.Uint64(key) != length {
			return 0, &commitlog.CorruptError{Path: path, Index: length, Offset: -1,
				Reason: fmt.Sprintf("entry is missing, and key %x follows", key)}
		}
		length++
	}
	return length, typed(path, length, keys.Error())
}

// Append implements [commitlog.Log].
func (l *Log) Append(value []byte) (uint64, error) {
	index, err := l.enqueue(value)
	if err == nil {
		err = l.write(index)
	}
	if err != nil {
		return 0, fmt.Errorf("append entry %d: %w", index, err)
	}
	return index, nil
}

// enqueue gives value its index and its place in the next batch.
func (l *Log) enqueue(value []byte) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	index := l.length
	switch {
	case l.closed:
		return index, commitlog.ErrClosed
	case len(value) > commitlog.MaxValueSize:
		return index, commitlog.ErrTooLarge
	case l.failed != nil:
		return index, l.failed
	}
	l.next.Put(key(index), value)
	l.length++
	return index, nil
}

// write returns once the entry at index is in LevelDB. Whoever comes first
// writes all that wait; the others find it done.
func (l *Log) write(index uint64) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	if l.written.Load() > index {
		return nil
	}
	batch, length, err := l.take()
	if err != nil {
		return err
	}
	if err := l.db.Write(batch, &opt.WriteOptions{Sync: l.sync}); err != nil {
		return l.stop(err)
	}
	l.written.Store(length)
	if len(batch.Dump()) > keptBatch {
		batch = new(leveldb.Batch)
	}
	batch.Reset()
	l.spare = batch
	return nil
}

// take swaps the next batch for an empty one. length is what the log's will
// be once it is written.
func (l *Log) take() (batch *leveldb.Batch, length uint64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return nil, 0, l.failed
	}
	batch, l.next = l.next, l.spare
	return batch, l.length, nil
}

func (l *Log) stop(cause error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = fmt.Errorf("log has stopped: %w", cause)
	return l.failed
}

// Get implements [commitlog.Log]. It verifies the checksum of the block it
// reads.
func (l *Log) Get(index uint64) (commitlog.Entry, error) {
	if index >= l.written.Load() {
		return commitlog.Entry{}, fmt.Errorf("get entry %d: %w", index, l.absence())
	}
	value, err := l.db.Get(key(index), verified)
	if err != nil {
		return commitlog.Entry{}, fmt.Errorf("get entry %d: %w", index, typed(l.path, index, err))
	}
	return commitlog.Entry{Index: index, Value: value}, nil
}

// absence is why there is no entry behind the last one.
func (l *Log) absence() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return commitlog.ErrClosed
	}
	return commitlog.ErrNotFound
}

// Next returns the index behind the last entry that Get shows.
func (l *Log) Next() uint64 { return l.written.Load() }

// Close implements [commitlog.Log]. Appends that are under way are written
// first.
func (l *Log) Close() error {
	length, err := l.refuse()
	if err != nil {
		return fmt.Errorf("close log: %w", err)
	}
	if length > 0 {
		err = l.write(length - 1)
	}
	if err = errors.Join(err, l.db.Close(), l.disk.Close()); err != nil {
		return fmt.Errorf("close log: %w", err)
	}
	return nil
}

// refuse ends all appends to come and returns how many there were.
func (l *Log) refuse() (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return 0, commitlog.ErrClosed
	}
	l.closed = true
	return l.length, nil
}

func key(index uint64) []byte {
	return binary.BigEndian.AppendUint64(make([]byte, 0, 8), index)
}

// typed turns goleveldb's errors into those of package commitlog.
func typed(path string, index uint64, err error) error {
	switch {
	case errors.Is(err, leveldb.ErrClosed):
		return commitlog.ErrClosed
	case dberrors.IsCorrupted(err), errors.Is(err, leveldb.ErrNotFound):
		return &commitlog.CorruptError{Path: path, Index: index, Offset: -1, Reason: err.Error()}
	}
	return err
}
