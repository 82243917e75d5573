package commitlog

import (
	"errors"
	"io/fs"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// removeIfThere removes a file that need not exist.
func removeIfThere(dir disk.Dir, name string) error {
	if err := dir.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// createAnew makes an empty file in place of what an earlier try may have left
// under its name.
func createAnew(dir disk.Dir, name string) (disk.File, error) {
	if err := removeIfThere(dir, name); err != nil {
		return nil, err
	}
	return dir.Create(name)
}
