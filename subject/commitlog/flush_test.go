package commitlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// failing returns a log with one entry, and its disk, which fails the calls of
// one kind while it is told to.
func failing(t *testing.T, durability Durability, op crashdisk.Op, fault crashdisk.Fault) (*File, *crashdisk.Disk, *atomic.Bool) {
	t.Helper()
	disk, on := crashdisk.New(), new(atomic.Bool)
	log := openWritten(t, disk, durability)
	mustAppend(t, log, "foo")
	disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
		if call.Op == op && on.Load() {
			return fault
		}
		return crashdisk.Fault{}
	})
	return log, disk, on
}

// A batch that was written and yet failed leaves nothing that could come to
// stand behind what takes its place.
func TestFailedWriteIsUndone(t *testing.T) {
	for taken := range 40 {
		disk := crashdisk.New()
		log := openWritten(t, disk, None)
		mustAppend(t, log, "foo")
		var on atomic.Bool
		disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
			if call.Op == crashdisk.Write && on.Swap(false) {
				return crashdisk.Fault{Err: syscall.ENOSPC, Taken: taken}
			}
			return crashdisk.Fault{}
		})
		on.Store(true)
		_, err := log.AppendBatch([][]byte{[]byte("bar"), []byte("baz")})
		if !errors.Is(err, syscall.ENOSPC) || !strings.HasPrefix(err.Error(), "append entry 1: ") {
			t.Fatalf("append returned %v", err)
		}
		if _, err := log.Get(1); !errors.Is(err, ErrNotFound) {
			t.Fatalf("get of the failed append returned %v", err)
		}
		mustAppend(t, log, "qux")
		left := openOn(t, disk.AfterKill(), None)
		if got := contents(t, left); !slices.Equal(got, []string{"foo", "qux"}) {
			t.Fatalf("a write of which %d bytes were taken left %q", taken, got)
		}
	}
}

// No power cut brings a part of a failed batch back, behind the entries that took its place.
func TestFailedWriteStaysUndone(t *testing.T) {
	for seed := range uint64(400) {
		disk := crashdisk.New()
		log, err := openDir(disk, FileOptions{SegmentSize: 64 << 10, written: true, alone: true})
		must(t, err)
		value := func(s string) []byte { return fmt.Appendf(nil, "%-1018s", s) } // four records a page
		for range 3 {
			_, err := log.Append(value("old"))
			must(t, err)
		}
		must(t, log.Sync())
		once := true
		disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
			if call.Op == crashdisk.Write && call.Size >= 6<<10 && once {
				once = false
				return crashdisk.Fault{Err: syscall.ENOSPC, Taken: int(4096 - call.Offset%4096)}
			}
			return crashdisk.Fault{}
		})
		failed := value("failed")
		if _, err := log.AppendBatch([][]byte{failed, failed, failed, failed, failed, failed}); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("append returned %v", err)
		}
		for range 6 {
			_, err := log.Append(value("new"))
			must(t, err)
		}
		left, err := openDir(disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 9))), log.options)
		must(t, err)
		for i, value := range contents(t, left) {
			if strings.HasPrefix(value, "failed") {
				t.Fatalf("power cut %d brings entry %d back", seed, i)
			}
		}
		must(t, left.Close())
		must(t, log.Close())
	}
}

func TestFailedUndoStopsTheLog(t *testing.T) {
	log, disk, on := failing(t, None, crashdisk.Write, crashdisk.Fault{Err: syscall.EIO, Taken: 5})
	on.Store(true)
	_, first := log.Append([]byte("bar"))
	on.Store(false)
	_, second := log.Append([]byte("bar"))
	for _, err := range []error{first, second, log.Sync(), log.TruncatePrefix(1), log.TruncateSuffix(0)} {
		if !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "log has stopped") {
			t.Errorf("stopped log returned %v", err)
		}
	}
	if got := contents(t, log); !slices.Equal(got, []string{"foo"}) {
		t.Errorf("stopped log shows %q", got)
	}
	if got := contents(t, openOn(t, disk.AfterKill(), None)); !slices.Equal(got, []string{"foo"}) {
		t.Errorf("reopened log holds %q", got)
	}
}

