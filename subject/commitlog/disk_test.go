package commitlog

import (
	"bytes"
	"io"
	"io/fs"
	"sync"
	"testing"
)

// A fakeDisk is storage in memory that knows what a power cut would leave and
// fails where it is told to. A nil hook does nothing.
type fakeDisk struct {
	onWrite    func(n int) (int, error) // how many bytes of n to take
	onSync     func() error
	onTruncate func() error

	mu         sync.Mutex
	data       []byte
	synced     []byte // what the disk is sure to have
	syncs      int
	nameSynced bool
	closed     bool
}

func (d *fakeDisk) ReadAt(p []byte, off int64) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return 0, fs.ErrClosed
	}
	if off >= int64(len(d.data)) {
		return 0, io.EOF
	}
	n := copy(p, d.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (d *fakeDisk) WriteAt(p []byte, off int64) (int, error) {
	n, err := len(p), error(nil)
	if d.onWrite != nil {
		n, err = d.onWrite(n)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if end := int(off) + n; end > len(d.data) {
		d.data = append(d.data, make([]byte, end-len(d.data))...)
	}
	copy(d.data[off:], p[:n])
	return n, err
}

func (d *fakeDisk) Truncate(size int64) error {
	if d.onTruncate != nil {
		if err := d.onTruncate(); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.data = d.data[:size]
	return nil
}

// Sync makes safe what was written before it was called, and no more.
func (d *fakeDisk) Sync() error {
	d.mu.Lock()
	image := bytes.Clone(d.data)
	d.syncs++
	d.mu.Unlock()
	if d.onSync != nil {
		if err := d.onSync(); err != nil {
			return err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.synced = image
	return nil
}

func (d *fakeDisk) SyncName() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.nameSynced = true
	return nil
}

func (d *fakeDisk) Size() (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return int64(len(d.data)), nil
}

func (d *fakeDisk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return nil
}

// image returns a copy of what was written, safe or not.
func (d *fakeDisk) image() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return bytes.Clone(d.data)
}

func (d *fakeDisk) afterPowerCut() []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	return bytes.Clone(d.synced)
}

func mustOpen(t testing.TB, disk storage, durable bool) *File {
	t.Helper()
	log, err := openStorage("fake", disk, FileOptions{Durable: durable})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func mustAppend(t testing.TB, log Log, values ...string) {
	t.Helper()
	for _, value := range values {
		if _, err := log.Append([]byte(value)); err != nil {
			t.Fatal(err)
		}
	}
}

// contents returns all values of a log.
func contents(t testing.TB, log interface {
	Log
	Len() uint64
}) []string {
	t.Helper()
	var values []string
	for index := range log.Len() {
		entry, err := log.Get(index)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, string(entry.Value))
	}
	return values
}

// imageOf returns the file of a log with these values.
func imageOf(t testing.TB, durable bool, values ...string) []byte {
	t.Helper()
	disk := new(fakeDisk)
	mustAppend(t, mustOpen(t, disk, durable), values...)
	return disk.image()
}
