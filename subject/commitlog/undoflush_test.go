package commitlog

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// undoing is a disk that is not mapped, and full from a moment on. The first flush of the
// segment's file from then on waits for the second, which is told that writing failed.
type undoing struct {
	disk.Dir
	mu      sync.Mutex
	full    bool
	began   chan struct{} // the first flush
	told    chan struct{} // the second
	flushes int
}

type undoingFile struct {
	disk.File
	in *undoing
}

func (d *undoing) Mappable(int64) bool { return false }

func (d *undoing) Create(name string) (disk.File, error) {
	f, err := d.Dir.Create(name)
	if err == nil && name == segmentName(0) {
		f = undoingFile{f, d}
	}
	return f, err
}

// WriteAt takes a part of a value that is there when the disk is full.
func (f undoingFile) WriteAt(b []byte, at int64) (int, error) {
	f.in.mu.Lock()
	full := f.in.full && bytes.IndexByte(b, 'x') >= 0
	f.in.mu.Unlock()
	if !full {
		return f.File.WriteAt(b, at)
	}
	n, err := f.File.WriteAt(b[:len(b)/2], at)
	return n, errors.Join(err, &os.PathError{Op: "write", Path: segmentName(0), Err: syscall.ENOSPC})
}

func (f undoingFile) Sync() error {
	f.in.mu.Lock()
	n := 0
	if f.in.full {
		f.in.flushes++
		n = f.in.flushes
	}
	f.in.mu.Unlock()
	switch n {
	case 1:
		close(f.in.began)
		select {
		case <-f.in.told:
		case <-time.After(10 * time.Second):
		}
	case 2:
		defer close(f.in.told)
		return &os.PathError{Op: "fdatasync", Path: segmentName(0), Err: syscall.EIO}
	}
	return f.File.Sync()
}

// A full disk has an append undo what was written of it, which flushes the file. If that is
// told that writing failed, a Sync beside it may not be, and says so all the same.
func TestSyncBesideAnUndoneWrite(t *testing.T) {
	for _, durability := range []Durability{None, Interval} {
		under, err := disk.OS(t.TempDir(), 0)
		must(t, err)
		d := &undoing{Dir: under, began: make(chan struct{}), told: make(chan struct{})}
		f, err := openDir(d, FileOptions{Durability: durability, Interval: time.Hour})
		must(t, err)
		mustAppend(t, f, "acknowledged")
		d.mu.Lock()
		d.full = true
		d.mu.Unlock()
		synced := make(chan error, 1)
		go func() { synced <- f.Sync() }()
		<-d.began
		if _, err := f.Append(bytes.Repeat([]byte("x"), 10_000)); !errors.Is(err, syscall.EIO) {
			t.Errorf("%v: append: %v", durability, err)
		}
		if err := <-synced; !errors.Is(err, syscall.EIO) || f.Metrics().Safe != 0 {
			t.Errorf("%v: Sync says %v, and %d entries are safe", durability, err, f.Metrics().Safe)
		}
		f.Close()
	}
}
