package memory

import (
	"errors"
	"os"
	"syscall"
)

// Warm uses so many bytes of free memory, a quarter of what there is at most, and
// gives them back. Large pieces of it are what the system hands out next, to
// anonymous memory and to files.
func Warm(size int64) error {
	available, err := Available()
	if err != nil {
		return err
	}
	const private = syscall.MAP_PRIVATE | syscall.MAP_ANON
	size = min(size, available/4)
	mem, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, private)
	if err != nil {
		return os.NewSyscallError("mmap", err)
	}
	// A system without huge pages refuses the advice, and hands out small ones.
	if err := syscall.Madvise(mem, syscall.MADV_HUGEPAGE); err != nil && err != syscall.EINVAL {
		return errors.Join(os.NewSyscallError("madvise", err), syscall.Munmap(mem))
	}
	for at := 0; at < len(mem); at += os.Getpagesize() {
		mem[at] = 1
	}
	return os.NewSyscallError("munmap", syscall.Munmap(mem))
}
