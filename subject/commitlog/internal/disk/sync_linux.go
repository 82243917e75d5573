package disk

import (
	"errors"
	"os"
	"syscall"
)

// Sync leaves out what fsync adds and a log does not need: the times. The
// size is covered.
func (f osFile) Sync() error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failure error
	err = raw.Control(func(fd uintptr) {
		failure = ignoringInterrupts(func() error { return syscall.Fdatasync(int(fd)) })
	})
	if err == nil && failure != nil {
		err = &os.PathError{Op: "fdatasync", Path: f.Name(), Err: failure}
	}
	return err
}

func syncDirectory(dir *os.File) error { return dir.Sync() }

// ignoringInterrupts repeats a system call that a signal cut short.
func ignoringInterrupts(call func() error) error {
	for {
		if err := call(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
