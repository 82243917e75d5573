package logtest

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/commitlog/naive"
)

// adapted gives a naive log today's interface. Its own lock is what an index
// costs where Append does not return one.
type adapted struct {
	inner naive.Log
	mu    sync.Mutex
	next  uint64
}

func (a *adapted) Append(value []byte) (uint64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.inner.Append(value); err != nil {
		return 0, err
	}
	a.next++
	return a.next - 1, nil
}

func (a *adapted) Get(index uint64) (commitlog.Entry, error) {
	entry, err := a.inner.Get(int(index))
	if err != nil {
		return commitlog.Entry{}, errors.Join(commitlog.ErrNotFound, err)
	}
	return commitlog.Entry{Index: uint64(entry.Index), Value: entry.Value}, nil
}

func (a *adapted) Close() error { return a.inner.Close() }

func openNaive(inner naive.Log, path string) (commitlog.Log, error) {
	if err := inner.Open(path); err != nil {
		return nil, err
	}
	next := uint64(0)
	for ; ; next++ {
		if _, err := inner.Get(int(next)); err != nil {
			return &adapted{inner: inner, next: next}, nil
		}
	}
}

func openNaiveFile(path string) (commitlog.Log, error) { return openNaive(new(naive.FileLog), path) }

// The naive logs keep order and lose nothing. They do not copy, do not know
// that they are closed, and do not outlive a full disk.
func TestNaiveLogs(t *testing.T) {
	for name, inner := range map[string]func() naive.Log{
		"memory": func() naive.Log { return new(naive.InMemoryLog) },
		"file":   func() naive.Log { return new(naive.FileLog) },
	} {
		for what, check := range map[string]func(commitlog.Log) error{
			"concurrent appends": CheckConcurrentAppends,
			"get during appends": CheckGetDuringAppends,
			"linearizable":       CheckLinearizable,
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				log, err := openNaive(inner(), filepath.Join(t.TempDir(), "log"))
				if err != nil {
					t.Fatal(err)
				}
				defer log.Close()
				report(t, check(log))
			})
		}
	}
}

func TestNaiveFileSurvivesAProcessCrash(t *testing.T) {
	report(t, CheckCrash(openNaiveFile, t.TempDir()))
	report(t, CheckBadPath(openNaiveFile, t.TempDir()))
}
