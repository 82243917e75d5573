package main

// What no log of our kind can pass, since that alone takes so long.

import (
	"bytes"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A filling is a file that is mapped, and gets its pages as our log finds them when it is in a hurry: space is
// reserved, for two thirds zeros are written by the piece and mapped, and beside that the last third is found page by page.
type filling struct {
	file   *os.File
	mapped []byte
	at     int64
}

const pieceOfFilling = 4 << 20

func newFilling(path string, most int) (*filling, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	mapped, err := unix.Mmap(int(file.Fd()), 0, most, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &filling{file: file, mapped: mapped}, nil
}

// more finds the next piece of pages.
func (f *filling) more(zeros []byte) error {
	if err := unix.Fallocate(int(f.file.Fd()), 0, f.at, pieceOfFilling); err != nil {
		return err
	}
	from := f.at
	f.at += pieceOfFilling
	split, beside := f.at-pieceOfFilling/3, make(chan error)
	go func() { beside <- f.populate(split, from+pieceOfFilling) }()
	var err error
	for at := from; at < split && err == nil; at += int64(len(zeros)) {
		_, err = f.file.WriteAt(zeros[:min(int64(len(zeros)), split-at)], at)
	}
	if err == nil {
		err = f.populate(from, split)
	}
	return errors.Join(err, <-beside)
}

// populate has the pages mapped that lie in a part of the file.
func (f *filling) populate(from, to int64) error {
	page := int64(os.Getpagesize())
	return unix.Madvise(f.mapped[from/page*page:to], unix.MADV_POPULATE_WRITE)
}

// close unmaps the file, and flushes it if that is asked for.
func (f *filling) close(flush bool) error {
	err := unix.Munmap(f.mapped)
	if err == nil && flush {
		err = f.file.Sync()
	}
	return errors.Join(err, f.file.Close())
}

// freshPages returns how many values a second would go into the pages that the system finds
// if nothing else were to be done.
func (t trial) freshPages() (rate float64, err error) {
	const most = 8 << 30
	f, err := newFilling(filepath.Join(t.Dir, "pages"), most)
	if err != nil {
		return 0, err
	}
	zeros, start := make([]byte, 256<<10), time.Now()
	for f.at < most && time.Since(start) < t.Window && err == nil {
		err = f.more(zeros)
	}
	return float64(f.at) / t.meanSize() / time.Since(start).Seconds(), errors.Join(err, f.close(false))
}

// flushedPages returns how many would go into the pages of files as large as our log's segments, which
// are flushed one after the other beside that; as many as our log lets wait for it may wait.
func (t trial) flushedPages() (rate float64, err error) {
	const segment, waiting = 128 << 20, 24
	full, flushed := make(chan *filling, waiting), make(chan error, 1)
	go func() {
		var err error
		for f := range full {
			err = errors.Join(err, f.close(true))
		}
		flushed <- err
	}()
	total := float64(t.Entries) * t.meanSize()
	zeros, start, filled := make([]byte, 256<<10), time.Now(), 0.0
	for n := 0; filled < total && err == nil; n++ {
		var f *filling
		if f, err = newFilling(filepath.Join(t.Dir, strconv.Itoa(n)), segment); err != nil {
			break
		}
		for f.at < segment && filled < total && err == nil {
			err = f.more(zeros)
			filled += pieceOfFilling
		}
		full <- f
	}
	took := time.Since(start)
	close(full)
	return filled / t.meanSize() / took.Seconds(), errors.Join(err, <-flushed)
}

// meanSize is that of a value, in bytes.
func (t trial) meanSize() float64 {
	if t.Payload == mixedSizes {
		return leastMixed * (1<<mixes - 1) / mixes
	}
	return float64(t.Payload)
}

// recordHead is how many bytes a record of ours has before a value this short: a checksum, and a byte.
const recordHead = 5

// filledMapping is a mapped file as large as our log's, of which a read copies a value, takes its checksum,
// and looks at nothing else.
func (t trial) filledMapping() (full, error) {
	record := t.Payload + recordHead
	most := (t.Entries*record + pieceOfFilling - 1) / pieceOfFilling * pieceOfFilling
	f, err := newFilling(filepath.Join(t.Dir, "mapping"), most)
	if err != nil {
		return full{}, err
	}
	zeros := make([]byte, 256<<10)
	for f.at < int64(most) && err == nil {
		err = f.more(zeros)
	}
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	sum := crc32.Checksum(zeros[:t.Payload], castagnoli)
	return full{func(i uint64) ([]byte, error) {
		at := int(i) * record
		value := bytes.Clone(f.mapped[at : at+t.Payload])
		if crc32.Checksum(value, castagnoli) != sum {
			return nil, errors.New("a value is not zeros")
		}
		return value, nil
	}, func() error { return f.close(false) }}, err
}

// checksums returns how many records a second of a log in memory could be copied by the block, and
// held to their checksums, if nothing else were to be done.
func (t trial) checksums() (float64, error) {
	const block = 128 << 10
	record := t.Payload + recordHead
	records, castagnoli := make([]byte, t.Entries*record), crc32.MakeTable(crc32.Castagnoli)
	read, sum, start := 0, uint32(0), time.Now()
	for time.Since(start) < t.Window {
		for rest := records; len(rest) >= record; {
			b := bytes.Clone(rest[:min(len(rest), block)/record*record])
			rest = rest[len(b):]
			for ; len(b) > 0; b = b[record:] {
				sum = crc32.Update(sum, castagnoli, b[recordHead-1:record])
				read++
			}
		}
	}
	return float64(read) / time.Since(start).Seconds(), nil
}
