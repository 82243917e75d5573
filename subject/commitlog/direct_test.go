package commitlog

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// directly opens a durable log whose segments are written directly.
func directly(t testing.TB, disk *crashdisk.Disk, segmentSize int64) *File {
	t.Helper()
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: segmentSize, alone: true})
	if log.tail.segment.output.direct == nil {
		t.Fatal("the log is not written directly")
	}
	return log
}

// ofSizes returns values of many lengths, each different.
func ofSizes(n, most int) []string {
	values := make([]string, n)
	for i := range values {
		values[i] = fmt.Sprintf("%d%s", i, strings.Repeat("x", i*37%most))
	}
	return values
}

// Every entry can be read as soon as it was appended, the newest from memory and
// the others from the disk, by Get and by a Reader, before and after the log is
// opened again.
func TestDirectIsRead(t *testing.T) {
	const segmentSize = 32 << 10
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: segmentSize, alone: true, kept: 8 << 10})
	values := ofSizes(400, 300)
	values[77] = strings.Repeat("y", 9<<10) // more than is kept
	values[78] = strings.Repeat("z", 3<<10)
	fromDisk := false
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		fromDisk = fromDisk || c.Op == crashdisk.Read
		return crashdisk.Fault{}
	})
	read := func(index int) {
		t.Helper()
		entry, err := log.GetInto(uint64(index), make([]byte, 0, 512))
		if err != nil || string(entry.Value) != values[index] {
			t.Fatalf("entry %d of %d reads %.20q, %v", index, log.Next(), entry.Value, err)
		}
	}
	for i, value := range values {
		mustAppend(t, log, value)
		fromDisk = false
		if read(i); fromDisk && i != 77 {
			t.Fatalf("entry %d was read from the disk when it was new", i)
		}
		for back := 1; back <= i; back *= 2 {
			read(i - back)
		}
		if i%150 == 149 {
			log.keep()
		}
	}
	if fromDisk = false; len(log.view.Load().segments) < 3 {
		t.Fatalf("%d segments", len(log.view.Load().segments))
	}
	checkReader(t, log, values)
	if !fromDisk {
		t.Error("memory has all there was")
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	log = directlyAgain(t, disk, segmentSize)
	checkReader(t, log, values)
}

func directlyAgain(t *testing.T, disk *crashdisk.Disk, segmentSize int64) *File {
	t.Helper()
	return openWith(t, disk, FileOptions{Durability: Always, SegmentSize: segmentSize, alone: true})
}

func checkReader(t *testing.T, log *File, values []string) {
	t.Helper()
	reader := log.NewReader(0)
	for i, value := range values {
		entry, err := reader.Next(context.Background())
		if err != nil || string(entry.Value) != value {
			t.Fatalf("the reader finds entry %d to be %.20q, %v", i, entry.Value, err)
		}
	}
}

