package commitlog

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe cannot be flushed: only a Sync that really asks the system finds out.
func TestSyncAsksTheSystem(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	if err := (osFile{writer}).Sync(); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("sync of a pipe returned %v, want invalid argument", err)
	}
}

func TestSyncNameAsksForTheDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	disk, err := openOSFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	if err := disk.SyncName(); err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := disk.SyncName(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("sync of a name in no directory returned %v", err)
	}
}
