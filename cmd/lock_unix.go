//go:build unix && !solaris && !aix

package cmd

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes a lock on an open directory, which goes with the process
// however that ends. It reports false if another holds it.
func tryLock(d *os.File) (bool, error) {
	err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
