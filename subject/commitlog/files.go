package commitlog

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// removeIfThere removes a file that need not exist.
func removeIfThere(dir disk.Dir, name string) error {
	if err := dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeSegments removes segments, and makes that safe. If the flush of a removal fails, no
// later flush makes it safe, and no file is left that tells of it. So each segment gets
// another name, and is removed when that is safe. If it is not, the next opening finds the
// name and begins again, with yet another one: what is flushed then covers both.
func removeSegments(dir disk.Dir, names []string) error {
	var renamed []string
	for _, name := range names {
		other := removedName(name)
		err := dir.Rename(name, other)
		if isFull(err) { // for a directory that has to grow
			err = dir.Remove(name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		renamed = append(renamed, other)
	}
	if err := flush(dir); err != nil {
		return err
	}
	for _, name := range renamed {
		if err := removeIfThere(dir, name); err != nil {
			return err
		}
	}
	return nil
}

// removedName is the name that a file gets before it is removed.
func removedName(name string) string {
	switch {
	case strings.HasSuffix(name, removedSuffix):
		return name + againSuffix
	case isRemoved(name):
		return strings.TrimSuffix(name, againSuffix)
	}
	return name + removedSuffix
}

// isRemoved reports whether a file with this name is being removed.
func isRemoved(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(name, againSuffix), removedSuffix)
}

// createAnew makes an empty file in place of what an earlier try may have left
// under its name.
func createAnew(dir disk.Dir, name string) (disk.File, error) {
	if err := removeIfThere(dir, name); err != nil {
		return nil, err
	}
	return dir.Create(name)
}
