package logs

import (
	"sync"

	"github.com/tidwall/wal"
)

// tidwallRivals is github.com/tidwall/wal with its defaults; Options.NoSync is
// its own switch for "less durable".
func tidwallRivals() []Rival {
	return []Rival{
		{"tidwall", "tidwall/wal, NoSync: one write(2) per append", Ordered(ProcessCrash), openTidwall(true), scanTidwall},
		{"tidwall-durable", "tidwall/wal: one write and one fsync per append", Ordered(PowerCut), openTidwall(false), scanTidwall},
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

func openTidwall(noSync bool) func(string, int) (Appender, error) {
	return func(dir string, _ int) (Appender, error) { return openTidwallWith(dir, tidwallOptions(noSync)) }
}

// OpenTidwallToRead is a log as tidwallRivals has it, tuned for reads.
func OpenTidwallToRead(dir string, _ int) (Appender, error) {
	return openTidwallWith(dir, TidwallReadOptions())
}

func openTidwallWith(dir string, options *wal.Options) (Appender, error) {
	log, err := wal.Open(Within(dir), options)
	return &tidwallLog{Log: log}, err
}

func tidwallOptions(noSync bool) *wal.Options {
	options := *wal.DefaultOptions
	options.NoSync = noSync
	return &options
}

// TidwallReadOptions raise SegmentCacheSize, which the documentation advises
// for reads, so that no read waits for a segment to be loaded.
func TidwallReadOptions() *wal.Options {
	options := tidwallOptions(true)
	options.SegmentCacheSize = 1 << 10
	return options
}

func scanTidwall(dir string, each func([]byte) error) error {
	log, err := wal.Open(Within(dir), nil)
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
