//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Lock uses flock(2): the system lets go of it when the process ends, however
// it ends, and a second opening in the same process is refused as well.
func (d *osDir) Lock(name string) (io.Closer, error) {
	file, err := d.openFile(name, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		file.Close()
		return nil, &os.PathError{Op: "lock", Path: d.Path(name), Err: err}
	}
	return flock{file}, nil
}

// A flock is a file that is locked.
type flock struct{ *os.File }

// Close lets go of the lock itself: a process that another goroutine starts
// has a copy of the descriptor for a moment, which would hold it longer.
func (f flock) Close() error {
	unlockErr := syscall.Flock(int(f.Fd()), syscall.LOCK_UN)
	return errors.Join(unlockErr, f.File.Close())
}
