package commitlog

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// A tailing reader gets every entry in order while they are appended, large
// ones included.
func TestReaderFollows(t *testing.T) {
	log, _ := numbered(t, Always, 0)
	const n = 300
	value := func(i uint64) string { return strings.Repeat(fmt.Sprint(i, " "), int(i%7)*int(i%5)*900) }
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			r := log.NewReader(0)
			for i := range uint64(n) {
				entry, err := r.Next(t.Context())
				if err != nil || entry.Index != i || string(entry.Value) != value(i) {
					t.Errorf("entry %d reads as entry %d with %d bytes, %v", i, entry.Index, len(entry.Value), err)
					return
				}
			}
		})
	}
	for i := range uint64(n) {
		mustAppend(t, log, value(i))
	}
	group.Wait()
}

// An append through an Async wakes those who wait at the file behind it.
func TestReaderWaitsBehindAsync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, _ := numbered(t, None, 1)
		async := NewAsync(log, AsyncOptions{})
		got := make(chan error)
		go func() { _, err := log.NewReader(1).Next(t.Context()); got <- err }()
		synctest.Wait() // it waits for an entry
		mustAppend(t, async, "foo")
		if err := <-got; err != nil {
			t.Error(err)
		}
		must(t, async.Close())
	})
}

func TestReaderWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, _ := numbered(t, None, 1)
		r := log.NewReader(1)
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error)
		next := func() { _, err := r.Next(ctx); got <- err }

		go next()
		synctest.Wait() // it waits for an entry
		mustAppend(t, log, "foo")
		if err := <-got; err != nil {
			t.Error(err)
		}
		go next()
		synctest.Wait()
		cancel()
		if err := <-got; !errors.Is(err, context.Canceled) || err.Error() != "wait for entry 2: context canceled" {
			t.Errorf("cancelled reader returned %v", err)
		}
		ctx = t.Context()
		go next()
		synctest.Wait()
		if err := log.Close(); err != nil {
			t.Error(err)
		}
		if err := <-got; !errors.Is(err, ErrClosed) {
			t.Errorf("reader of a closed log returned %v", err)
		}
	})
}

// A reader beyond the point where the end was cut off cannot go on: what it
// has returned is no longer what the log holds.
func TestReaderMeetsTruncation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, _ := numbered(t, None, 10)
		ahead, behind, waiting := log.NewReader(8), log.NewReader(0), log.NewReader(10)
		for _, r := range []*Reader{ahead, behind} {
			if _, err := r.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		got := make(chan error)
		go func() { _, err := waiting.Next(t.Context()); got <- err }()
		synctest.Wait()
		if err := log.TruncateSuffix(5); err != nil {
			t.Fatal(err)
		}
		if err := <-got; !errors.Is(err, ErrTruncated) {
			t.Errorf("waiting reader returned %v", err)
		}
		mustAppend(t, log, "instead")
		if _, err := ahead.Next(t.Context()); !errors.Is(err, ErrTruncated) {
			t.Errorf("reader ahead returned %v", err)
		}
		for i := uint64(1); i < 6; i++ {
			entry, err := behind.Next(t.Context())
			if want := fmt.Sprint(i); err != nil || i < 5 && string(entry.Value) != want || i == 5 && string(entry.Value) != "instead" {
				t.Errorf("reader behind: entry %d reads %q, %v", i, entry.Value, err)
			}
		}
		if err := log.TruncatePrefix(6); err != nil {
			t.Fatal(err)
		}
		if _, err := log.NewReader(2).Next(t.Context()); !errors.Is(err, ErrTruncated) {
			t.Errorf("reader of a truncated entry returned %v", err)
		}
	})
}

// What a reader has read ahead is gone for it, too, once TruncatePrefix has
// returned.
func TestReaderForgetsTruncatedPrefix(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		log, _ := numbered(t, durability, 10)
		r := log.NewReader(0)
		if _, err := r.Next(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := log.TruncatePrefix(5); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if entry, err := r.Next(t.Context()); !errors.Is(err, ErrTruncated) {
				t.Errorf("%v: truncated entry 1 reads %q, %v", durability, entry.Value, err)
			}
		}
		if entry, err := log.NewReader(5).Next(t.Context()); err != nil || string(entry.Value) != "5" {
			t.Errorf("%v: entry 5 reads %q, %v", durability, entry.Value, err)
		}
	}
}

func TestEntriesStopWhenTold(t *testing.T) {
	log, _ := numbered(t, None, 10)
	n := 0
	for range log.Entries(3) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d entries", n)
	}
	for entry, err := range log.Entries(10) {
		t.Errorf("behind the end: %v, %v", entry, err)
	}
}

// What a reader returned belongs to whoever asked, and stays as it was.
func TestReaderGivesValuesAway(t *testing.T) {
	log, _ := numbered(t, None, 10)
	var values [][]byte
	for entry := range log.Entries(0) {
		values = append(values, entry.Value)
	}
	for i, value := range values {
		if string(value) != fmt.Sprint(i) || cap(value) != len(value) {
			t.Errorf("entry %d is %q with room for %d bytes", i, value, cap(value))
		}
		copy(value, "zzz")
	}
	if entry, err := log.Get(4); err != nil || string(entry.Value) != "4" {
		t.Errorf("entry 4 reads %q, %v", entry.Value, err)
	}
}

// What a reader at the log's end takes goes by what it reads, and not by the space that is ready behind that.
func TestReaderAtTheEndTakesWhatItReads(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		log, err := OpenFile(filepath.Join(t.TempDir(), "log"), FileOptions{Durability: durability, alone: true})
		must(t, err)
		r := log.NewReader(0)
		const n = 100
		before := allocated()
		for i := range n {
			mustAppend(t, log, string(noise(i, 100)))
			if entry, err := r.Next(t.Context()); err != nil || string(entry.Value) != string(noise(i, 100)) {
				t.Fatal(entry, err)
			}
		}
		if each := (allocated() - before) / n; each > 16<<10 {
			t.Errorf("%v: %d bytes for each entry of 100", durability, each)
		}
		must(t, log.Close())
	}
}

// A reader goes through segments that are full and have no table yet, whose entries end before what is shown.
func TestReaderOfFullSegmentsWithoutATable(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		log, err := OpenFile(filepath.Join(t.TempDir(), "log"), FileOptions{Durability: durability, SegmentSize: 128 << 10, alone: true, backlog: 1000})
		must(t, err)
		const batches, each = 30, 1000
		for i := range batches {
			values := make([][]byte, each)
			for j := range values {
				values[j] = []byte(fmt.Sprint("entry ", i*each+j))
			}
			_, err := log.AppendBatch(values)
			must(t, err)
		}
		if len(log.view.Load().segments) < 3 {
			t.Fatal("the entries are in one segment")
		}
		r, before := log.NewReader(0), allocated()
		for i := range batches * each {
			if entry, err := r.Next(t.Context()); err != nil || string(entry.Value) != fmt.Sprint("entry ", i) {
				t.Fatalf("entry %d is %q, %v", i, entry.Value, err)
			}
		}
		if got := allocated() - before; got > 8<<20 {
			t.Errorf("%v: %d bytes for %d entries: they were read one by one", durability, got, batches*each)
		}
		must(t, log.Close())
	}
}
