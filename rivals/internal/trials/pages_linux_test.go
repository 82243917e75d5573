package trials

import (
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/rivals/internal/memory"
)

// leastFaults is one for each huge page of what is warmed at least.
const leastFaults = memory.Least / (2 << 20)

// minorFaults is how often this process touched a page that it had not.
func minorFaults(t *testing.T) int64 {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return usage.Minflt
}
