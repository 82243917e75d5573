package commitlog

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// What waits to be flushed is truncated from the end, and the log is closed: who
// was about to flush it finds that done, in files that are closed.
func TestNothingIsFlushedBehindClose(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		log, _ := numbered(t, durability, 10)
		next := log.turn.Next()
		_, b, leads, err := log.put([][]byte{[]byte("waits")})
		if err != nil {
			t.Fatal(err)
		}
		if err := log.TruncateSuffix(5); err != nil {
			t.Fatal(err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		if err := log.flush(next); err != nil {
			t.Errorf("%v: flush returned %v", durability, err)
		}
		if b != nil && log.commit(b, leads) != nil {
			t.Errorf("%v: commit returned %v", durability, b.err)
		}
		wantClosed(t, log)
		if failed := log.failed.Load(); failed != nil {
			t.Errorf("%v: %v", durability, *failed)
		}
	}
}

// Close comes while an append makes room: what was acknowledged is there when the
// log is opened again, and nothing is acknowledged once Close has returned.
func TestCloseWhileRoomIsMade(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for what, making := range map[string]func(crashdisk.Call) bool{
			"space":   func(c crashdisk.Call) bool { return c.Op == crashdisk.Reserve },
			"segment": func(c crashdisk.Call) bool { return c.Op == crashdisk.Create && c.Name != manifestName },
		} {
			t.Run(fmt.Sprint(durability, " ", what), func(t *testing.T) { closeAt(t, durability, making) })
		}
	}
}

// closeAt closes a log at the second call of some kind.
func closeAt(t *testing.T, durability Durability, making func(crashdisk.Call) bool) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: durability, Interval: time.Hour, SegmentSize: 8192, alone: true, backlog: 1000})
	closed := make(chan error, 1)
	calls := 0
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if making(c) {
			if calls++; calls == 2 {
				go func() { closed <- log.Close() }()
				waitFor(func() bool { return log.view.Load().closed })
			}
		}
		return crashdisk.Fault{}
	})
	acknowledged := 0
	for {
		_, err := log.Append([]byte("value"))
		if errors.Is(err, ErrClosed) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		acknowledged++
	}
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	wantClosed(t, log)
	disk.SetHook(nil)
	if again := openWith(t, disk, FileOptions{}); again.Next() != uint64(acknowledged) {
		t.Errorf("%d entries were acknowledged, %d are there", acknowledged, again.Next())
	}
}

// Appends run while the log is closed, straight and through an Async: all that were
// acknowledged are there when it is opened again, right behind Close.
func TestCloseBesideAppends(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for _, async := range []bool{false, true} {
			for round := range 6 {
				closeBesideAppends(t, FileOptions{Durability: durability, Interval: time.Millisecond, SegmentSize: 1 << 20}, async, round)
			}
		}
	}
}

