package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

func files() []bottleneck {
	lock, system := []string{results.TimeLock}, []string{results.TimeSystem}
	return []bottleneck{
		{"one file for all", "each writes 256 KiB to one os.File, which has a lock inside", 4, lock, 0, "written", openOneFile},
		{"full pipe", "the reader of a pipe takes 1 ms for 64 KiB", 4, lock, 0.75, "piped", openFullPipe},
		// A flush is so short that who was given the lock waits for a processor for some of the time.
		{"flush under a lock", "each writes and flushes under one lock", 4, []string{results.TimeLock, results.TimeRunnable}, 0.75, "flushed under", openFlushUnderLock},
		{"flush, a file each", "each writes and flushes its own file", 4, []string{results.TimeFlush}, 0, "flushed", openFlushes},
		{"large reads", "1 MiB of zeros from the system", 2, system, 1, "zeros", openReads},
		{"large writes, a file each", "1 MiB into the cache", 2, system, 1, "own file", openWrites},
	}
}

func openOneFile(s harness.Setup) (harness.Instance, error) {
	file, err := os.Create(filepath.Join(s.Dir, "a"))
	data := make([]byte, 256<<10)
	return instance(func(int) {
		file.Write(data) // at: written
	}, file.Close), err
}

func openFullPipe(harness.Setup) (harness.Instance, error) {
	out, in, err := os.Pipe()
	var reader sync.WaitGroup
	reader.Go(func() {
		for b := make([]byte, 64<<10); err == nil; _, err = out.Read(b) {
			time.Sleep(time.Millisecond)
		}
		out.Close()
	})
	data := make([]byte, 64<<10)
	return instance(func(int) {
		in.Write(data) // at: piped
	}, func() error {
		err := in.Close()
		reader.Wait()
		return err
	}), err
}

func openFlushUnderLock(s harness.Setup) (harness.Instance, error) {
	file, err := os.Create(filepath.Join(s.Dir, "a"))
	var mu sync.Mutex
	return instance(func(int) {
		mu.Lock() // at: flushed under
		file.WriteString("foo")
		file.Sync()
		mu.Unlock()
	}, file.Close), err
}

// each opens a file for each goroutine.
func each(s harness.Setup, open func(g int) (*os.File, error)) (all []*os.File, end func() error, err error) {
	end = func() (err error) {
		for _, file := range all {
			err = errors.Join(err, file.Close())
		}
		return err
	}
	for g := range s.Goroutines {
		file, err := open(g)
		if err != nil {
			return nil, nil, errors.Join(err, end())
		}
		all = append(all, file)
	}
	return all, end, nil
}

func created(s harness.Setup) func(int) (*os.File, error) {
	return func(g int) (*os.File, error) { return os.Create(filepath.Join(s.Dir, strconv.Itoa(g))) }
}

func openFlushes(s harness.Setup) (harness.Instance, error) {
	all, end, err := each(s, created(s))
	return instance(func(g int) {
		all[g].WriteString("foo")
		all[g].Sync() // at: flushed
	}, end), err
}

func openReads(s harness.Setup) (harness.Instance, error) {
	all, end, err := each(s, func(int) (*os.File, error) { return os.Open("/dev/zero") })
	buffers := make([][1 << 20]byte, s.Goroutines)
	return instance(func(g int) {
		all[g].Read(buffers[g][:]) // at: zeros
	}, end), err
}

func openWrites(s harness.Setup) (harness.Instance, error) {
	all, end, err := each(s, created(s))
	data := make([]byte, 1<<20)
	return instance(func(g int) {
		all[g].WriteAt(data, 0) // at: own file
	}, end), err
}
