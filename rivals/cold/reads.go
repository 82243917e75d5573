package main

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// get returns the random reads a second of a full log.
func (t trial) get() (float64, error) {
	log, err := t.filled()
	if err != nil {
		return 0, err
	}
	var done atomic.Int64
	start := time.Now()
	err = t.each(func(g int) error {
		random := rand.New(rand.NewPCG(uint64(g), 1)).Uint64() | 1
		for n := 1; ; n++ {
			if _, err := log.get(draw(&random, t.Entries)); err != nil {
				return err
			}
			if n%256 == 0 && time.Since(start) >= t.Window {
				done.Add(int64(n))
				return nil
			}
		}
	})
	took := time.Since(start)
	if err == nil {
		err = log.close()
	}
	return float64(done.Load()) / took.Seconds(), err
}

// draw is a number below n, of xorshift64: what lies between two reads is short.
func draw(state *uint64, n int) uint64 {
	*state ^= *state << 13
	*state ^= *state >> 7
	*state ^= *state << 17
	index, _ := bits.Mul64(*state, uint64(n))
	return index
}

// coldReads is how many reads are made of a log that no cache holds.
const coldReads = 2000

// getCold returns the nanoseconds of such a read, or the KiB that it had the disk read.
func (t trial) getCold() (float64, error) {
	log, err := t.filled()
	if err == nil && t.Log == "file" {
		if err = log.close(); err == nil {
			log, err = t.reopened()
		}
	}
	if err == nil {
		err = dropCache()
	}
	if err != nil {
		return 0, err
	}
	before, err := bytesRead()
	if err != nil {
		return 0, err
	}
	random, start := uint64(88172645463325252), time.Now()
	for range coldReads {
		if _, err := log.get(draw(&random, t.Entries)); err != nil {
			return 0, err
		}
	}
	took := time.Since(start)
	after, err := bytesRead()
	if err == nil {
		err = log.close()
	}
	if t.What == readingCold {
		return float64(after-before) / 1024 / coldReads, err
	}
	return float64(took.Nanoseconds()) / coldReads, err
}

func (t trial) reopened() (full, error) {
	log, err := commitlog.OpenFile(logs.Within(t.Dir), commitlog.FileOptions{SegmentSize: t.Segment})
	if err != nil {
		return full{}, err
	}
	return full{func(i uint64) ([]byte, error) {
		entry, err := log.Get(i)
		return entry.Value, err
	}, log.Close}, nil
}

// bytesRead is what this process has had disks read.
func bytesRead() (n int64, err error) {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if _, err := fmt.Sscanf(string(line), "read_bytes: %d", &n); err == nil {
			return n, nil
		}
	}
	return 0, fmt.Errorf("/proc/self/io has no read_bytes")
}

// readInOrder returns the entries a second of a log that is read from its start on.
func (t trial) readInOrder() (float64, error) {
	if t.Log == "checksums" {
		return t.checksums()
	}
	once, closeIt, err := t.pass()
	if err != nil {
		return 0, err
	}
	read, start := 0, time.Now()
	for time.Since(start) < t.Window {
		n, err := once()
		if err == nil && n != t.Entries {
			err = fmt.Errorf("%d entries of %d were read", n, t.Entries)
		}
		if err != nil {
			return 0, err
		}
		read += n
	}
	return float64(read) / time.Since(start).Seconds(), closeIt()
}

// pass returns what reads a full log once, and what closes it.
func (t trial) pass() (once func() (int, error), closeIt func() error, err error) {
	if t.Log == "prometheus" {
		r, err := t.rival()
		if err != nil {
			return nil, nil, err
		}
		log, err := r.Open(t.Dir, 1)
		for i := 0; i < t.Entries && err == nil; i++ {
			err = log.Append(make([]byte, t.Payload))
		}
		if err != nil {
			return nil, nil, err
		}
		return func() (n int, err error) {
			err = r.Scan(t.Dir, func(value []byte) error { n++; _ = bytes.Clone(value); return nil })
			return n, err
		}, func() error { return nil }, log.Close()
	}
	log, err := t.filled()
	if err != nil || t.Log != "file" {
		return func() (int, error) {
			for i := range t.Entries {
				if _, err := log.get(uint64(i)); err != nil {
					return i, err
				}
			}
			return t.Entries, nil
		}, log.close, err
	}
	if err = log.close(); err != nil {
		return nil, nil, err
	}
	ours, err := commitlog.OpenFile(logs.Within(t.Dir), commitlog.FileOptions{})
	if err != nil {
		return nil, nil, err
	}
	return func() (n int, err error) {
		for _, err := range ours.Entries(0) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}, ours.Close, nil
}
