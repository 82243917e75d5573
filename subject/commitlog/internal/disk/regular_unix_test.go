//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A directory that somebody else has made is not a way to other files, nor one to make
// its reader wait.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	path, elsewhere := t.TempDir(), t.TempDir()
	in := func(name string) string { return filepath.Join(path, name) }
	mustDo(t, os.WriteFile(in("file"), nil, 0o600))
	mustDo(t, os.WriteFile(filepath.Join(elsewhere, "file"), nil, 0o600))
	mustDo(t, os.Symlink(filepath.Join(elsewhere, "file"), in("link out")))
	mustDo(t, os.Symlink(filepath.Join(elsewhere, "made"), in("dangling")))
	mustDo(t, os.Symlink("made", in("dangling within")))
	mustDo(t, os.Symlink("file", in("link within")))
	mustDo(t, os.Mkdir(in("directory"), 0o700))
	mustDo(t, syscall.Mkfifo(in("pipe"), 0o600))
	readOnly, err := ReadOnly(path)
	mustDo(t, err)
	defer readOnly.Close()
	for _, name := range []string{"link out", "dangling", "dangling within", "link within", "directory", "pipe"} {
		_, readErr := readOnly.Open(name)
		_, openErr := opened(t, path).Open(name)
		_, lockErr := opened(t, path).Lock(name)
		for what, err := range map[string]error{"reading": readErr, "opening": openErr, "lock": lockErr} {
			if !errors.Is(err, errNotRegular) {
				t.Errorf("%s: %s returned %v", name, what, err)
			}
		}
	}
	wantNames(t, elsewhere, "file")
	if _, err := os.Stat(in("made")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was made behind a link: %v", err)
	}
}

// What is given for a directory, and is none, is an error at once: nobody waits for who
// writes to a pipe.
func TestDirectoryIsNoPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	mustDo(t, syscall.Mkfifo(path, 0o600))
	for what, open := range map[string]func(string) (Dir, error){"reading": ReadOnly, "opening": func(path string) (Dir, error) { return OS(path, 0) }} {
		returned := make(chan error, 1)
		go func() {
			_, err := open(path)
			returned <- err
		}()
		select {
		case err := <-returned:
			if !errors.Is(err, syscall.ENOTDIR) {
				t.Errorf("%s a pipe returned %v", what, err)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s a pipe waits", what)
		}
	}
}
