package crashtest

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// disturb does what the kernel may do at any moment, but hardly ever does in
// the milliseconds that a log lives here: it writes a stretch of some file of
// the log back to the disk, without what comes before it, and perhaps commits
// the file system's journal. Without it, a log that never flushes would lose
// everything each time, and never have a hole in its midst.
func (fs *filesystem) disturb(random *rand.Rand) error {
	err := writeBackSome(fs.path(logName), random)
	if err == nil && random.IntN(2) == 0 {
		err = fs.commit()
	}
	if err != nil {
		return fmt.Errorf("write back: %w", err)
	}
	return nil
}

func writeBackSome(log string, random *rand.Rand) error {
	var files []string
	err := filepath.WalkDir(log, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			files = append(files, path)
		}
		return unlessGone(err)
	})
	if err != nil || len(files) == 0 {
		return err
	}
	file, err := os.Open(files[random.IntN(len(files))])
	if err != nil {
		return unlessGone(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	const write, wait = 2, 4
	from := random.Int64N(info.Size())
	return syscall.SyncFileRange(int(file.Fd()), from, 1+random.Int64N(info.Size()-from), write|wait)
}

// unlessGone hides that a log has removed a file meanwhile.
func unlessGone(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// commit makes ext4 commit its running transaction, by the fsync of a file
// that is none of the log's.
func (fs *filesystem) commit() error {
	file, err := os.Create(fs.path("disturbance"))
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}
