package harness

import (
	"os"
	"testing"
)

// A hidden /proc must not make a disk of what is memory.
func TestMemoryIsKnownWithoutProc(t *testing.T) {
	const shared = "/dev/shm"
	text, _ := os.ReadFile("/proc/self/mountinfo")
	if findMount(string(text), shared).FileSystem != "tmpfs" {
		t.Skip("no tmpfs at " + shared)
	}
	if got := memoryAt(shared); got != "tmpfs" {
		t.Errorf("%s is %q, want tmpfs", shared, got)
	}
	if got := memoryAt("/proc"); got != "" {
		t.Errorf("/proc is %q", got)
	}
}