// Readers read what is new while what is older is let go of.
func TestReleaseUnderReaders(t *testing.T) {
	t.Parallel()
	log, err := OpenFile(t.TempDir()+"/log", FileOptions{Durability: Always, SegmentSize: 256 << 10, kept: 16 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if log.tail.segment.output.direct == nil {
		t.Skip("the file system of temporary files has no direct I/O")
	}
	value := func(index uint64) string { return fmt.Sprint(index, strings.Repeat(" and more", int(index%100))) }
	var appenders, readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			buf := make([]byte, 0, 1024)
			for step := uint64(0); ; step++ {
				select {
				case <-done:
					return
				default:
				}
				if next := log.Next(); next > 0 {
					index := next - 1 - min(next-1, step*step%700)
					entry, err := log.GetInto(index, buf)
					if err != nil || string(entry.Value) != value(index) {
						t.Errorf("entry %d reads %.20q, %v", index, entry.Value, err)
						return
					}
				}
			}
		})
	}
	var mu sync.Mutex
	stop := time.Now().Add(time.Second)
	for range 4 {
		appenders.Go(func() {
			for time.Now().Before(stop) {
				mu.Lock()
				next := log.turn.Next()
				values := make([][]byte, 5)
				for i := range values {
					values[i] = []byte(value(next + uint64(i)))
				}
				_, err := log.AppendBatch(values)
				mu.Unlock()
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	appenders.Wait()
	close(done)
	readers.Wait()
	if log.Next() < 1000 {
		t.Logf("only %d entries: a slow disk", log.Next())
	}
}

// Thousands of appends wait for one flush, in a log on the real disk.
func TestManyWaitForOneFlush(t *testing.T) {
	t.Parallel()
	log, err := OpenFile(t.TempDir()+"/log", FileOptions{Durability: Always})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	const appends, size = 4000, 4 << 10
	var group sync.WaitGroup
	for range appends {
		group.Go(func() {
			if _, err := log.Append(make([]byte, size)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	buf := make([]byte, 0, size)
	for index := range uint64(appends) {
		if entry, err := log.GetInto(index, buf); err != nil || len(entry.Value) != size {
			t.Fatalf("entry %d has %d bytes, %v", index, len(entry.Value), err)
		}
	}
	if batches := log.Metrics().BatchSize; batches.Max() < 2000 {
		t.Logf("at most %d appends shared a flush", batches.Max())
	}
}

// Behind the last entry is nothing, whatever was in the last block's copy before.
func TestDirectLeavesNothingBehind(t *testing.T) {
	disk := crashdisk.New()
	log := directly(t, disk, 32<<10)
	for i, value := range ofSizes(60, 300) {
		mustAppend(t, log, value)
		image := openWith(t, disk.AfterKill(), log.options)
		if got := image.Recovery(); got.CutBytes != 0 || image.Next() != uint64(i+1) {
			t.Fatalf("%d entries were appended, %d are found, and %d bytes behind", i+1, image.Next(), got.CutBytes)
		}
	}
}

// More is appended while a flush is under way than memory keeps: what waits to be
// written is not let go of.
func TestMoreWaitsThanIsKept(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 32 << 10, alone: true, kept: 8 << 10})
	var group sync.WaitGroup
	values := []string{"first"}
	appendLater := func() {
		for i := range 24 {
			values = append(values, fmt.Sprint(i, strings.Repeat("x", 900)))
			group.Go(func() {
				if _, err := log.Append([]byte(values[i+1])); err != nil {
					t.Error(err)
				}
			})
			for log.turn.Next() < uint64(len(values)) { // one after the other
				time.Sleep(time.Millisecond)
			}
		}
	}
	var once sync.Once
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Sync {
			once.Do(appendLater)
		}
		return crashdisk.Fault{}
	})
	mustAppend(t, log, "first")
	group.Wait()
	checkReader(t, log, values)
	for index, value := range values {
		if entry, err := log.Get(uint64(index)); err != nil || string(entry.Value) != value {
			t.Errorf("entry %d reads %.20q, %v", index, entry.Value, err)
		}
	}
	log = directlyAgain(t, disk.AfterPowerCut(rand.New(rand.NewPCG(1, 1))), 32<<10)
	checkReader(t, log, values)
}

// Should the system's cache have caught something else of the last block than
// was written, nothing is put behind it: that would put it onto the disk.
func TestDirectFindsAStaleCache(t *testing.T) {
	disk := crashdisk.New()
	log := directly(t, disk, 8192)
	mustAppend(t, log, "foo")
	log.tail.segment.output.edge[0]++ // as good as another cache
	if err := log.Close(); !errors.Is(err, errStale) {
		t.Errorf("close: %v", err)
	}
	log = directlyAgain(t, disk, 8192)
	if got := contents(t, log); fmt.Sprint(got) != "[foo]" {
		t.Errorf("left is %q", got)
	}
}

// A disk that can do without its cache is asked for space, not for zeros; one
// that cannot is written in the usual way.
func TestDirectIsOptional(t *testing.T) {
	disk := crashdisk.New()
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Direct {
			return crashdisk.Fault{Err: errors.ErrUnsupported}
		}
		return crashdisk.Fault{}
	})
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 8192, alone: true})
	if log.tail.segment.output.direct != nil {
		t.Fatal("written directly where that cannot be had")
	}
	values := ofSizes(100, 200)
	mustAppend(t, log, values...)
	checkReader(t, log, values)
}

