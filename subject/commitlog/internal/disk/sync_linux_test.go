package disk

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// A pipe cannot be flushed: only a Sync that really asks the system finds out.
func TestSyncAsksTheSystem(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	defer writer.Close()
	if err := (osFile{File: writer}).Sync(); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("sync of a pipe returned %v, want invalid argument", err)
	}
}
