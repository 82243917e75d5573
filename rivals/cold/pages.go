package main

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// freshPages returns how many values a second would go into the pages that the system finds
// for a file that is mapped if nothing else were to be done: space is reserved, zeros are
// written by the piece, as our log does it, and the pages mapped.
func (t trial) freshPages() (rate float64, err error) {
	file, err := os.Create(filepath.Join(t.Dir, "pages"))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	const piece, most = 4 << 20, 8 << 30
	mapped, err := unix.Mmap(int(file.Fd()), 0, most, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return 0, err
	}
	defer unix.Munmap(mapped)
	zeros := make([]byte, 256<<10)
	start, at := time.Now(), int64(0)
	for ; at < most && time.Since(start) < t.Window; at += piece {
		if err := unix.Fallocate(int(file.Fd()), 0, at, piece); err != nil {
			return 0, err
		}
		for written := int64(0); written < piece; written += int64(len(zeros)) {
			if _, err := file.WriteAt(zeros, at+written); err != nil {
				return 0, err
			}
		}
		if err := unix.Madvise(mapped[at:at+piece], unix.MADV_POPULATE_WRITE); err != nil {
			return 0, err
		}
	}
	return float64(at/int64(t.Payload)) / time.Since(start).Seconds(), nil
}
