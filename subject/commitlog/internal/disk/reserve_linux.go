package disk

import "golang.org/x/sys/unix"

// Reserve leaves what is there as it is. Of a file for which there is not enough space ext4 keeps
// what it found, and a full disk would be fuller for it: that is given back.
func (f osFile) Reserve(size int64) error {
	before, err := f.Size()
	if err != nil {
		return err
	}
	err = call(f.File, "fallocate", func(fd int) error { return unix.Fallocate(fd, 0, 0, size) })
	if err != nil {
		f.Truncate(before)
	}
	return err
}
