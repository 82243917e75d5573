package commitlog

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestFailedWriteIsUndone(t *testing.T) {
	disk := new(fakeDisk)
	log := mustOpen(t, disk, false)
	mustAppend(t, log, "foo")
	for taken := range recordHeaderSize + 3 {
		disk.onWrite = func(int) (int, error) { return taken, syscall.ENOSPC }
		_, err := log.Append([]byte("bar"))
		if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "append entry 1: ") {
			t.Fatalf("append returned %v", err)
		}
		if _, err := log.Get(1); !errors.Is(err, ErrNotFound) {
			t.Fatalf("get of the failed append returned %v", err)
		}
		if reopened := mustOpen(t, &fakeDisk{data: disk.image()}, false); reopened.end != int64(len(disk.image())) {
			t.Fatalf("a write of %d bytes was not undone", taken)
		}
	}
	disk.onWrite = nil
	mustAppend(t, log, "baz")
	if got := contents(t, mustOpen(t, &fakeDisk{data: disk.image()}, false)); !slices.Equal(got, []string{"foo", "baz"}) {
		t.Errorf("reopened log holds %q", got)
	}
}

func TestFailedUndoStopsTheLog(t *testing.T) {
	disk := new(fakeDisk)
	log := mustOpen(t, disk, false)
	mustAppend(t, log, "foo")
	disk.onWrite = func(int) (int, error) { return 5, syscall.ENOSPC }
	disk.onTruncate = func() error { return syscall.EIO }
	_, first := log.Append([]byte("bar"))
	disk.onWrite, disk.onTruncate = nil, nil
	_, second := log.Append([]byte("bar"))
	for _, err := range []error{first, second} {
		if !errors.Is(err, syscall.ENOSPC) || !errors.Is(err, syscall.EIO) {
			t.Errorf("append returned %v, want both causes", err)
		}
	}
	if got := contents(t, log); !slices.Equal(got, []string{"foo"}) {
		t.Errorf("stopped log shows %q", got)
	}
	if got := contents(t, mustOpen(t, &fakeDisk{data: disk.image()}, false)); !slices.Equal(got, []string{"foo"}) {
		t.Errorf("reopened log holds %q", got)
	}
}

func TestFailedFlushStopsTheLog(t *testing.T) {
	disk := new(fakeDisk)
	log := mustOpen(t, disk, true)
	mustAppend(t, log, "foo")
	disk.onSync = func() error { return syscall.EIO }
	_, first := log.Append([]byte("bar"))
	disk.onSync = nil // the next flush would claim that all is well
	_, second := log.Append([]byte("baz"))
	if !errors.Is(first, syscall.EIO) || !errors.Is(second, syscall.EIO) {
		t.Errorf("appends returned %v and %v, want the flush's error", first, second)
	}
	if got := contents(t, log); !slices.Equal(got, []string{"foo"}) {
		t.Errorf("stopped log shows %q", got)
	}
	if err := log.Close(); !errors.Is(err, syscall.EIO) {
		t.Errorf("close returned %v, want the flush's error", err)
	}
}

func TestFailedFlushFailsOpening(t *testing.T) {
	disk := &fakeDisk{onSync: func() error { return syscall.EIO }}
	_, err := openStorage("fake", disk, FileOptions{Durable: true})
	if !errors.Is(err, syscall.EIO) || !disk.closed {
		t.Errorf("open returned %v, closed the disk: %t", err, disk.closed)
	}
}

func TestFailedHeaderFailsOpening(t *testing.T) {
	disk := &fakeDisk{onWrite: func(int) (int, error) { return 7, syscall.ENOSPC }}
	if _, err := openStorage("fake", disk, FileOptions{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("open returned %v", err)
	}
	mustAppend(t, mustOpen(t, &fakeDisk{data: disk.image()}, false), "foo")
}

// Whatever a durable append was acknowledged for is on the disk, and so is
// the name of the file.
func TestDurableIsOnDiskWhenAcknowledged(t *testing.T) {
	disk := new(fakeDisk)
	log := mustOpen(t, disk, true)
	if !disk.nameSynced {
		t.Error("the file's name was not made durable")
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 25 {
				index, err := log.Append([]byte("foo"))
				if err != nil {
					t.Error(err)
					return
				}
				left, err := openStorage("fake", &fakeDisk{data: disk.afterPowerCut()}, FileOptions{})
				if err != nil || left.Len() <= index {
					t.Errorf("entry %d was acknowledged and is lost by a power cut (%v)", index, err)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestBufferedNeverFlushes(t *testing.T) {
	disk := new(fakeDisk)
	mustAppend(t, mustOpen(t, disk, false), "foo", "bar")
	if disk.syncs != 0 {
		t.Errorf("%d flushes, want none", disk.syncs)
	}
}

// A stalledLog is a durable log whose disk does not finish a flush before
// release, with one append of each value waiting for it.
func stalledLog(t *testing.T, values ...string) (log *File, disk *fakeDisk, release func()) {
	gate := make(chan struct{})
	disk = new(fakeDisk)
	log = mustOpen(t, disk, true)
	disk.onSync = func() error { <-gate; return nil }
	var group sync.WaitGroup
	for i, value := range values {
		group.Go(func() {
			if _, err := log.Append([]byte(value)); err != nil {
				t.Error(err)
			}
		})
		for written(log) <= i {
			runtime.Gosched()
		}
	}
	return log, disk, func() { close(gate); group.Wait() }
}

func written(log *File) int {
	log.mu.RLock()
	defer log.mu.RUnlock()
	return len(log.offsets)
}

func TestEntryIsHiddenUntilItIsDurable(t *testing.T) {
	log, _, release := stalledLog(t, "foo", "bar")
	for index := range uint64(2) {
		if _, err := log.Get(index); !errors.Is(err, ErrNotFound) {
			t.Errorf("get of an entry that is not on the disk returned %v", err)
		}
	}
	release()
	if got := contents(t, log); !slices.Equal(got, []string{"foo", "bar"}) {
		t.Errorf("log holds %q", got)
	}
}

func TestWaitingAppendsShareAFlush(t *testing.T) {
	values := strings.Split(strings.Repeat("x", 20), "")
	_, disk, release := stalledLog(t, values...)
	release()
	// One of opening, the first append's, and one for the 19 that waited.
	if disk.syncs > 3 {
		t.Errorf("%d appends took %d flushes, want 3", len(values), disk.syncs)
	}
}

func TestCloseFinishesWaitingAppends(t *testing.T) {
	log, disk, release := stalledLog(t, "foo", "bar")
	closed := make(chan error)
	go func() { closed <- log.Close() }()
	release()
	if err := <-closed; err != nil {
		t.Error(err)
	}
	if got := mustOpen(t, &fakeDisk{data: disk.afterPowerCut()}, true).Len(); got != 2 {
		t.Errorf("%d entries are left, want 2", got)
	}
}
