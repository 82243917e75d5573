package main

import (
	"sync"

	"github.com/tidwall/wal"
)

// tidwallRivals is github.com/tidwall/wal with its defaults; Options.NoSync is
// its own switch for "less durable".
func tidwallRivals() []rival {
	return []rival{
		{"tidwall", "tidwall/wal, NoSync: one write(2) per append", ordered(processCrash), openTidwall(true), scanTidwall},
		{"tidwall-durable", "tidwall/wal: one write and one fsync per append", ordered(powerCut), openTidwall(false), scanTidwall},
	}
}

// tidwallLog draws the index that Write wants of its caller. It takes
// LastIndex()+1 and nothing else, so that concurrent writers need a lock around
// the drawing and the writing.
type tidwallLog struct {
	*wal.Log
	mu    sync.Mutex
	index uint64
}

func (l *tidwallLog) Append(value []byte) error {
	_, err := l.Add(value)
	return err
}

func (l *tidwallLog) Add(value []byte) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.Write(l.index+1, value); err != nil {
		return 0, err
	}
	l.index++
	return l.index, nil
}

func (l *tidwallLog) Fetch(index uint64, _ []byte) ([]byte, error) { return l.Read(index) }

func openTidwall(noSync bool) func(string, int) (appender, error) {
	return func(dir string, _ int) (appender, error) { return openTidwallWith(dir, tidwallOptions(noSync)) }
}

// openTidwallToRead is a log as tidwallRivals has it, tuned for reads.
func openTidwallToRead(dir string, _ int) (appender, error) {
	return openTidwallWith(dir, tidwallReadOptions())
}

func openTidwallWith(dir string, options *wal.Options) (appender, error) {
	log, err := wal.Open(within(dir), options)
	return &tidwallLog{Log: log}, err
}

func tidwallOptions(noSync bool) *wal.Options {
	options := *wal.DefaultOptions
	options.NoSync = noSync
	return &options
}

// tidwallReadOptions raise SegmentCacheSize, which the documentation advises
// for reads, so that no read waits for a segment to be loaded.
func tidwallReadOptions() *wal.Options {
	options := tidwallOptions(true)
	options.SegmentCacheSize = 1 << 10
	return options
}

func scanTidwall(dir string, each func([]byte) error) error {
	log, err := wal.Open(within(dir), nil)
	if err != nil {
		return err
	}
	defer log.Close()
	last, err := log.LastIndex()
	if err != nil {
		return err
	}
	for index := uint64(1); index <= last; index++ {
		value, err := log.Read(index)
		if err != nil {
			return err
		}
		if err := each(value); err != nil {
			return err
		}
	}
	return nil
}
