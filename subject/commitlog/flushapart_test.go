package commitlog

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// failsOnce is a disk of which one file's flushes fail, once. Like Linux it tells one flush
// alone: those beside it and behind it find nothing left to write.
type failsOnce struct {
	disk.Dir
	name string // of that file, once it is armed

	mu     sync.Mutex
	failed bool
	wrong  []string // files with a flush beside another, or behind one that failed
}

type failsOnceFile struct {
	disk.File
	in      *failsOnce
	name    string
	running int
	failed  bool
}

func (d *failsOnce) Create(name string) (disk.File, error) { return d.of(name, d.Dir.Create) }
func (d *failsOnce) Open(name string) (disk.File, error)   { return d.of(name, d.Dir.Open) }

func (d *failsOnce) of(name string, open func(string) (disk.File, error)) (disk.File, error) {
	f, err := open(name)
	if err == nil {
		f = &failsOnceFile{File: f, in: d, name: name}
	}
	return f, err
}

func (f *failsOnceFile) Sync() error {
	d := f.in
	d.mu.Lock()
	if f.running++; f.running > 1 || f.failed {
		d.wrong = append(d.wrong, f.name)
	}
	fails := f.name == d.name && !d.failed
	f.failed, d.failed = f.failed || fails, d.failed || fails
	d.mu.Unlock()
	time.Sleep(2 * time.Millisecond)
	err := f.File.Sync()
	d.mu.Lock()
	defer d.mu.Unlock()
	f.running--
	if fails {
		err = &os.PathError{Op: "fdatasync", Path: f.name, Err: syscall.EIO}
	}
	return err
}

// A file is flushed by one at a time, and by nobody once that failed: another would be
// told that all is safe, and Sync, or a trailer, would say so.
func TestNobodyFlushesBesideAFlushThatFails(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for round := range 5 {
			under, err := disk.OS(t.TempDir(), 0)
			if err != nil {
				t.Fatal(err)
			}
			d := &failsOnce{Dir: under}
			f, err := openDir(d, FileOptions{SegmentSize: 1 << 16, Durability: durability, Interval: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			d.mu.Lock()
			if round > 0 {
				d.name = segmentName(0)
			}
			d.mu.Unlock()
			var beside sync.WaitGroup
			for range 2 {
				beside.Go(func() {
					for range 20 {
						f.Sync()
					}
				})
			}
			var stopped error
			for range 200 {
				if _, stopped = f.Append(make([]byte, 1000)); stopped != nil {
					break
				}
			}
			beside.Wait()
			d.mu.Lock()
			failed := d.failed
			d.mu.Unlock()
			for start := time.Now(); failed && f.failed.Load() == nil && time.Since(start) < 10*time.Second; { // that flush may be under way
				time.Sleep(time.Millisecond)
			}
			if synced := f.Sync(); failed && !errors.Is(synced, syscall.EIO) {
				t.Errorf("%v: a flush failed, and Sync says %v", durability, synced)
			}
			f.Close()
			if len(d.wrong) > 0 {
				t.Errorf("%v, round %d: flushes beside another or behind one that failed, of %v", durability, round, d.wrong)
			}
			if s := f.view.Load().segments[0]; d.failed && s.sealed {
				t.Errorf("%v: a segment is sealed of which a flush failed", durability)
			}
		}
	}
}
