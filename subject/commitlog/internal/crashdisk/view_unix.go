//go:build unix

package crashdisk

import (
	"syscall"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// newView returns memory that the race detector does not watch: a disk that
// looks at it while somebody stores there does what disks do.
func newView(size int) (*disk.Memory, error) {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, err
	}
	return disk.NewMemory(b, func(b []byte) { syscall.Munmap(b) }), nil
}
