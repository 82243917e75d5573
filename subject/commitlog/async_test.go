package commitlog

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A gatedLog lets an append through for each token, and fails from one index
// on if told to.
type gatedLog struct {
	*Memory
	gate   chan struct{}
	failAt uint64
	cause  error
	values []string // what was appended, readable once the log is closed
}

func newGated() *gatedLog {
	return &gatedLog{Memory: OpenMemory(MemoryOptions{}), gate: make(chan struct{}, 1000)} // room for every token
}

func (g *gatedLog) Append(value []byte) (uint64, error) {
	<-g.gate
	if g.cause != nil && g.Memory.Next() >= g.failAt {
		return 0, g.cause
	}
	g.values = append(g.values, string(value))
	return g.Memory.Append(value)
}

func (g *gatedLog) open(n int) {
	for range n {
		g.gate <- struct{}{}
	}
}

func TestAsyncAppendBlocksOnlyWhenFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := newGated()
		log := NewAsync(inner, AsyncOptions{Queue: 3})
		accepted := 0
		go func() {
			for accepted < 10 {
				mustAppend(t, log, "foo")
				accepted++
			}
		}()
		synctest.Wait()
		if accepted < 3 || accepted > 6 {
			t.Errorf("%d appends returned while nothing was applied, want 3 queued and up to 3 taken", accepted)
		}
		inner.open(10)
		synctest.Wait()
		if accepted != 10 {
			t.Errorf("%d appends returned, want 10", accepted)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestAsyncGetWaitsForWhatWasAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := newGated()
		log := NewAsync(inner, AsyncOptions{})
		mustAppend(t, log, "foo", "bar")
		if _, err := log.Get(2); !errors.Is(err, ErrNotFound) {
			t.Errorf("get of what was never accepted returned %v", err)
		}
		var got Entry
		var err error
		go func() { got, err = log.Get(1) }()
		inner.open(1)
		synctest.Wait()
		if got.Value != nil || err != nil {
			t.Error("get did not wait")
		}
		inner.open(1)
		synctest.Wait()
		if string(got.Value) != "bar" || err != nil {
			t.Errorf("get returned %q, %v", got.Value, err)
		}
		log.Close()
	})
}

func TestAsyncFlushWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := newGated()
		log := NewAsync(inner, AsyncOptions{})
		if err := log.Flush(); err != nil {
			t.Error(err)
		}
		mustAppend(t, log, "foo", "bar")
		flushed := false
		go func() {
			if err := log.Flush(); err != nil {
				t.Error(err)
			}
			flushed = true
		}()
		inner.open(1)
		synctest.Wait()
		if flushed {
			t.Error("flush did not wait for the second append")
		}
		inner.open(1)
		synctest.Wait()
		if !flushed {
			t.Error("flush did not return")
		}
		log.Close()
		if err := log.Flush(); !errors.Is(err, ErrClosed) {
			t.Errorf("flush of a closed log returned %v", err)
		}
	})
}

func TestAsyncCloseAppliesWhatWasAccepted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := newGated()
		log := NewAsync(inner, AsyncOptions{})
		var want []string
		for i := range 500 {
			want = append(want, fmt.Sprint(i))
		}
		mustAppend(t, log, want...)
		closed := make(chan error, 1)
		go func() { closed <- log.Close() }()
		synctest.Wait() // closed by now, and not one append was let through
		inner.open(len(want))
		if err := <-closed; err != nil {
			t.Error(err)
		}
		if !slices.Equal(inner.values, want) {
			t.Errorf("the inner log got %d of %d appends", len(inner.values), len(want))
		}
		if err := inner.Close(); !errors.Is(err, ErrClosed) {
			t.Errorf("the inner log was not closed: %v", err)
		}
	})
}

func TestAsyncCloseFreesBlockedAppends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := newGated()
		log := NewAsync(inner, AsyncOptions{Queue: 1})
		accepted, rejected := 0, error(nil)
		go func() {
			for rejected == nil {
				if _, rejected = log.Append([]byte("foo")); rejected == nil {
					accepted++
				}
			}
		}()
		synctest.Wait()
		go log.Close()
		synctest.Wait()
		inner.open(10)
		synctest.Wait()
		if !errors.Is(rejected, ErrClosed) || len(inner.values) != accepted {
			t.Errorf("blocked append returned %v; %d accepted, %d applied", rejected, accepted, len(inner.values))
		}
	})
}

func TestAsyncErrorIsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := newGated()
		inner.failAt, inner.cause = 2, syscall.ENOSPC
		log := NewAsync(inner, AsyncOptions{Queue: 8})
		mustAppend(t, log, "0", "1", "2", "3")
		waited := make(chan error, 1)
		go func() { waited <- log.Flush() }()
		synctest.Wait()
		inner.open(10)
		_, late := log.Get(3)
		_, early := log.Get(1)
		_, struck := log.Get(2)
		_, more := log.Append([]byte("4"))
		if early != nil {
			t.Errorf("get of what was applied returned %v", early)
		}
		for what, err := range map[string]error{
			"waiting flush": <-waited, "flush": log.Flush(), "get 2": struck, "get 3": late, "append": more, "close": log.Close(),
		} {
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s returned %v, want the inner log's error", what, err)
			}
		}
	})
}

