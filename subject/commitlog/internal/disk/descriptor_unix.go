//go:build unix

package disk

import (
	"errors"
	"os"
	"syscall"
)

// withDescriptor makes a system call with the file's descriptor.
func withDescriptor(file *os.File, name string, call func(fd int) error) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failure error
	if raw.Control(func(fd uintptr) { failure = ignoringInterrupts(func() error { return call(int(fd)) }) }) != nil {
		failure = os.ErrClosed // nothing else keeps it from the call, and it has its own name for that
	}
	if failure != nil {
		return &os.PathError{Op: name, Path: file.Name(), Err: failure}
	}
	return nil
}

// ignoringInterrupts repeats a system call that a signal cut short.
func ignoringInterrupts(call func() error) error {
	for {
		if err := call(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
