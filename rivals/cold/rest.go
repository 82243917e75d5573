package main

import (
	"io/fs"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/syncwrite/syncwrite/rivals/internal/logs"
	"github.com/syncwrite/syncwrite/subject/commitlog"
)

// open returns the seconds that opening takes after a kill, with the pages in the
// system's cache.
func (t trial) open() (float64, error) {
	if err := t.fillElsewhere(); err != nil {
		return 0, err
	}
	start := time.Now()
	log, err := commitlog.OpenFile(logs.Within(t.Dir), commitlog.FileOptions{SegmentSize: t.Segment})
	took := time.Since(start)
	if err != nil {
		return 0, err
	}
	return took.Seconds(), log.Close()
}

// size returns the bytes on the disk for each byte of a value.
func (t trial) size() (float64, error) {
	log, err := t.opened()
	for i := 0; i < t.Entries && err == nil; i++ {
		err = log.Append(make([]byte, t.Payload))
	}
	if err == nil {
		err = log.Close()
	}
	blocks := int64(0)
	if err == nil {
		err = filepath.WalkDir(t.Dir, func(path string, _ fs.DirEntry, err error) error {
			var info syscall.Stat_t
			if err == nil {
				err = syscall.Lstat(path, &info)
				blocks += info.Blocks
			}
			return err
		})
	}
	return float64(512*blocks) / float64(t.Entries*t.Payload), err
}

const (
	paceEvery = time.Second / 60_000
	paced     = 300_000 // appends: five seconds
)

// pace returns the microseconds, from when it was due, that all but one in 10,000 of
// the appends of one writer took at most; or that the longest took.
func (t trial) pace() (float64, error) {
	log, err := t.opened()
	if err != nil {
		return 0, err
	}
	value, late := make([]byte, t.Payload), make([]int64, paced)
	start := time.Now()
	for i := range late {
		due := time.Duration(i) * paceEvery
		for time.Since(start) < due {
		}
		if err := log.Append(value); err != nil {
			return 0, err
		}
		late[i] = int64(time.Since(start) - due)
	}
	if err := log.Close(); err != nil {
		return 0, err
	}
	slices.Sort(late)
	if t.What == pacingMost {
		return float64(late[paced-1]) / 1e3, nil
	}
	return float64(late[paced-1-paced/10_000]) / 1e3, nil
}
