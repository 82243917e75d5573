package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

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
	if start, _ := in.Peek(firstBytes); len(start) > 0 && start[0] != '{' && !aRecord.Match(start) {
		return results.ReadBench(in, path)
	}
	return results.Read(in, path)
}

// aRecord is a line of results, whatever the order of its keys: it is read as one also where some other program has
// written it again, and also a damaged one is not overwritten.
var aRecord = regexp.MustCompile(`(?mi)^\x{FEFF}?\s*\{.*"record"\s*:`)

// keepsInputs returns an error if what is written would take the place of what is read.
func keepsInputs(output string, inputs []string) error {
	of, err := os.Stat(output)
	if output == "-" || err != nil { // stdout, or nothing is there
		return nil
	}
	for _, input := range inputs {
		if info, err := os.Stat(input); err == nil && os.SameFile(of, info) {
			return exit.Usage(fmt.Errorf("-o %s: it is one of the files that are read", output), "")
		}
	}
	return nil
}

// overResults is the error of a file that would take the place of results.
func overResults(path string) error {
	return exit.With(exit.Error, fmt.Errorf("results file %s: it exists, and results are not overwritten", path), "give it another name, or remove it first")
}

// holdsResults reports whether there is a file with a record of results in it.
func holdsResults(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // a pipe would be waited for
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	return aRecord.MatchReader(bufio.NewReader(file))
}

// byteOrderMark is what some editors put before a text.
const byteOrderMark = "\xef\xbb\xbf"

// writeFile puts the whole text into place at once, so that a failure leaves
// neither half a file nor a lost old one. A link stays one, and what is no file, a device or a
// pipe, is written to: nothing can take its place. Results are never overwritten.
func writeFile(path string, write func(io.Writer) error) error {
	of, err := filepath.EvalSymlinks(path)
	if err != nil { // nothing is there, or a link to nothing
		of = path
	}
	if info, err := os.Lstat(of); err == nil && !info.Mode().IsRegular() {
		return writeInto(of, write)
	}
	if holdsResults(of) {
		return overResults(path)
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
