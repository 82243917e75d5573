//go:build unix

package disk

import (
	"syscall"
	"testing"
)

// limited calls a function in a process that has less of a resource.
func limited(t *testing.T, resource int, less func(*syscall.Rlimit), call func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(resource, &before); err != nil {
		t.Fatal(err)
	}
	limit := before
	less(&limit)
	if err := syscall.Setrlimit(resource, &limit); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(resource, &before)
	call()
}
