package identity_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/identity"
)

// Whatever a first opening has left that was killed, or met a full disk: the next one goes on.
func TestFirstOpeningThatDidNotEnd(t *testing.T) {
	for name, left := range map[string]func(dir string) error{
		"nothing":           func(string) error { return nil },
		"the directory":     func(dir string) error { return os.Mkdir(dir, 0o755) },
		"an empty log":      func(dir string) error { return os.MkdirAll(filepath.Join(dir, "ids.new"), 0o755) },
		"a log of no marks": func(dir string) error { return leaveLog(dir, 0) },
		"a log of one mark": func(dir string) error { return leaveLog(dir, 1) },
		"a mount point":     func(dir string) error { return os.MkdirAll(filepath.Join(dir, "lost+found"), 0o700) },
		"hidden files":      func(dir string) error { return os.MkdirAll(filepath.Join(dir, ".snapshot"), 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			if err := left(dir); err != nil {
				t.Fatal(err)
			}
			for want := uint64(1); want < 4; want++ {
				k := openKept(t, dir, 0, identity.Replica{})
				if got := next(t, k, 1); got != want {
					t.Errorf("%d, not %d", got, want)
				}
				closeKept(t, k)
			}
		})
	}
}

// leaveLog leaves what a first opening has made that was killed behind so many marks.
func leaveLog(dir string, marks uint64) error {
	k, err := identity.OpenKept(dir, identity.KeptOptions[span]{Options: identity.Options[span]{Reply: newSpan}})
	if err != nil {
		return err
	}
	if err := k.Close(); err != nil {
		return err
	}
	first := filepath.Join(dir, "ids.new")
	if err := os.Rename(filepath.Join(dir, "ids"), first); err != nil {
		return err
	}
	log, err := commitlog.OpenFile(first, commitlog.FileOptions{})
	if err != nil {
		return err
	}
	return errors.Join(log.TruncateSuffix(marks), log.Close())
}

// Openings that begin a directory at once: one has it at a time, and nothing is handed out
// twice.
func TestFirstOpeningsAtOnce(t *testing.T) {
	for range 30 {
		dir := filepath.Join(t.TempDir(), "data")
		var all sync.WaitGroup
		var mu sync.Mutex
		seen, opened := map[uint64]bool{}, 0
		for range 8 {
			all.Go(func() {
				k, err := identity.OpenKept(dir, identity.KeptOptions[span]{Options: identity.Options[span]{Reply: newSpan}})
				if err != nil {
					return
				}
				mu.Lock()
				for range 3 {
					id, err := k.Next(t.Context())
					if err != nil || seen[id.first] {
						t.Errorf("%d twice, or %v", id.first, err)
					}
					seen[id.first] = true
				}
				opened++
				mu.Unlock()
				closeKept(t, k)
			})
		}
		all.Wait()
		k := openKept(t, dir, 0, identity.Replica{}) // whoever was faster: it is a directory that opens
		if id := next(t, k, 1); id != uint64(len(seen)+1) {
			t.Errorf("%d openings have handed out %d, and the next one begins with %d", opened, len(seen), id)
		}
		closeKept(t, k)
	}
}

// A directory that has other files, and no log, may have lost it. Files that come later do not
// matter.
func TestLogThatIsGone(t *testing.T) {
	dir := t.TempDir()
	k := openKept(t, dir, 0, identity.Replica{})
	next(t, k, 10)
	closeKept(t, k)
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	k = openKept(t, dir, 0, identity.Replica{})
	if got := next(t, k, 1); got != 11 {
		t.Errorf("%d beside another file", got)
	}
	closeKept(t, k)
	if err := os.RemoveAll(filepath.Join(dir, "ids")); err != nil {
		t.Fatal(err)
	}
	_, err := identity.OpenKept(dir, identity.KeptOptions[span]{Options: identity.Options[span]{Reply: newSpan}})
	if !errors.Is(err, identity.ErrNothingKept) || !strings.Contains(err.Error(), "notes.txt") {
		t.Error(err)
	}
}

// A log that has no marks any more is none that is new.
func TestMarksThatAreGone(t *testing.T) {
	dir := t.TempDir()
	if err := leaveLog(dir, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "ids.new"), filepath.Join(dir, "ids")); err != nil {
		t.Fatal(err)
	}
	_, err := identity.OpenKept(dir, identity.KeptOptions[span]{Options: identity.Options[span]{Reply: newSpan}})
	if !errors.Is(err, identity.ErrNothingKept) {
		t.Error(err)
	}
}
