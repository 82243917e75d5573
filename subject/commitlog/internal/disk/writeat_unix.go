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
	for {
		n := 0
		err = withDescriptor(f.File, "write", func(fd int) (err error) {
			n, err = syscall.Pwrite(fd, b[taken:min(len(b), taken+mostWritten)], off+int64(taken))
			return err
		})
		switch taken += max(n, 0); {
		case err != nil || taken == len(b):
			return taken, err
		case n == 0:
			return taken, &os.PathError{Op: "write", Path: f.Name(), Err: io.ErrUnexpectedEOF}
		}
	}
}
