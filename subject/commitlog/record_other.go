//go:build !amd64

package commitlog

const (
	hasShort = false
	hasFold  = false
)

// These are for other processors.
func copyShelved(*byte, int, *shelves, uint64) int   { return -1 }
func copyEntry(_, _ *byte, _ uint64, _ uint32) int   { return -1 }
func putEntry(_, _ *byte, _ int, _ uint64, _ uint32) {}
