package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// workPrefix is how the directories start that trials work in, newPrefix what they
// are called until they are locked.
const (
	workPrefix = ".syncwrite-work-"
	newPrefix  = ".syncwrite-new-"
)

// A workdir is where the trials of this run work. It is locked as long as the
// run lives, so that the next one can tell what a dead one left behind.
type workdir struct {
	path string
	lock *os.File
}

// newWorkdir makes one in home. It gets its name when it is locked: until then
// it would pass for that of a dead run.
func newWorkdir(home string) (*workdir, error) {
	path, err := os.MkdirTemp(home, newPrefix)
	if err != nil {
		return nil, fmt.Errorf("no directory to work in: %w", err)
	}
	w := &workdir{path: path}
	if w.lock, err = os.Open(path); err == nil {
		tryLock(w.lock) // where that cannot be, nobody can tell who is dead either
	}
	named := filepath.Join(home, workPrefix+strings.TrimPrefix(filepath.Base(path), newPrefix))
	if err == nil {
		err = os.Rename(path, named)
	}
	if err != nil {
		w.remove()
		return nil, fmt.Errorf("no directory to work in: %w", err)
	}
	w.path = named
	return w, nil
}

func (w *workdir) remove() {
	os.RemoveAll(w.path)
	if w.lock != nil {
		w.lock.Close()
	}
}

// removeDead removes the work directories in home that no living run holds. What
// cannot be read or removed stays: it is not this run's.
func removeDead(home string) {
	entries, _ := os.ReadDir(home)
	for _, e := range entries {
		path := filepath.Join(home, e.Name())
		switch {
		case !e.IsDir():
		case strings.HasPrefix(e.Name(), workPrefix) && dead(path):
			os.RemoveAll(path)
		case strings.HasPrefix(e.Name(), newPrefix) && old(e):
			os.Remove(path)
		}
	}
}

// old reports a directory that is no longer about to be locked.
func old(e os.DirEntry) bool {
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > time.Minute
}

// dead reports whether the run that made a work directory is no more.
func dead(path string) bool {
	d, err := os.Open(path)
	if err != nil {
		return false
	}
	defer d.Close()
	free, err := tryLock(d)
	return free && err == nil
}
