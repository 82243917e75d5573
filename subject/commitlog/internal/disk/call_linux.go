package disk

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// call makes a system call with the file's descriptor.
func call(file *os.File, name string, call func(fd int) error) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failure error
	err = raw.Control(func(fd uintptr) {
		failure = ignoringInterrupts(func() error { return call(int(fd)) })
	})
	if err == nil && failure != nil {
		err = unsupported(&os.PathError{Op: name, Path: file.Name(), Err: failure})
	}
	return err
}

// unsupported makes errors.ErrUnsupported of what says so in other ways.
func unsupported(err error) error {
	for _, no := range []error{unix.EINVAL, unix.EOPNOTSUPP, unix.ENOSYS, unix.EPERM} {
		if errors.Is(err, no) {
			return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
		}
	}
	return err
}
