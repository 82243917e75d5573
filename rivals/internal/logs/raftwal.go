package logs

import (
	"errors"
	"sync"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/raft"
	wal "github.com/hashicorp/raft-wal"
	"github.com/hashicorp/raft-wal/fs"
	"github.com/hashicorp/raft-wal/metadb"
	"github.com/hashicorp/raft-wal/segment"
	"github.com/hashicorp/raft-wal/types"
)

// raftRivals is github.com/hashicorp/raft-wal with its defaults. It knows no
// append without a sync; WithSegmentFiler is where a user who wants one can put
// a file system that does not sync.
func raftRivals() []Rival {
	return []Rival{
		{"raft-wal", "hashicorp/raft-wal on files that do not sync", Ordered(ProcessCrash), openRaft(true), scanRaft},
		{"raft-wal-durable", "hashicorp/raft-wal: one write and one fsync per append", Ordered(PowerCut), openRaft(false), scanRaft},
	}
}

// raftLog draws the index. raft itself appends from one goroutine; others need
// a lock around the drawing and the storing, since indexes must have no gaps.
type raftLog struct {
	*wal.WAL
	meta  *metadb.BoltMetaDB
	mu    sync.Mutex
	index uint64
}

func (l *raftLog) Append(value []byte) error {
	_, err := l.Add(value)
	return err
}

func (l *raftLog) Add(value []byte) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.StoreLog(&raft.Log{Index: l.index + 1, Term: 1, Data: value}); err != nil {
		return 0, err
	}
	l.index++
	return l.index, nil
}

func (l *raftLog) Fetch(index uint64, _ []byte) ([]byte, error) {
	var entry raft.Log
	err := l.GetLog(index, &entry)
	return entry.Data, err
}

// Close closes what WAL.Close leaves open: its locked database of segments.
func (l *raftLog) Close() error { return errors.Join(l.WAL.Close(), l.meta.Close()) }

func openRaft(noSync bool) func(string, int) (Appender, error) {
	return func(dir string, _ int) (Appender, error) {
		var files types.VFS = fs.New()
		if noSync {
			files = unsynced{files}
		}
		return openRaftOn(dir, files)
	}
}

func openRaftOn(dir string, files types.VFS) (*raftLog, error) {
	meta := new(metadb.BoltMetaDB)
	log, err := wal.Open(dir, wal.WithLogger(hclog.NewNullLogger()), wal.WithMetaStore(meta),
		wal.WithSegmentFiler(segment.NewFiler(dir, files)))
	return &raftLog{WAL: log, meta: meta}, err
}

// unsynced is a file system whose new files do not sync.
type unsynced struct{ types.VFS }

func (v unsynced) Create(dir, name string, size uint64) (types.WritableFile, error) {
	file, err := v.VFS.Create(dir, name, size)
	return unsyncedFile{file}, err
}

type unsyncedFile struct{ types.WritableFile }

func (unsyncedFile) Sync() error { return nil }

func scanRaft(dir string, each func([]byte) error) error {
	log, err := openRaftOn(dir, fs.New())
	if err != nil {
		return err
	}
	defer log.Close()
	last, err := log.LastIndex()
	if err != nil {
		return err
	}
	for index := uint64(1); index <= last; index++ {
		var entry raft.Log
		if err := log.GetLog(index, &entry); err != nil {
			return err
		}
		if err := each(entry.Data); err != nil {
			return err
		}
	}
	return nil
}
