//go:build (darwin || linux) && (amd64 || arm64 || loong64 || ppc64le || riscv64 || s390x)

package disk

import (
	"os"
	"syscall"
)

// Map maps the file, shared with whoever else does.
func (f osFile) Map(size int64) (*Memory, error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return nil, err
	}
	protection := syscall.PROT_READ | syscall.PROT_WRITE
	var bytes []byte
	var failure error
	err = raw.Control(func(fd uintptr) {
		bytes, failure = syscall.Mmap(int(fd), 0, int(size), protection, syscall.MAP_SHARED)
	})
	if err == nil && failure != nil {
		err = &os.PathError{Op: "mmap", Path: f.Name(), Err: failure}
	}
	if err != nil {
		return nil, err
	}
	return NewMemory(bytes, func(bytes []byte) { syscall.Munmap(bytes) }), nil
}

// Anonymous returns memory of no file, outside of what the collector looks
// after, and the race detector. It begins with a page; with a large one, if these
// are asked for and the system has them. What is only read takes none.
func Anonymous(size int64, large bool) *Memory {
	align := int64(os.Getpagesize())
	if large {
		align = largePage
	}
	mapped, err := syscall.Mmap(-1, 0, int(size+align), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return &Memory{Aligned(size, align)}
	}
	if large {
		adviseLarge(mapped)
	}
	return NewMemory(Align(mapped, size, align), func([]byte) { syscall.Munmap(mapped) })
}