// Where there is no space left, an append says so, and the log goes on.
func TestDirectOnAFullDisk(t *testing.T) {
	disk := crashdisk.New()
	log := directly(t, disk, 32<<10)
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Reserve {
			return crashdisk.Fault{Err: syscall.ENOSPC}
		}
		return crashdisk.Fault{}
	})
	var values []string
	var err error
	for err == nil && len(values) < 100 {
		if _, err = log.Append(make([]byte, 900)); err == nil {
			values = append(values, string(make([]byte, 900)))
		}
	}
	if !errors.Is(err, syscall.ENOSPC) || len(values) > 40 { // the next segment finds none
		t.Fatalf("a full disk: %v after %d appends", err, len(values))
	}
	disk.SetHook(nil)
	mustAppend(t, log, "more")
	checkReader(t, log, append(values, "more"))
}

// What was opened to write directly is closed: for a full segment when it has
// its table, for the last one with the log.
func TestDirectIsClosed(t *testing.T) {
	dir := t.TempDir() + "/log"
	log, err := OpenFile(dir, FileOptions{Durability: Always, SegmentSize: 64 << 10, alone: true})
	if err != nil {
		t.Fatal(err)
	}
	if log.tail.segment.output.direct == nil {
		t.Skip("the file system of temporary files has no direct I/O")
	}
	for range 200 {
		mustAppend(t, log, string(make([]byte, 1000)))
	}
	log.keep()
	log.keep()
	segments := len(log.view.Load().segments)
	if open := openIn(t, dir); segments < 3 || open > segments+4 { // the last and the spare one twice, the lock
		t.Errorf("%d descriptors for %d segments", open, segments)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if open := openIn(t, dir); open > 0 {
		t.Errorf("%d descriptors are left open", open)
	}
}

// openIn counts the descriptors of files in a directory.
func openIn(t *testing.T, dir string) (open int) {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip(err)
	}
	for _, entry := range entries {
		if name, err := os.Readlink("/proc/self/fd/" + entry.Name()); err == nil && strings.HasPrefix(name, dir+"/") {
			open++
		}
	}
	return open
}

// A suffix is cut off a segment that is written directly, and the log goes on.
func TestDirectIsTruncated(t *testing.T) {
	disk := crashdisk.New()
	log := directly(t, disk, 32<<10)
	values := ofSizes(40, 300)
	mustAppend(t, log, values...)
	if err := log.TruncateSuffix(17); err != nil {
		t.Fatal(err)
	}
	values = append(values[:17], ofSizes(60, 250)...)
	mustAppend(t, log, values[17:]...)
	checkReader(t, log, values)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	checkReader(t, directlyAgain(t, disk, 32<<10), values)
}

// A file may no longer be as large as it was made. The flush that meets the limit, with a
// part of its bytes taken, stops the log. Opened anew it has what was acknowledged, and
// goes on.
func TestLimitBelowWhatIsReserved(t *testing.T) {
	disk := crashdisk.New()
	log := directly(t, disk, 32<<10)
	var values []string
	for i := range 3 {
		values = append(values, fmt.Sprint(i))
		mustAppend(t, log, values[i])
	}
	limit := len(disk.Bytes(segmentName(0))) / 2
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if end := int(c.Offset) + c.Size; c.Op == crashdisk.Write && end > limit {
			return crashdisk.Fault{Err: syscall.EFBIG, Taken: max(0, limit-int(c.Offset))}
		}
		return crashdisk.Fault{}
	})
	var err error
	for err == nil && len(values) < 1000 {
		value := fmt.Sprintf("%0500d", len(values))
		if _, err = log.Append([]byte(value)); err == nil {
			values = append(values, value)
		}
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Fatalf("append returned %v", err)
	}
	disk.SetHook(nil)
	if _, err := log.Append(nil); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("append without the limit returned %v", err)
	}
	wantValues(t, log, values)
	log.Close()
	again := openOn(t, disk, Always)
	wantValues(t, again, values)
	mustAppend(t, again, "goes on")
}
