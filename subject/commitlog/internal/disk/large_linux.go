package disk

import "syscall"

// largePage is the size of a large page on most processors.
const largePage = 2 << 20

// adviseLarge asks for large pages. Memory without them is as good, but for time.
func adviseLarge(memory []byte) { syscall.Madvise(memory, syscall.MADV_HUGEPAGE) }
