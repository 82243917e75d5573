package cause

import (
	"errors"
	"io/fs"
	"os"
)

// MakeDir makes the directory in which traces and profiles are kept, if one is named. It must
// be empty or new: what is there is not written over.
func MakeDir(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = &fs.PathError{Op: "keep traces", Path: dir, Err: errors.New("directory is not empty")}
	}
	return err
}
