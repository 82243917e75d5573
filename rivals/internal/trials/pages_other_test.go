//go:build !linux

package trials

import "testing"

const leastFaults = 1

func minorFaults(t *testing.T) int64 {
	t.Skip("pages are warmed on Linux")
	return 0
}
