package memory

import (
	"errors"
	"os"
	"syscall"
)

// Hold uses so many bytes of free memory, a quarter of what there is at most,
// until release gives them back. Large pieces of it are what the system hands out
// next, to anonymous memory and to files.
func Hold(size int64) (release func() error, err error) {
	available, err := Available()
	if err != nil {
		return nil, err
	}
	const private = syscall.MAP_PRIVATE | syscall.MAP_ANON
	size = min(size, available/4)
	mem, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, private)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	// A system without huge pages refuses the advice, and hands out small ones.
	if err := syscall.Madvise(mem, syscall.MADV_HUGEPAGE); err != nil && err != syscall.EINVAL {
		return nil, errors.Join(os.NewSyscallError("madvise", err), syscall.Munmap(mem))
	}
	for at := 0; at < len(mem); at += os.Getpagesize() {
		mem[at] = 1
	}
	return func() error { return os.NewSyscallError("munmap", syscall.Munmap(mem)) }, nil
}
