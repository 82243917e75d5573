package leveldb

import (
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/syndtr/goleveldb/leveldb/storage"
)

// syncing is a storage that counts how often its journals are flushed.
type syncing struct {
	storage.Storage
	flushes *atomic.Int64
}

func (s syncing) Create(fd storage.FileDesc) (storage.Writer, error) {
	w, err := s.Storage.Create(fd)
	if err != nil || fd.Type != storage.TypeJournal {
		return w, err
	}
	return syncingWriter{w, s.flushes}, nil
}

type syncingWriter struct {
	storage.Writer
	flushes *atomic.Int64
}

func (w syncingWriter) Sync() error {
	w.flushes.Add(1)
	return w.Writer.Sync()
}

// With Sync the journal is flushed before an append is acknowledged, without
// it not at all.
func TestSyncFlushesTheJournal(t *testing.T) {
	for _, sync := range []bool{true, false} {
		disk, err := storage.OpenFile(filepath.Join(t.TempDir(), "log"), false)
		if err != nil {
			t.Fatal(err)
		}
		flushes := new(atomic.Int64)
		log, err := openStorage("log", syncing{disk, flushes}, Options{Sync: sync})
		if err != nil {
			t.Fatal(err)
		}
		log.disk = disk
		for range 3 {
			before := flushes.Load()
			if _, err := log.Append([]byte("foo")); err != nil {
				t.Fatal(err)
			}
			if flushed := flushes.Load() > before; flushed != sync {
				t.Errorf("Sync %v: append acknowledged with its journal flushed: %v", sync, flushed)
			}
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}
}
