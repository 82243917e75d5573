package disk

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// call is withDescriptor of what a file system may not have.
func call(file *os.File, name string, call func(fd int) error) error {
	return unsupported(withDescriptor(file, name, call))
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
