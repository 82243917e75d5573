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
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	limited(t, syscall.RLIMIT_FSIZE, func(l *syscall.Rlimit) { l.Cur = 5 }, func() { taken, err = file.WriteAt([]byte("0123456789"), 2) })
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
