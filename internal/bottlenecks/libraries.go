package main

import (
	"io"
	"log"
	"sync"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// libraryLocks are locks inside packages that the operation calls.
func libraryLocks() []bottleneck {
	lock := []string{results.TimeLock}
	return []bottleneck{
		{"logger", "package log before a writer that takes 1 ms", 4, lock, 0.75, "logging", openLogger},
		{"pipe of package io", "a reader that takes 1 ms", 4, lock, 0.75, "piping", openIOPipe},
		{"once", "each finds a call of Once under way, which takes 2 ms", 4, lock, 0, "once", openOnce},
		{"map of package sync", "hits alone", 2, []string{results.TimeRunning}, 1, "", openSyncMap},
	}
}

type slowWriter struct{}

func (slowWriter) Write(b []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return len(b), nil
}

func openLogger(harness.Setup) (harness.Instance, error) {
	l := log.New(slowWriter{}, "", 0)
	return instance(func(int) {
		l.Print("foo") // at: logging
	}, nil), nil
}

func openIOPipe(harness.Setup) (harness.Instance, error) {
	out, in := io.Pipe()
	var reader sync.WaitGroup
	reader.Go(func() {
		for b := make([]byte, 8); ; time.Sleep(time.Millisecond) {
			if _, err := out.Read(b); err != nil {
				return
			}
		}
	})
	return instance(func(int) {
		in.Write([]byte("foo")) // at: piping
	}, func() error {
		in.Close()
		reader.Wait()
		return nil
	}), nil
}

func openOnce(harness.Setup) (harness.Instance, error) {
	var mu sync.Mutex
	once, users := new(sync.Once), 0
	return instance(func(int) {
		mu.Lock()
		mine := once
		if users++; users%4 == 0 {
			once = new(sync.Once)
		}
		mu.Unlock()
		mine.Do(func() { time.Sleep(2 * time.Millisecond) }) // at: once
	}, nil), nil
}

func openSyncMap(harness.Setup) (harness.Instance, error) {
	var m sync.Map
	m.Store(1, 1)
	return instance(func(int) {
		for range 20_000 {
			m.Load(1)
		}
	}, nil), nil
}
