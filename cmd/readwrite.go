package cmd

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/results"
)

// firstBytes is in how much of a file a line is looked for that tells its format.
const firstBytes = 64 << 10

// readResults reads JSON Lines or, where the file does not start with a brace, nor has a record near its start,
// the Go benchmark format. A byte order mark is left out.
func readResults(path string) (*results.Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, firstBytes)
	if start, _ := in.Peek(len(byteOrderMark)); string(start) == byteOrderMark {
		in.Discard(len(byteOrderMark))
	}
	if start, _ := in.Peek(firstBytes); len(start) > 0 && start[0] != '{' && !bytes.Contains(start, []byte("\n{\"record\":")) {
		return results.ReadBench(in, path)
	}
	return results.Read(in, path)
}

// byteOrderMark is what some editors put before a text.
const byteOrderMark = "\xef\xbb\xbf"

// writeFile puts the whole text into place at once, so that a failure leaves
// neither half a file nor a lost old one. A link stays one, and what is no file, a device or a
// pipe, is written to: nothing can take its place.
func writeFile(path string, write func(io.Writer) error) error {
	of, err := filepath.EvalSymlinks(path)
	if err != nil { // nothing is there, or a link to nothing
		of = path
	}
	if info, err := os.Lstat(of); err == nil && !info.Mode().IsRegular() {
		return writeInto(of, write)
	}
	temporary, err := os.CreateTemp(filepath.Dir(of), ".syncwrite-")
	if err != nil {
		return ofPath(err, path)
	}
	defer os.Remove(temporary.Name())
	if err := exit.First(write(temporary), temporary.Chmod(0o644), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), of)
}

func writeInto(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	return exit.First(write(file), file.Close())
}

// ofPath names the file that was asked for in place of a temporary one.
func ofPath(err error, path string) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return &fs.PathError{Op: "create", Path: path, Err: of.Err}
	}
	return err
}
