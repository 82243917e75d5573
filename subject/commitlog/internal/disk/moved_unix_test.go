//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A directory is the one that was opened, wherever it is moved: what has its path then
// is left alone.
func TestMovedDirectoryIsFollowed(t *testing.T) {
	parent := t.TempDir()
	here, away := filepath.Join(parent, "here"), filepath.Join(parent, "away")
	mustDo(t, os.Mkdir(here, 0o700))
	dir := opened(t, here)
	mustDo(t, os.Rename(here, away))
	mustDo(t, os.Mkdir(here, 0o700))
	mustDo(t, os.WriteFile(filepath.Join(here, "a"), nil, 0o600))

	file, err := dir.Create("a")
	mustDo(t, err)
	direct, err := file.Direct()
	if err == nil {
		mustDo(t, direct.Close())
	} else if !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	mustDo(t, file.Close())
	mustDo(t, dir.Rename("a", "b"))
	file, err = dir.Open("b")
	mustDo(t, err)
	mustDo(t, file.Close())
	lock, err := dir.Lock("lock")
	mustDo(t, err)
	mustDo(t, lock.Close())
	mustDo(t, dir.Sync())
	if names, err := dir.Names(); !slices.Equal(names, []string{"b", "lock"}) || err != nil {
		t.Errorf("the directory has %q, %v", names, err)
	}
	mustDo(t, dir.Remove("b"))
	wantNames(t, here, "a")
	wantNames(t, away, "lock")
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantNames(t *testing.T, path string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(path)
	mustDo(t, err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if !slices.Equal(names, want) {
		t.Errorf("%s has %q, want %q", path, names, want)
	}
}
