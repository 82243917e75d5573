package main

import (
	"errors"
	"os"
	"syscall"
)

// warmPages uses so many bytes of free memory, a quarter of what there is at
// most, and gives them back. Large pieces of it are what the
// system hands out next, to anonymous memory and to files.
func warmPages(size int64) error {
	available, err := memAvailable()
	if err != nil {
		return err
	}
	const private = syscall.MAP_PRIVATE | syscall.MAP_ANON
	size = min(size, available/4)
	memory, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, private)
	if err != nil {
		return os.NewSyscallError("mmap", err)
	}
	// A system without huge pages refuses the advice, and hands out small ones.
	if err := syscall.Madvise(memory, syscall.MADV_HUGEPAGE); err != nil && err != syscall.EINVAL {
		return errors.Join(os.NewSyscallError("madvise", err), syscall.Munmap(memory))
	}
	for at := 0; at < len(memory); at += os.Getpagesize() {
		memory[at] = 1
	}
	return os.NewSyscallError("munmap", syscall.Munmap(memory))
}
