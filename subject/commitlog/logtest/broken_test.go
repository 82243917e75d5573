package logtest

import (
	"errors"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/syncwrite/syncwrite/subject/commitlog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A broken log is a good one in memory with one planted defect.
type broken struct {
	commitlog.Log
	defect

	mu    sync.Mutex
	count int
}

// A defect replaces what is not nil.
type defect struct {
	append func(b *broken, value []byte) (uint64, error)
	get    func(b *broken, index uint64) (commitlog.Entry, error)
}

func (b *broken) Append(value []byte) (uint64, error) {
	if b.append == nil {
		return b.Log.Append(value)
	}
	return b.append(b, value)
}

func (b *broken) Get(index uint64) (commitlog.Entry, error) {
	if b.get == nil {
		return b.Log.Get(index)
	}
	return b.get(b, index)
}

// every reports true once in n calls.
func (b *broken) every(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count++
	return b.count%n == 0
}

func (b *broken) length() uint64 { return b.Log.(*commitlog.Memory).Next() }

func newBroken(planted defect) *broken {
	return &broken{Log: commitlog.OpenMemory(commitlog.MemoryOptions{}), defect: planted}
}

// The defects that were seen in real logs, or could be.
var (
	lost = defect{append: func(b *broken, value []byte) (uint64, error) {
		if b.every(50) {
			return b.length(), nil
		}
		return b.Log.Append(value)
	}}
	duplicated = defect{append: func(b *broken, value []byte) (uint64, error) {
		index, err := b.Log.Append(value)
		if b.every(50) {
			index -= min(index, 1)
		}
		return index, err
	}}
	skipping = defect{append: func(b *broken, value []byte) (uint64, error) {
		if b.every(50) {
			b.Log.Append(nil)
		}
		return b.Log.Append(value)
	}}
	indexOutsideLock = defect{append: func(b *broken, value []byte) (uint64, error) {
		index := b.length()
		runtime.Gosched()
		_, err := b.Log.Append(value)
		return index, err
	}}
	stale = defect{get: func(b *broken, index uint64) (commitlog.Entry, error) {
		if index+1 >= b.length() { // the newest entry is not shown yet
			return commitlog.Entry{}, commitlog.ErrNotFound
		}
		return b.Log.Get(index)
	}}
	visibleEarly = defect{get: func(b *broken, index uint64) (commitlog.Entry, error) {
		entry, err := b.Log.Get(index)
		if err != nil && index == b.length() { // the place is reserved, the value is not there
			return commitlog.Entry{Index: index}, nil
		}
		return entry, err
	}}
	fickle = defect{get: func(b *broken, index uint64) (commitlog.Entry, error) {
		entry, err := b.Log.Get(index)
		if b.every(50) {
			entry.Value = []byte("something else")
		}
		return entry, err
	}}
	wrongEntry = defect{get: func(b *broken, index uint64) (commitlog.Entry, error) {
		return b.Log.Get(index / 2)
	}}
)

func TestChecksRejectDefects(t *testing.T) {
	for _, c := range []struct {
		name    string
		planted defect
		check   func(commitlog.Log) error
	}{
		{"lost append, concurrent", lost, CheckConcurrentAppends},
		{"lost append, linearizable", lost, CheckLinearizable},
		{"duplicated index, concurrent", duplicated, CheckConcurrentAppends},
		{"duplicated index, linearizable", duplicated, CheckLinearizable},
		{"skipped index, concurrent", skipping, CheckConcurrentAppends},
		{"index outside lock, concurrent", indexOutsideLock, CheckConcurrentAppends},
		{"index outside lock, linearizable", indexOutsideLock, CheckLinearizable},
		{"stale get, during appends", stale, CheckGetDuringAppends},
		{"stale get, linearizable", stale, CheckLinearizable},
		{"visible early, values", visibleEarly, CheckValues},
		{"visible early, during appends", visibleEarly, CheckGetDuringAppends},
		{"visible early, linearizable", visibleEarly, CheckLinearizable},
		{"fickle get, during appends", fickle, CheckGetDuringAppends},
		{"wrong entry, values", wrongEntry, CheckValues},
		{"wrong entry, during appends", wrongEntry, CheckGetDuringAppends},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.check(newBroken(c.planted))
			if err == nil {
				t.Error("the check found nothing")
			}
			t.Log(err)
		})
	}
}

func TestLinearizabilityIsRefuted(t *testing.T) {
	if err := CheckLinearizable(newBroken(stale)); !errors.Is(err, errNotLinearizable) {
		t.Errorf("got %v, want a refutation and not a timeout", err)
	}
}

func TestChecksAcceptASoundLog(t *testing.T) {
	for _, check := range []func(commitlog.Log) error{
		CheckValues, CheckConcurrentAppends, CheckGetDuringAppends, CheckLinearizable, CheckClosed,
	} {
		if err := check(newBroken(defect{})); err != nil {
			t.Error(err)
		}
	}
}

