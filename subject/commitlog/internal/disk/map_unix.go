//go:build (darwin || linux) && (amd64 || arm64 || loong64 || ppc64le || riscv64 || s390x)

package disk

import "syscall"

// Map maps the file, shared with whoever else does.
func (f osFile) Map(size int64) (*Memory, error) {
	var bytes []byte
	err := withDescriptor(f.File, "mmap", func(fd int) (err error) {
		bytes, err = syscall.Mmap(fd, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
		return err
	})
	if err != nil {
		return nil, err
	}
	m := NewMemory(bytes, func(bytes []byte) { syscall.Munmap(bytes) })
	m.file = true
	return m, nil
}

// Anonymous returns size bytes of zeros that are no file's, outside of what the
// collector looks after, and the race detector. They begin with a page, and take
// memory once they are stored to: small pages at first, and then large ones where there
// are such, since what is written past the cache from small ones is many pieces to a disk.
func Anonymous(size int64) *Memory {
	mapped, err := syscall.Mmap(-1, 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return &Memory{bytes: Aligned(size, Alignment)}
	}
	m := NewMemory(mapped, func(bytes []byte) { syscall.Munmap(bytes) })
	m.large(MostZeros)
	return m
}