// After a failed flush the next one would claim that all is well.
func TestFailedFlushStopsTheLog(t *testing.T) {
	log, _, on := failing(t, Always, crashdisk.Sync, crashdisk.Fault{Err: syscall.EIO})
	on.Store(true)
	_, first := log.Append([]byte("bar"))
	on.Store(false)
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

// Once data were lost to a failed flush, a log that is opened again must not
// take what the system still shows for safe: entries acknowledged from then on
// would stand behind a gap.
func TestReopenAfterFailedFlush(t *testing.T) {
	for seed := range uint64(50) {
		log, disk, on := failing(t, Always, crashdisk.Sync, crashdisk.Fault{Err: syscall.EIO})
		on.Store(true)
		if _, err := log.Append([]byte("bar")); err == nil {
			t.Fatal("append succeeded")
		}
		disk.SetHook(nil)
		log.Close()
		again := openOn(t, disk, Always)
		mustAppend(t, again, "baz")
		left := openOn(t, disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 0))), Always)
		if got, want := contents(t, left), contents(t, again); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q are left of %q", seed, got, want)
		}
	}
}

func TestNoneFlushesNothingButSegments(t *testing.T) {
	disk := crashdisk.New()
	log := openOn(t, disk, None)
	mustAppend(t, log, "foo")
	disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
		if call.Op == crashdisk.Sync {
			t.Errorf("call to %v", call)
		}
		return crashdisk.Fault{}
	})
	mustAppend(t, log, "bar", "baz")
	disk.SetHook(nil)
	if safe := log.Metrics().Safe; safe != 0 {
		t.Errorf("%d entries are called safe", safe)
	}
}

func TestIntervalFlushes(t *testing.T) {
	disk := crashdisk.New()
	log, err := openDir(disk, FileOptions{Durability: Interval, Interval: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	mustAppend(t, log, "foo", "bar")
	for log.Metrics().Safe < 2 {
		runtime.Gosched() // a flush that never comes is the test's timeout
	}
	left := openOn(t, disk.AfterPowerCut(rand.New(rand.NewPCG(1, 1))), None)
	if got := contents(t, left); !slices.Equal(got, []string{"foo", "bar"}) {
		t.Errorf("a power cut left %q", got)
	}
}

// A stalledLog is a durable log whose disk does not finish a flush before
// release, with one append of each value waiting for it.
func stalledLog(t *testing.T, values ...string) (log *File, flushes *atomic.Int64, release func()) {
	gate := make(chan struct{})
	disk := crashdisk.New()
	log = openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 4096, alone: true})
	mustAppend(t, log, "before")
	flushes = new(atomic.Int64)
	disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
		if call.Op == crashdisk.Sync {
			flushes.Add(1)
			<-gate
		}
		return crashdisk.Fault{}
	})
	var group sync.WaitGroup
	for i, value := range values {
		group.Go(func() {
			if _, err := log.Append([]byte(value)); err != nil {
				t.Error(err)
			}
		})
		for log.turn.Next() <= uint64(i)+1 {
			runtime.Gosched()
		}
	}
	return log, flushes, func() { close(gate); group.Wait() }
}

