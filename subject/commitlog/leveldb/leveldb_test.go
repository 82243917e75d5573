package leveldb_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	levellog "github.com/syncwrite/syncwrite/subject/commitlog/leveldb"
	"github.com/syncwrite/syncwrite/subject/commitlog/logtest"
)

// goleveldb lets go of its memory pool up to a second after Close.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/syndtr/goleveldb/leveldb.(*DB).mpoolDrain"))
}

func open(options levellog.Options) logtest.OpenFunc {
	return func(path string) (commitlog.Log, error) {
		log, err := levellog.Open(path, options)
		if err != nil {
			return nil, err
		}
		return log, nil
	}
}

func TestPromise(t *testing.T) {
	t.Run("buffered", func(t *testing.T) {
		logtest.Run(t, logtest.Backend{
			Order: "total", Result: "linearizable", Survives: "process-crash", Open: open(levellog.Options{}),
		})
	})
	t.Run("sync", func(t *testing.T) {
		logtest.Run(t, logtest.Backend{
			Order: "total", Result: "linearizable", Survives: "power-cut", Open: open(levellog.Options{Sync: true}),
		})
	})
}

func TestMissingEntryIsCorruption(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log, err := levellog.Open(path, levellog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := log.Append([]byte("foo")); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	deleteKey(t, path, 1)
	_, err = levellog.Open(path, levellog.Options{})
	var corrupt *commitlog.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Index != 1 {
		t.Errorf("open returned %v, want that entry 1 is corrupt", err)
	}
}

func deleteKey(t *testing.T, path string, index uint64) {
	db, err := leveldb.OpenFile(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(db.Delete(binary.BigEndian.AppendUint64(nil, index), nil), db.Close())
	if err != nil {
		t.Fatal(err)
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "leveldb")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	for _, value := range []string{"created", "paid"} { // each opens the log anew
		log, err := levellog.Open(filepath.Join(dir, "log"), levellog.Options{Sync: true})
		if err != nil {
			fmt.Println(err)
			return
		}
		index, err := log.Append([]byte(value))
		fmt.Println(index, err)
		entry, err := log.Get(0)
		fmt.Printf("%s %v\n", entry.Value, err)
		fmt.Println(log.Close())
	}
	// Output:
	// 0 <nil>
	// created <nil>
	// <nil>
	// 1 <nil>
	// created <nil>
	// <nil>
}
