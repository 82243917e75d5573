package main

// What no log of our kind can pass, since that alone takes so long.

import (
	"bytes"
	"hash/crc32"
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
	return float64(at) / t.meanSize() / time.Since(start).Seconds(), nil
}

// meanSize is that of a value, in bytes.
func (t trial) meanSize() float64 {
	if t.Payload == mixedSizes {
		return leastMixed * (1<<mixes - 1) / mixes
	}
	return float64(t.Payload)
}

// checksums returns how many records a second of a log in memory could be copied by the block, and
// held to their checksums, if nothing else were to be done.
func (t trial) checksums() (float64, error) {
	const head, block = 5, 128 << 10
	record := t.Payload + head
	records, castagnoli := make([]byte, t.Entries*record), crc32.MakeTable(crc32.Castagnoli)
	read, sum, start := 0, uint32(0), time.Now()
	for time.Since(start) < t.Window {
		for rest := records; len(rest) >= record; {
			b := bytes.Clone(rest[:min(len(rest), block)/record*record])
			rest = rest[len(b):]
			for ; len(b) > 0; b = b[record:] {
				sum = crc32.Update(sum, castagnoli, b[4:record])
				read++
			}
		}
	}
	return float64(read) / time.Since(start).Seconds(), nil
}
