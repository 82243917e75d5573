package disk

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestSyncAsksForTheDirectory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := OS(path).Sync(); err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if err := OS(path).Sync(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("sync of a directory that is gone returned %v", err)
	}
}

func TestLockKeepsTheSecondOut(t *testing.T) {
	dir := OS(t.TempDir())
	first, err := dir.Lock("lock")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dir.Lock("lock"); !errors.Is(err, ErrLocked) {
		t.Errorf("second lock returned %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := dir.Lock("lock")
	if err != nil {
		t.Fatalf("lock of what was let go: %v", err)
	}
	second.Close()
}

func TestReadOnlyRefusesToWrite(t *testing.T) {
	path := t.TempDir()
	file, err := OS(path).Create("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte("foo"), 0); err != nil {
		t.Fatal(err)
	}
	file.Close()
	file, err = ReadOnly(path).Open("a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if size, err := file.Size(); size != 3 || err != nil {
		t.Errorf("size %d, %v", size, err)
	}
	if _, err := file.WriteAt([]byte("bar"), 0); err == nil {
		t.Error("a file of a read-only directory was written")
	}
}
