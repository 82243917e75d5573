package commitlog

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// numbered returns a log with the values "0" to "n-1", and its disk.
func numbered(t testing.TB, durability Durability, n int) (*File, *crashdisk.Disk) {
	t.Helper()
	disk := crashdisk.New()
	log := openOn(t, disk, durability)
	for i := range n {
		mustAppend(t, log, fmt.Sprint(i))
	}
	return log, disk
}

// wantEntries holds a log to the entries from first on, now and reopened.
func wantEntries(t testing.TB, log *File, disk *crashdisk.Disk, first uint64, values ...string) {
	t.Helper()
	for range 2 {
		var got []string
		for entry, err := range log.Entries(first) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(entry.Value))
		}
		if !slices.Equal(got, values) || log.First() != first || log.Next() != first+uint64(len(values)) {
			t.Fatalf("log holds entries %d to %d, %q; want %d on, %q", log.First(), log.Next(), got, first, values)
		}
		log = openOn(t, disk.AfterKill(), None)
	}
}

func TestTruncatePrefix(t *testing.T) {
	log, disk := numbered(t, Always, 100)
	before := len(segmentsOn(t, disk))
	if err := log.TruncatePrefix(97); err != nil {
		t.Fatal(err)
	}
	if after := len(segmentsOn(t, disk)); after >= before || after > 2 {
		t.Errorf("%d segments of %d are left", after, before)
	}
	if _, err := log.Get(96); !errors.Is(err, ErrTruncated) || !errors.Is(err, ErrNotFound) {
		t.Errorf("get of a truncated entry returned %v", err)
	}
	wantEntries(t, log, disk, 97, "97", "98", "99")
	if err := log.TruncatePrefix(3); err != nil {
		t.Errorf("truncating what is gone returned %v", err)
	}
	if err := log.TruncatePrefix(101); !errors.Is(err, ErrNotFound) {
		t.Errorf("truncating beyond the end returned %v", err)
	}
	wantEntries(t, log, disk, 97, "97", "98", "99")
}

func TestTruncateToEmpty(t *testing.T) {
	log, disk := numbered(t, Always, 20)
	if err := log.TruncatePrefix(20); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, log, disk, 20)
	mustAppend(t, log, "next")
	wantEntries(t, log, disk, 20, "next")
}

func TestTruncateSuffix(t *testing.T) {
	for end := range 21 {
		log, disk := numbered(t, None, 20)
		var want []string
		for i := range min(end, 20) {
			want = append(want, fmt.Sprint(i))
		}
		if err := log.TruncateSuffix(uint64(min(end, 20))); err != nil {
			t.Fatal(err)
		}
		wantEntries(t, log, disk, 0, want...)
		mustAppend(t, log, "instead", "and on")
		wantEntries(t, log, disk, 0, append(want, "instead", "and on")...)
	}
}

func TestTruncateSuffixInsideBatch(t *testing.T) {
	log, disk := numbered(t, Always, 1)
	if _, err := log.AppendBatch([][]byte{[]byte("a"), []byte("b"), []byte("c")}); err != nil {
		t.Fatal(err)
	}
	if err := log.TruncateSuffix(2); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, log, disk, 0, "0", "a")
}

func TestTruncateSuffixOutside(t *testing.T) {
	log, disk := numbered(t, Always, 4)
	if err := log.TruncatePrefix(2); err != nil {
		t.Fatal(err)
	}
	for _, index := range []uint64{1, 5} {
		if err := log.TruncateSuffix(index); !errors.Is(err, ErrNotFound) {
			t.Errorf("truncating from entry %d returned %v", index, err)
		}
	}
	wantEntries(t, log, disk, 2, "2", "3")
	if err := log.TruncateSuffix(2); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, log, disk, 2)
}

// Appends, reads and truncations run at the same time; every read shows an
// entry that was appended at that index, or says that it is not there.
func TestTruncateBesideEverything(t *testing.T) {
	log, _ := numbered(t, None, 100)
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		writers.Go(func() {
			for range 300 {
				if _, err := log.Append([]byte("appended")); err != nil {
					t.Error(err)
				}
			}
		})
		readers.Go(func() { readUntil(t, log, stop) })
	}
	writers.Go(func() {
		for i := range 40 {
			next := log.Next()
			err := log.TruncateSuffix(next - min(uint64(i%7), next-log.First()))
			if err == nil {
				err = log.TruncatePrefix(min(log.First()+3, log.Next()))
			}
			if err != nil && !errors.Is(err, ErrNotFound) {
				t.Error(err)
			}
		}
	})
	writers.Wait()
	close(stop)
	readers.Wait()
}

func readUntil(t *testing.T, log *File, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		first := log.First()
		for index := first; index < first+50; index++ {
			entry, err := log.Get(index)
			if err != nil && !errors.Is(err, ErrNotFound) {
				t.Error(err)
			} else if err == nil && entry.Index != index {
				t.Errorf("get of entry %d returned %d", index, entry.Index)
			}
		}
		for _, err := range log.Entries(first) {
			if err != nil && !errors.Is(err, ErrTruncated) {
				t.Error(err)
			}
		}
	}
}

// An entry that TruncateSuffix removed is like one that was never there.
func TestGetBehindTruncatedSuffix(t *testing.T) {
	log, _ := numbered(t, None, 20)
	must(t, log.TruncateSuffix(5))
	if _, err := log.Get(7); !errors.Is(err, ErrNotFound) || errors.Is(err, ErrTruncated) {
		t.Errorf("get of an entry that was removed returned %v", err)
	}
}

// A segment cannot be removed: the others are, and it is when it can be, by the next
// truncation or by Close.
func TestTruncatePrefixTriesAgain(t *testing.T) {
	for what, again := range map[string]func(*File) error{
		"the same":  func(log *File) error { return log.TruncatePrefix(230) },
		"one below": func(log *File) error { return log.TruncatePrefix(0) },
		"close":     (*File).Close,
	} {
		log, disk := numbered(t, Always, 240)
		stays := segmentName(0)
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Remove && c.Name == stays {
				return crashdisk.Fault{Err: syscall.EPERM}
			}
			return crashdisk.Fault{}
		})
		before := len(segmentsOn(t, disk))
		for range 2 {
			if err := log.TruncatePrefix(230); !errors.Is(err, syscall.EPERM) {
				t.Fatalf("%s: truncation returned %v", what, err)
			}
		}
		left := segmentsOn(t, disk)
		if len(left) >= before-1 || left[0] != stays {
			t.Errorf("%s: %d segments were there, %q are left", what, before, left)
		}
		disk.SetHook(nil)
		must(t, again(log))
		if now := segmentsOn(t, disk); len(now) != len(left)-1 || now[0] == stays {
			t.Errorf("%s: %q are left", what, now)
		}
	}
}

// A disk that has no space for the manifest's new name refuses a truncation, and stops no log.
func TestNoSpaceForTheManifestsName(t *testing.T) {
	log, disk := numbered(t, Always, 5)
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Rename {
			return crashdisk.Fault{Err: syscall.ENOSPC}
		}
		return crashdisk.Fault{}
	})
	if err := log.TruncateSuffix(3); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("truncating the suffix returned %v", err)
	}
	if err := log.TruncatePrefix(2); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("truncating the prefix returned %v", err)
	}
	disk.SetHook(nil)
	mustAppend(t, log, "5")
	must(t, log.TruncatePrefix(2))
	wantEntries(t, log, disk, 2, "2", "3", "4", "5")
}
