//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"syscall"
	"testing"
)

// A process that is being started holds copies of all descriptors for a
// moment; a lock that was let go of must not wait for it.
func TestLockEndsDespiteACopy(t *testing.T) {
	dir := OS(t.TempDir())
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
