//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package commitlog

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is no file, and has the name of one of the log's, is refused and left alone, but
// for the names of what was not finished: there it is removed, and never followed.
func TestStrangeFiles(t *testing.T) {
	for _, c := range []struct {
		name            string
		verifies, opens bool
	}{
		{manifestName, false, false}, {segmentName(0), false, false}, {segmentName(9), false, false},
		{lockName, true, false},
		{newManifestName, true, true}, {newSegmentName, true, true},
	} {
		for what, put := range map[string]func(string) error{
			"link":      func(path string) error { return os.Symlink("elsewhere", path) },
			"pipe":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"directory": func(path string) error { return os.Mkdir(path, 0o700) },
		} {
			dir := closedLog(t)
			path, elsewhere := filepath.Join(dir, c.name), filepath.Join(dir, "elsewhere")
			must(t, os.WriteFile(elsewhere, []byte("stays"), 0o600))
			os.Remove(path)
			must(t, put(path))
			_, verifyErr := Verify(dir)
			_, repairErr := Repair(dir)
			log, openErr := OpenFile(dir, FileOptions{})
			if openErr == nil {
				must(t, log.Close())
			}
			_, left := os.Lstat(path)
			if (verifyErr == nil) != c.verifies || (repairErr == nil) != c.opens || (openErr == nil) != c.opens || errors.Is(left, os.ErrNotExist) != c.opens {
				t.Errorf("%s as %s: verify %v, repair %v, open %v; then %v", what, c.name, verifyErr, repairErr, openErr, left)
			}
			if b, err := os.ReadFile(elsewhere); string(b) != "stays" {
				t.Errorf("%s as %s: file elsewhere holds %q, %v", what, c.name, b, err)
			}
		}
	}
}

// closedLog returns the directory of a log with an entry.
func closedLog(t *testing.T) string {
	dir := t.TempDir()
	log, err := OpenFile(dir, FileOptions{})
	must(t, err)
	mustAppend(t, log, "value")
	must(t, log.Close())
	return dir
}

// The opening that makes a log removes what has the name of an unfinished file, as later ones do.
func TestNewLogAmongUnfinishedFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{newManifestName, newSegmentName} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("unfinished"), 0o600))
	}
	log, err := OpenFile(dir, FileOptions{})
	must(t, err)
	must(t, log.Close())
	for _, name := range []string{newManifestName, newSegmentName} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is there: %v", name, err)
		}
	}
}