// What a burst took is not kept by the values that were made of it.
func TestRunKeepsNothingOfABurst(t *testing.T) {
	var r run
	r.add(make([]byte, 4*queuedBytes))
	r.split()
	r.reset()
	if r.bytes != nil || r.values != nil {
		t.Errorf("%d bytes and %d values are kept", cap(r.bytes), cap(r.values))
	}
}

// An inner log that panics, or ends the goroutine that called it, has failed: what it has of the
// entries under way is not known, and no later one may take their place.
func TestAsyncOverALogThatDoesNotReturn(t *testing.T) {
	for what, end := range map[string]func(){"panics": func() { panic("inner") }, "ends the goroutine": runtime.Goexit} {
		t.Run(what, func(t *testing.T) {
			inner := &endingLog{Memory: OpenMemory(MemoryOptions{}), end: end}
			log := &Async{inner: inner, limit: 1, done: make(chan struct{}), handing: make(chan struct{}, 1)}
			close(log.done) // nobody else hands over
			mustAppend(t, log, "0")
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				defer func() { recover() }()
				log.Append([]byte("1"))
			}()
			<-ended
			_, got := log.Get(0)
			_, more := log.Append([]byte("2"))
			for call, err := range map[string]error{"flush": log.Flush(), "get": got, "append": more, "close": log.Close()} {
				if !errors.Is(err, errUnfinished) {
					t.Errorf("%s returned %v", call, err)
				}
			}
		})
	}
}

type endingLog struct {
	*Memory
	end func()
}

func (l *endingLog) Append([]byte) (uint64, error) {
	l.end()
	return 0, nil
}

func TestAsyncErrorFreesBlockedAppends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := newGated()
		inner.cause = syscall.EIO
		log := NewAsync(inner, AsyncOptions{Queue: 1})
		var blocked error
		go func() {
			for blocked == nil {
				_, blocked = log.Append([]byte("foo"))
			}
		}()
		synctest.Wait()
		inner.open(1)
		synctest.Wait()
		if !errors.Is(blocked, syscall.EIO) {
			t.Errorf("blocked append returned %v", blocked)
		}
		log.Close()
	})
}

func TestAsyncGoesOnBehindInnerEntries(t *testing.T) {
	inner := OpenMemory(MemoryOptions{})
	mustAppend(t, inner, "foo", "bar")
	log := NewAsync(inner, AsyncOptions{})
	defer log.Close()
	if index, err := log.Append([]byte("baz")); index != 2 || err != nil {
		t.Errorf("append returned %d, %v, want 2", index, err)
	}
	if got := contents(t, log); !slices.Equal(got, []string{"foo", "bar", "baz"}) {
		t.Errorf("log holds %q", got)
	}
}

func TestAsyncNoticesAnotherWriter(t *testing.T) {
	inner := OpenMemory(MemoryOptions{})
	log := NewAsync(inner, AsyncOptions{})
	mustAppend(t, inner, "intruder")
	mustAppend(t, log, "foo")
	if err := log.Flush(); err == nil {
		t.Error("flush returned nil although the inner log gave another index")
	}
	if err := log.Close(); err == nil {
		t.Error("close returned nil although the inner log gave another index")
	}
}

// Thousands of entries gather while one run is handed over, and none is lost.
func TestAsyncKeepsWhatGathers(t *testing.T) {
	inner := OpenMemory(MemoryOptions{})
	log := NewAsync(inner, AsyncOptions{})
	const each = 20_000
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			for i := range each {
				value := fmt.Sprint(g, i)
				index, err := log.Append([]byte(value))
				if err != nil {
					t.Error(err)
					return
				}
				if i%1000 > 0 {
					continue
				}
				if entry, err := log.Get(index); err != nil || string(entry.Value) != value {
					t.Errorf("entry %d reads %q, %v; %q was appended", index, entry.Value, err, value)
				}
			}
		})
	}
	group.Wait()
	if err := log.Flush(); err != nil || inner.Next() != 4*each {
		t.Errorf("%d entries arrived of %d (%v)", inner.Next(), 4*each, err)
	}
	if err := log.Close(); err != nil {
		t.Error(err)
	}
}

// Whoever truncates the log behind a queue, which is forbidden, is told.
func TestTruncationBehindTheQueue(t *testing.T) {
	inner, _ := numbered(t, Always, 10)
	log := NewAsync(inner, AsyncOptions{})
	must(t, inner.TruncateSuffix(5))
	mustAppend(t, log, "x")
	if err := log.Flush(); err == nil || !strings.Contains(err.Error(), "truncates it") {
		t.Errorf("flush returned %v", err)
	}
	log.Close()
}

// Flush of a log that has stopped says why.
func TestAsyncFlushOfAStoppedFile(t *testing.T) {
	d := crashdisk.New()
	file, err := openDir(d, FileOptions{Durability: Interval, Interval: time.Hour})
	must(t, err)
	log := NewAsync(file, AsyncOptions{})
	d.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Sync {
			return crashdisk.Fault{Err: syscall.EIO}
		}
		return crashdisk.Fault{}
	})
	mustAppend(t, log, "x")
	must(t, log.Flush())
	if err := file.Sync(); !errors.Is(err, syscall.EIO) {
		t.Errorf("sync returned %v", err)
	}
	mustAppend(t, log, "y") // the queue learns of it now
	if err := log.Flush(); !errors.Is(err, syscall.EIO) {
		t.Errorf("flush returned %v", err)
	}
	if err := log.Close(); !errors.Is(err, syscall.EIO) {
		t.Errorf("close returned %v", err)
	}
}
