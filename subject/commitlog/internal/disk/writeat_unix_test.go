//go:build unix

package disk

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// Of a write for which there is not enough space a file tells how much of it was taken.
func TestTakenInPart(t *testing.T) {
	dir, err := OS(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	file, err := dir.Create("a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var taken int
	withLimit(t, func() { taken, err = file.WriteAt([]byte("0123456789"), 2) })
	if taken != 3 || !errors.Is(err, syscall.EFBIG) {
		t.Errorf("%d taken, %v; want 3, %v", taken, err, syscall.EFBIG)
	}
	if taken, err = file.WriteAt([]byte("0123456789"), 2); taken != 10 || err != nil {
		t.Errorf("%d taken, %v", taken, err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if taken, err = file.WriteAt([]byte("0"), 2); taken != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("of a closed file: %d taken, %v", taken, err)
	}
}

// withLimit calls a function in a process whose files may not be larger than five bytes.
func withLimit(t *testing.T, call func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	limit := before
	limit.Cur = 5
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)
	call()
}