// sharing is a log that keeps the caller's memory and hands out its own.
type sharing struct {
	mu     sync.Mutex
	values [][]byte
}

func (s *sharing) Append(value []byte) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(value) > commitlog.MaxValueSize {
		return 0, commitlog.ErrTooLarge
	}
	s.values = append(s.values, value)
	return uint64(len(s.values) - 1), nil
}

func (s *sharing) Get(index uint64) (commitlog.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if index >= uint64(len(s.values)) {
		return commitlog.Entry{}, commitlog.ErrNotFound
	}
	return commitlog.Entry{Index: index, Value: s.values[index]}, nil
}

func (s *sharing) Close() error { return nil }

// lending copies what comes in and hands out its own memory.
type lending struct{ sharing }

func (l *lending) Append(value []byte) (uint64, error) {
	return l.sharing.Append(append([]byte(nil), value...))
}

func TestChecksRejectSharedMemoryAndLateUse(t *testing.T) {
	for name, err := range map[string]error{
		"shared":   CheckValues(new(sharing)),
		"lent":     CheckValues(new(lending)),
		"late use": CheckClosed(new(sharing)),
	} {
		if err == nil {
			t.Errorf("%s: the check found nothing", name)
		}
	}
}

// swallowing reports success for appends that failed.
type swallowing struct{ *commitlog.File }

func (s swallowing) Append(value []byte) (uint64, error) {
	index, err := s.File.Append(value)
	if err != nil {
		return s.Next(), nil
	}
	return index, nil
}

// dropping forgets its last entry when it is closed or crashes.
type dropping struct {
	*commitlog.File
	mu   sync.Mutex
	held []byte
	any  bool
}

func (d *dropping) Append(value []byte) (uint64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.any {
		if _, err := d.File.Append(d.held); err != nil {
			return 0, err
		}
	}
	d.held, d.any = append([]byte(nil), value...), true
	return d.Next(), nil
}

// late writes what it holds only when it is closed.
type late struct{ dropping }

func (l *late) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.any {
		l.any = false
		if _, err := l.File.Append(l.held); err != nil {
			return err
		}
	}
	return l.File.Close()
}

// narrow takes no value over 2 MiB.
type narrow struct{ *commitlog.File }

func (n narrow) Append(value []byte) (uint64, error) {
	if len(value) > 2<<20 {
		return 0, commitlog.ErrTooLarge
	}
	return n.File.Append(value)
}

func openFile(path string) (*commitlog.File, error) {
	return commitlog.OpenFile(path, commitlog.FileOptions{})
}

func TestChecksRejectForgetfulLogs(t *testing.T) {
	openDropping := func(path string) (commitlog.Log, error) {
		file, err := openFile(path)
		return &dropping{File: file}, err
	}
	openLate := func(path string) (commitlog.Log, error) {
		file, err := openFile(path)
		return &late{dropping{File: file}}, err
	}
	openAnywhere := func(string) (commitlog.Log, error) {
		return commitlog.OpenMemory(commitlog.MemoryOptions{}), nil
	}
	openBlind := func(path string) (commitlog.Log, error) {
		file, err := openFile(path)
		if err != nil {
			return nil, err
		}
		for index := range file.Next() {
			if entry, err := file.Get(index); err == nil && len(entry.Value) == 0 {
				return file, file.TruncateSuffix(index)
			}
		}
		return file, nil
	}
	openNarrow := func(path string) (commitlog.Log, error) {
		file, err := openFile(path)
		return narrow{file}, err
	}
	for name, err := range map[string]error{
		"dropped on close":  CheckReopen(openDropping, t.TempDir()),
		"written on close":  CheckCrash(openLate, t.TempDir()),
		"ends where empty":  CheckReopenValues(openBlind, t.TempDir()),
		"takes no large":    CheckReopenValues(openNarrow, t.TempDir()),
		"memory, reopened":  CheckReopen(openAnywhere, t.TempDir()),
		"path of no effect": CheckBadPath(openAnywhere, t.TempDir()),
	} {
		if err == nil {
			t.Errorf("%s: the check found nothing", name)
		}
	}
}

func TestFullDiskCheckRejectsSwallowedErrors(t *testing.T) {
	open := func(path string) (commitlog.Log, error) {
		file, err := openFile(path)
		return swallowing{file}, err
	}
	if CheckFullDisk(open, smallDisk(t)) == nil {
		t.Error("the check found nothing")
	}
}

func TestBadPathCheckAcceptsAnError(t *testing.T) {
	open := func(path string) (commitlog.Log, error) { return openFile(filepath.Clean(path)) }
	if err := CheckBadPath(open, t.TempDir()); err != nil {
		t.Error(err)
	}
}
