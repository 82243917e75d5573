package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// opened opens the directory at path for as long as the test runs.
func opened(t *testing.T, path string) Dir {
	t.Helper()
	dir, err := OS(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return dir
}

func TestDirectoryHasToBeThere(t *testing.T) {
	if _, err := OS(filepath.Join(t.TempDir(), "gone"), 0); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}

func TestErrorsHaveThePath(t *testing.T) {
	path := t.TempDir()
	dir := opened(t, path)
	_, err := dir.Open("a")
	for what, err := range map[string]error{"open": err, "remove": dir.Remove("a"), "rename": dir.Rename("a", "b")} {
		if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join(path, "a")) {
			t.Errorf("%s of what is not there: %v", what, err)
		}
	}
}

func TestLockKeepsTheSecondOut(t *testing.T) {
	dir := opened(t, t.TempDir())
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
	file, err := opened(t, path).Create("a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte("foo"), 0); err != nil {
		t.Fatal(err)
	}
	file.Close()
	dir, err := ReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	file, err = dir.Open("a")
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
