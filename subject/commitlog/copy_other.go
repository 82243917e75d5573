//go:build !amd64

package commitlog

const canCopyEntry = false

// copyEntry is for other processors.
func copyEntry(_, _ *byte, _ int, _ uint64, _ uint32) bool { return false }
