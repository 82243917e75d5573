//go:build unix

package disk

import (
	"io"
	"os"
	"syscall"
)

// mostWritten is how many bytes one call asks for: some systems take no 2 GiB.
const mostWritten = 1 << 30

// WriteAt tells of the part that was taken before an error, too: os.File leaves that out, and
// nobody could undo it.
func (f osFile) WriteAt(b []byte, off int64) (taken int, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failure error
	err = raw.Control(func(fd uintptr) {
		for taken < len(b) && failure == nil {
			var n int
			n, failure = syscall.Pwrite(int(fd), b[taken:min(len(b), taken+mostWritten)], off+int64(taken))
			taken += max(n, 0)
			if failure == syscall.EINTR {
				failure = nil
			} else if failure == nil && n == 0 {
				failure = io.ErrUnexpectedEOF
			}
		}
	})
	if err != nil {
		failure = os.ErrClosed // nothing else keeps it from the call, which has its own name for that
	}
	if failure != nil {
		err = &os.PathError{Op: "write", Path: f.Name(), Err: failure}
	}
	return taken, err
}
