//go:build !amd64

package commitlog

const hasShort = false

// copyEntry and putEntry are for other processors.
func copyEntry(_, _ *byte, _ int, _ uint64, _ uint32) bool { return false }
func putEntry(_, _ *byte, _ int, _ uint64, _ uint32)       {}
