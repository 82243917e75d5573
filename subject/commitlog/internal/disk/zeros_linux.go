package disk

import (
	"sync"

	"golang.org/x/sys/unix"
)

// Zeros returns MostZeros bytes that are zero for ever, and that nobody may store to. They
// are in one large page, where the system has such: what is written past the cache from
// small ones is hundreds of pieces to a disk. As nobody stores to it, it is the one that
// all processes share.
var Zeros = sync.OnceValue(func() []byte {
	mapped, err := unix.Mmap(-1, 0, 2*MostZeros, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return Aligned(MostZeros, Alignment)
	}
	unix.Madvise(mapped, unix.MADV_HUGEPAGE)
	return Align(mapped, MostZeros, MostZeros)
})
