//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// A process that is being started holds copies of all descriptors for a
// moment; a lock that was let go of must not wait for it.
func TestLockEndsDespiteACopy(t *testing.T) {
	dir := opened(t, t.TempDir())
	lock, err := dir.Lock("lock")
	if err != nil {
		t.Fatal(err)
	}
	copied, err := syscall.Dup(int(lock.(flock).Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(copied)
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := dir.Lock("lock")
	if err != nil {
		t.Fatalf("lock of what was let go: %v", err)
	}
	again.Close()
}

// A process without a descriptor to spare flushes the names nevertheless, until the
// directory is closed.
func TestSyncTakesNoDescriptor(t *testing.T) {
	dir := opened(t, t.TempDir())
	if err := withoutDescriptors(t, dir.Sync); err != nil {
		t.Error(err)
	}
	if err := dir.Close(); err != nil {
		t.Fatal(err)
	}
	if err := dir.Sync(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("behind Close: %v; is the directory held still?", err)
	}
}

// withoutDescriptors calls a function in a process that can open no file.
func withoutDescriptors(t *testing.T, call func() error) (err error) {
	t.Helper()
	limited(t, syscall.RLIMIT_NOFILE, func(l *syscall.Rlimit) { l.Cur = 0 }, func() { err = call() })
	return err
}
