package trials

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/rivals/internal/logs"
)

// A batch is as many appends.
func TestBatchersRepeat(t *testing.T) {
	for _, r := range logs.Rivals() {
		dir := t.TempDir()
		log, err := r.Open(dir, 1)
		if err != nil {
			t.Fatal(r.Name, err)
		}
		b, ok := log.(batcher)
		if ok {
			err = errors.Join(log.Append([]byte("foo")), b.Repeat([]byte("foo"), 9), log.Append([]byte("foo")))
		}
		if err := errors.Join(err, log.Close()); err != nil {
			t.Fatal(r.Name, err)
		}
		if ok {
			if err := r.Holds(dir, 11, []byte("foo")); err != nil {
				t.Error(r.Name, err)
			}
		}
	}
}

// What is discarded keeps its size.
func TestDiscardKeepsSizes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("foo"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := discardAll(dir); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 3 {
		t.Errorf("%v: %v", info, err)
	}
}
