package cmd

import (
	"bufio"
	"io"
	"os"
	"path/filepath"

	"github.com/syncwrite/syncwrite/cmd/internal/exit"
	"github.com/syncwrite/syncwrite/results"
)

// readResults reads JSON Lines or, where the file does not start with a brace,
// the Go benchmark format.
func readResults(path string) (*results.Run, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	if start, _ := in.Peek(1); len(start) == 1 && start[0] != '{' {
		return results.ReadBench(in, path)
	}
	return results.Read(in, path)
}

// writeFile puts the whole text into place at once, so that a failure leaves
// neither half a file nor a lost old one.
func writeFile(path string, write func(io.Writer) error) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".syncwrite-")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	if err := exit.First(write(temporary), temporary.Chmod(0o644), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