func closeBesideAppends(t *testing.T, options FileOptions, async bool, round int) {
	path := t.TempDir() + "/log"
	file, err := OpenFile(path, options)
	if err != nil {
		t.Fatal(err)
	}
	var log Log = file
	if async {
		log = NewAsync(file, AsyncOptions{Queue: 8})
	}
	var acknowledged atomic.Uint64
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for value := make([]byte, 100+round); ; {
				if _, err := log.Append(value); errors.Is(err, ErrClosed) {
					return
				} else if err != nil {
					t.Error(err)
					return
				}
				acknowledged.Add(1)
			}
		})
	}
	each := 1000
	if options.Durability == Always {
		each = 20
	}
	for acknowledged.Load() < uint64(each*round) { // at another place each time
		runtime.Gosched()
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
	again, err := OpenFile(path, options)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	writers.Wait()
	if again.Next() != acknowledged.Load() {
		t.Errorf("%v, async %t: %d entries were acknowledged, %d are there", options.Durability, async, acknowledged.Load(), again.Next())
	}
	for _, err := range again.Entries(0) {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// waitFor gives others some time for what may never come: a test holds in either
// case, and fails more surely where it comes.
func waitFor(come func() bool) {
	for range 20 {
		if come() {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// A reader has read ahead when the log is closed: what it has is not answered.
func TestReaderOfAClosedLog(t *testing.T) {
	log, _ := numbered(t, None, 5)
	reader := log.NewReader(0)
	if _, err := reader.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if entry, err := reader.Next(t.Context()); !errors.Is(err, ErrClosed) {
		t.Errorf("entry %d of a closed log, %v", entry.Index, err)
	}
}

// What Close could not seal for want of space is left alone by an append that was
// about to seal it.
func TestNothingIsSealedBehindClose(t *testing.T) {
	log, disk := numbered(t, None, 40)
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Write {
			return crashdisk.Fault{Err: syscall.ENOSPC}
		}
		return crashdisk.Fault{}
	})
	if err := log.Close(); err != nil || log.unsealed() == 0 {
		t.Fatalf("%v with %d segments unsealed", err, log.unsealed())
	}
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		t.Errorf("call to %v of a closed log", c)
		return crashdisk.Fault{}
	})
	if _, err := log.sealOldest(); !errors.Is(err, ErrClosed) {
		t.Errorf("sealing returned %v", err)
	}
	disk.SetHook(nil)
}

// What opening had no space for is left to the next one when the log is closed, by an
// append that was about to do it as well.
func TestNothingIsFinishedBehindClose(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		_, disk := numbered(t, durability, 10)
		name := segmentsOn(t, disk)[0]
		disk = flipped(disk, name, 8*recordOn(t, disk, name, 9))
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Create && c.Name == newManifestName {
				return crashdisk.Fault{Err: syscall.ENOSPC}
			}
			return crashdisk.Fault{}
		})
		log := openOn(t, disk, durability)
		if err := log.Close(); !errors.Is(err, syscall.ENOSPC) || !log.rest.Load() {
			t.Fatalf("%v: nothing is due, %v", durability, err)
		}
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			t.Errorf("%v: call to %v of a closed log", durability, c)
			return crashdisk.Fault{}
		})
		if err := log.makeRoom(100); !errors.Is(err, ErrClosed) {
			t.Errorf("%v: making room returned %v", durability, err)
		}
		disk.SetHook(nil)
		wantClosed(t, log)
		again := openOn(t, disk, durability)
		if again.Next() != 9 {
			t.Errorf("%v: log ends at %d", durability, again.Next())
		}
	}
}

// A log that has stopped says why when it is closed, even if it has nothing to flush: it
// is not closed as a log should be.
func TestCloseOfALogThatHasStopped(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		log, disk := numbered(t, durability, 10)
		must(t, log.Sync())
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Sync && c.Name == newManifestName {
				return crashdisk.Fault{Err: syscall.EIO}
			}
			return crashdisk.Fault{}
		})
		if err := log.TruncatePrefix(1); !errors.Is(err, syscall.EIO) {
			t.Fatalf("%v: truncation returned %v", durability, err)
		}
		disk.SetHook(nil)
		if err := log.Close(); !errors.Is(err, syscall.EIO) || strings.Count(err.Error(), "stopped") != 1 {
			t.Errorf("%v: close returned %v", durability, err)
		}
		wantClosed(t, log)
	}
}

// A killed process leaves zeros behind the records. Whoever has copied the log since
// may have made holes of them, which keep no space: room is made anew.
func TestZerosFoundAreNotTrusted(t *testing.T) {
	log, disk := numbered(t, None, 5)
	if room := log.tail.limit - log.tail.end; room <= 0 {
		t.Fatalf("%d bytes of room", room)
	}
	again := openOn(t, disk.AfterKill(), None)
	if again.tail.limit > again.tail.end {
		t.Errorf("%d bytes of room were found", again.tail.limit-again.tail.end)
	}
	mustAppend(t, again, "next")
	if got := contents(t, again); len(got) != 6 || got[5] != "next" {
		t.Errorf("log holds %q", got)
	}
}

// wantClosed calls every method of a log that was closed.
func wantClosed(t *testing.T, log *File) {
	t.Helper()
	_, getError := log.Get(0)
	_, intoError := log.GetInto(0, make([]byte, 100))
	_, nextError := log.NewReader(0).Next(t.Context())
	_, waitError := log.NewReader(log.Next()).Next(t.Context())
	var entriesError error
	for _, entriesError = range log.Entries(0) {
	}
	_, appendError := log.Append([]byte("late"))
	_, largeError := log.Append(make([]byte, MaxValueSize+1))
	_, batchError := log.AppendBatch([][]byte{[]byte("late"), []byte("later")})
	_, emptyError := log.AppendBatch(nil)
	for what, err := range map[string]error{
		"get": getError, "get into": intoError, "reader": nextError, "waiting reader": waitError, "entries": entriesError,
		"append": appendError, "append too large": largeError, "batch": batchError, "empty batch": emptyError,
		"sync": log.Sync(), "truncate prefix": log.TruncatePrefix(log.First()), "truncate suffix": log.TruncateSuffix(log.Next()),
		"close": log.Close(),
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s of a closed log returned %v", what, err)
		}
	}
}
