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
		if err := dir.Rename(name, other); err != nil && !errors.Is(err, fs.ErrNotExist) {
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

// removedName is the name that a file gets before it is removed. All are of one length, so
// that a directory on a full disk has room for it.
func removedName(name string) string {
	if base, ok := strings.CutSuffix(name, removedSuffix); ok {
		return base + removedAgain
	}
	return name[:strings.LastIndexByte(name, '.')] + removedSuffix
}

// isRemoved reports whether this is the name of a segment that is being removed.
func isRemoved(name string) bool {
	digits, found := strings.CutSuffix(name, removedSuffix)
	if !found {
		digits, found = strings.CutSuffix(name, removedAgain)
	}
	_, ok := baseOf(digits + segmentSuffix)
	return found && ok
}

// createAnew makes an empty file in place of what an earlier try may have left
// under its name.
func createAnew(dir disk.Dir, name string) (disk.File, error) {
	if err := removeIfThere(dir, name); err != nil {
		return nil, err
	}
	return dir.Create(name)
}