func TestEntryIsHiddenUntilItIsDurable(t *testing.T) {
	log, _, release := stalledLog(t, "foo", "bar")
	for index := range uint64(2) {
		if _, err := log.Get(1 + index); !errors.Is(err, ErrNotFound) {
			t.Errorf("get of an entry that is not on the disk returned %v", err)
		}
	}
	for entry, err := range log.Entries(0) {
		if err != nil || entry.Index > 0 {
			t.Errorf("reader shows entry %d, which is not on the disk (%v)", entry.Index, err)
		}
	}
	if m := log.Metrics(); m.Waiting != 2 || m.Next != 1 || m.Safe != 1 {
		t.Errorf("metrics %d waiting, next %d, safe %d; want 2, 1, 1", m.Waiting, m.Next, m.Safe)
	}
	release()
	if got := contents(t, log); !slices.Equal(got, []string{"before", "foo", "bar"}) {
		t.Errorf("log holds %q", got)
	}
}

func TestWaitingAppendsShareAFlush(t *testing.T) {
	log, flushes, release := stalledLog(t, strings.Split("abcdefg", "")...)
	release()
	// One is the first append's, one for those that waited.
	if n := flushes.Load(); n != 2 {
		t.Errorf("7 appends took %d flushes, want 2", n)
	}
	m := log.Metrics()
	if m.BatchSize.Sum() != 8 || m.FlushTime.Count() != 3 {
		t.Errorf("%d entries in %d flushes, want 8 in 3", m.BatchSize.Sum(), m.FlushTime.Count())
	}
}

// Those who wait for another's flush learn that it failed, as the one does who
// made it.
func TestAppendsShareAFailedFlush(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 4096, alone: true})
	gate := make(chan struct{})
	var flushes atomic.Int64
	disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
		switch {
		case call.Op != crashdisk.Sync:
			return crashdisk.Fault{}
		case flushes.Add(1) == 1:
			<-gate
			return crashdisk.Fault{}
		}
		return crashdisk.Fault{Err: syscall.EIO}
	})
	errs := make([]error, 7)
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() { _, errs[i] = log.Append([]byte("foo")) })
		for log.turn.Next() <= uint64(i) {
			runtime.Gosched()
		}
	}
	close(gate)
	group.Wait()
	if errs[0] != nil || flushes.Load() != 2 {
		t.Errorf("the first append returned %v; %d flushes, want 2", errs[0], flushes.Load())
	}
	for i, err := range errs[1:] {
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("append %d of those that shared the failed flush returned %v", i+1, err)
		}
	}
}

func TestCloseFinishesWaitingAppends(t *testing.T) {
	log, _, release := stalledLog(t, "foo", "bar")
	disk := log.dir.(*crashdisk.Disk)
	closed := make(chan error)
	go func() { closed <- log.Close() }()
	release()
	if err := <-closed; err != nil {
		t.Error(err)
	}
	left := openOn(t, disk.AfterPowerCut(rand.New(rand.NewPCG(1, 1))), Always)
	if got := contents(t, left); !slices.Equal(got, []string{"before", "foo", "bar"}) {
		t.Errorf("%q are left", got)
	}
}

// An append that makes no call to the disk learns of a failed flush as well.
func TestStoresStopAfterAFailedFlush(t *testing.T) {
	log, disk := numbered(t, None, 3)
	disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
		if call.Op == crashdisk.Sync {
			return crashdisk.Fault{Err: syscall.EIO}
		}
		return crashdisk.Fault{}
	})
	if err := log.Sync(); !errors.Is(err, syscall.EIO) {
		t.Fatalf("sync returned %v", err)
	}
	disk.SetHook(nil)
	if _, err := log.Append([]byte("foo")); !errors.Is(err, syscall.EIO) || log.Next() != 3 {
		t.Errorf("append returned %v; %d entries", err, log.Next())
	}
}

// More may have been appended and flushed, or been truncated, between the two looks that
// Metrics takes at a log: it tells of no more that is safe than there is.
func TestSafeIsNotAheadOfNext(t *testing.T) {
	log := openOn(t, crashdisk.New(), None)
	mustAppend(t, log, "x")
	log.safe.Store(2)
	if m := log.Metrics(); m.Safe != 1 || m.Next != 1 {
		t.Errorf("%d entries are safe of %d", m.Safe, m.Next)
	}
}
