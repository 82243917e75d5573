package crashtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// copyImage copies an image through the page cache, where the loop device's
// writes are, and leaves holes for zeros.
func copyImage(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("copy image: %w", err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("copy image: %w", err)
	}
	if err := errors.Join(copySparse(in, out), out.Close()); err != nil {
		return fmt.Errorf("copy image: %w", err)
	}
	return nil
}

func copySparse(in io.Reader, out *os.File) error {
	piece, zeros := make([]byte, 64<<10), make([]byte, 64<<10)
	for at := int64(0); ; {
		n, err := io.ReadFull(in, piece)
		if n > 0 && !bytes.Equal(piece[:n], zeros[:n]) {
			if _, err := out.WriteAt(piece[:n], at); err != nil {
				return err
			}
		}
		at += int64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return out.Truncate(at)
		}
		if err != nil {
			return err
		}
	}
}

// copyWhole copies the image of a file system, and says whether it stayed the
// same meanwhile.
func (fs *filesystem) copyWhole(to string) (same bool, err error) {
	before, idleBefore, err := fs.writes()
	if err != nil {
		return false, err
	}
	if err := copyImage(fs.image, to); err != nil {
		return false, err
	}
	after, idleAfter, err := fs.writes()
	return before == after && idleBefore && idleAfter, err
}

// copyStill copies the image until it stays the same meanwhile.
func (fs *filesystem) copyStill(to string) error {
	for range 100 {
		same, err := fs.copyWhole(to)
		if same || err != nil {
			return err
		}
	}
	return fmt.Errorf("copy image: %s keeps changing", fs.image)
}
