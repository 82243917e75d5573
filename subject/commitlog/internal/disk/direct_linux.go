package disk

import (
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// directBlock suits every disk and file system that has direct I/O at all: it
// is a multiple of what they ask for, and the size of what they change.
const directBlock = 4096

// direct is the Direct of a real file.
type direct struct{ *os.File }

// Direct opens the file by its name, which it must still have.
func (f osFile) Direct() (Direct, error) {
	file, err := f.dir.root.OpenFile(filepath.Base(f.Name()), os.O_RDWR|unix.O_DIRECT, 0)
	if err != nil {
		return nil, unsupported(err)
	}
	if err := same(f.File, file); err != nil {
		file.Close()
		return nil, err
	}
	return direct{file}, nil
}

// same returns an error if two files are not one.
func same(a, b *os.File) error {
	first, err := a.Stat()
	if err != nil {
		return err
	}
	second, err := b.Stat()
	if err == nil && !os.SameFile(first, second) {
		err = &os.PathError{Op: "open", Path: a.Name(), Err: os.ErrNotExist}
	}
	return err
}

func (d direct) Block() int64 { return directBlock }

func (d direct) WriteSafe(at int64, parts ...[]byte) error {
	for len(parts) > 0 {
		n, err := d.write(at, parts)
		if err != nil {
			return err
		}
		at += int64(n)
		parts = behind(parts, n)
	}
	return nil
}

// mostParts is how many parts the system takes at once.
const mostParts = 1024

// write is one call, which may write less than all.
func (d direct) write(at int64, parts [][]byte) (n int, err error) {
	parts = parts[:min(len(parts), mostParts)]
	err = call(d.File, "pwritev2", func(fd int) (err error) {
		n, err = unix.Pwritev2(fd, parts, at, unix.RWF_DSYNC)
		return err
	})
	if err == nil && (n == 0 || n%directBlock != 0) {
		err = &os.PathError{Op: "pwritev2", Path: d.Name(), Err: io.ErrShortWrite}
	}
	return n, err
}

// behind is what is left of parts behind the first n bytes.
func behind(parts [][]byte, n int) [][]byte {
	for len(parts) > 0 && n >= len(parts[0]) {
		n -= len(parts[0])
		parts = parts[1:]
	}
	if n > 0 {
		parts = append([][]byte{parts[0][n:]}, parts[1:]...)
	}
	return parts
}

func (d direct) Forget() error {
	return call(d.File, "fadvise", func(fd int) error { return unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) })
}
