package cmd

import (
	"os"

	"golang.org/x/sys/unix"
)

// takeStdio returns this process's stdin and stdout for itself alone, and leaves
// /dev/null and stderr in their places: an operation may print, close what it did
// not open, and start processes that live longer than this one.
func takeStdio() (in, out *os.File, err error) {
	if in, err = taken(0, "stdin"); err != nil {
		return nil, nil, err
	}
	if out, err = taken(1, "stdout"); err != nil {
		return nil, nil, err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, nil, err
	}
	defer null.Close()
	if err := unix.Dup3(int(null.Fd()), 0, 0); err != nil {
		return nil, nil, err
	}
	if err := unix.Dup3(2, 1, 0); err != nil {
		return nil, nil, err
	}
	return in, out, nil
}

// taken is another descriptor of the same file, that no child inherits.
func taken(fd int, name string) (*os.File, error) {
	other, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, os.NewSyscallError("dup "+name, err)
	}
	return os.NewFile(uintptr(other), name), nil
}

// program is this program's image, whatever has become of the file that it was
// started from.
func program() (string, error) { return "/proc/self/exe", nil }
