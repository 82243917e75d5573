package commitlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

func TestSecondWriterIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	first, err := OpenFile(dir, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFile(dir, FileOptions{}); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Errorf("second opening returned %v", err)
	}
	if _, err := Repair(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("repair of an open log returned %v", err)
	}
	mustAppend(t, first, "foo")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := OpenFile(dir, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Next() != 1 {
		t.Errorf("%d entries", again.Next())
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path    string
		options FileOptions
		want    string
	}{
		{file, FileOptions{}, file + " is a file; a log is a directory"},
		{dir, FileOptions{Durability: 3}, "durability 3: not one of none, interval, always"},
		{dir, FileOptions{Interval: -1}, "interval -1ns: below zero"},
		{filepath.Join(dir, "new"), FileOptions{SegmentSize: 1}, "segment size 1: not from 256 to 1073741824"},
		{dir, FileOptions{SegmentSize: MaxSegmentSize + 1}, "segment size 1073741825: not from 256 to 1073741824"},
	} {
		log, err := OpenFile(c.path, c.options)
		if err == nil {
			log.Close()
		}
		if err == nil || err.Error() != "open log: "+c.want {
			t.Errorf("open with %+v returned %v, want %q", c.options, err, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("a directory was made for a log that was refused")
	}
}

// What stands behind a gap was never promised; opening tells how much it was.
func TestRecoveryTells(t *testing.T) {
	log, disk := numbered(t, None, 10)
	disk = disk.AfterKill() // closing would have marked the end
	name := segmentsOn(t, disk)[0]
	at := log.view.Load().segments[0].offsets.at(3)
	data := disk.Bytes(name)
	data[at] ^= 1
	disk.SetBytes(name, data)
	left := openOn(t, disk, None)
	found := left.Recovery()
	if left.Next() != 3 || found.CutEntries != 6 || found.CutBytes != 7*6 {
		t.Errorf("%d entries are left, %d intact ones in %d bytes were cut off; want 3, 6, 42", left.Next(), found.CutEntries, found.CutBytes)
	}
	again := openOn(t, disk.AfterKill(), None)
	if again.Recovery().CutBytes != 0 || again.Next() != 3 {
		t.Errorf("opened once more: %+v", again.Recovery())
	}
}

// Entries larger than a segment get one of their own.
func TestLargeEntries(t *testing.T) {
	disk := crashdisk.New()
	log := openOn(t, disk, Always)
	large := strings.Repeat("large", 1000)
	mustAppend(t, log, "a", large, "b")
	if _, err := log.AppendBatch([][]byte{[]byte(large), []byte(large)}); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, log, "c")
	wantEntries(t, log, disk, 0, "a", large, "b", large, large, "c")
	if _, err := log.Append(make([]byte, MaxValueSize+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("append of too large a value returned %v", err)
	}
	many := make([][]byte, 5)
	for i := range many {
		many[i] = make([]byte, MaxValueSize)
	}
	if _, err := log.AppendBatch(many); !errors.Is(err, ErrTooLarge) {
		t.Errorf("append of too large a batch returned %v", err)
	}
	if next, err := log.AppendBatch(nil); next != 6 || err != nil {
		t.Errorf("empty batch returned %d, %v", next, err)
	}
}

// syncCounter counts the flushes of a directory's names.
type syncCounter struct {
	disk.Dir
	syncs *int
}

func (d syncCounter) Sync() error { *d.syncs++; return d.Dir.Sync() }

// The name of a log's directory is flushed as long as it is not sure that an
// earlier opening has done so.
func TestDirectoryIsMadeSafe(t *testing.T) {
	parent, elsewhere := t.TempDir(), t.TempDir()
	link := filepath.Join(elsewhere, "link")
	must(t, os.Mkdir(filepath.Join(parent, "beside"), 0o755))
	must(t, os.Symlink(filepath.Join(parent, "beside"), link))
	for name, dir := range map[string]string{
		"plain": filepath.Join(parent, "log"), "behind a link": link + "/../other", "a link": link, "dot": filepath.Join(parent, "beside") + "/.",
	} {
		t.Run(name, func(t *testing.T) { testMadeSafe(t, parent, dir) })
	}
}

// unsynced is a directory whose flush fails.
type unsynced struct {
	disk.Dir
	cause error
}

func (d unsynced) Sync() error { return d.cause }

// A name that was given here and is not safe is taken back; one that was there, in a
// directory that may not be flushed, is used.
func TestDirectoryWhoseNameIsNotSafe(t *testing.T) {
	for _, c := range []struct {
		there bool
		cause error
		fails bool
	}{
		{false, syscall.EIO, true}, {false, syscall.EACCES, true}, {true, syscall.EIO, true}, {true, syscall.EACCES, false}, {true, syscall.EINVAL, false},
	} {
		dir := filepath.Join(t.TempDir(), "log")
		if c.there {
			must(t, os.Mkdir(dir, 0o755))
		}
		err := makeDirectory(dir, 0, func(path string) (disk.Dir, error) {
			parent, err := disk.OS(path, 0)
			return unsynced{parent, c.cause}, err
		})
		if (err != nil) != c.fails {
			t.Errorf("%+v: %v", c, err)
		}
		if _, err := os.Stat(dir); (err == nil) != c.there {
			t.Errorf("%+v: afterwards %v", c, err)
		}
	}
}

func testMadeSafe(t *testing.T, parent, dir string) {
	want, err := os.Stat(parent)
	must(t, err)
	syncs := 0
	made := func(n int) {
		t.Helper()
		err := makeDirectory(dir, 0, func(path string) (disk.Dir, error) {
			if got, err := os.Stat(path); err != nil || !os.SameFile(got, want) {
				t.Errorf("flush of %s, not of %s", path, parent)
			}
			dir, err := disk.OS(path, 0)
			return syncCounter{dir, &syncs}, err
		})
		if err != nil || syncs != n {
			t.Errorf("%d flushes, want %d (%v)", syncs, n, err)
		}
	}
	made(1)
	made(2) // the first may have been killed before its flush
	log, err := OpenFile(dir, FileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	log.Close()
	made(2)
	must(t, os.RemoveAll(dir+"/"+manifestName)) // "a link" and "dot" are one
	must(t, os.RemoveAll(dir+"/"+segmentName(0)))
}

// A log can be read on a disk that takes nothing new, whether its last segment
// is full or not.
func TestOpensOnFullDisk(t *testing.T) {
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG} {
		t.Run(full.Error(), func(t *testing.T) { testOpensOn(t, full) })
	}
}

func testOpensOn(t *testing.T, full error) {
	for n := range 12 {
		log, disk := numbered(t, Always, n+20)
		if err := log.TruncateSuffix(uint64(n)); err != nil { // at times it ends with a full segment
			t.Fatal(err)
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
			if call.Op == crashdisk.Create {
				return crashdisk.Fault{Err: full}
			}
			return crashdisk.Fault{}
		})
		log, err := openDir(disk, FileOptions{SegmentSize: 256})
		if n == 0 { // its empty segment was removed, and the manifest stands alone
			if !errors.Is(err, full) {
				t.Errorf("open of an empty log: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%d entries: %v", n, err)
		}
		if got := contents(t, log); len(got) != n {
			t.Errorf("%d entries of %d can be read", len(got), n)
		}
		log.Close()
	}
}

// All entries of a segment are truncated while it is the last one, and others follow it. A
// full disk opens the log, with the segment left where it is; the append that comes first
// removes it when there is space.
func TestFullDiskKeepsATruncatedSegment(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		_, disk := numbered(t, durability, 60)
		first := baseOn(t, disk, segmentsOn(t, disk)[1])
		log, disk := numbered(t, durability, int(first))
		must(t, log.TruncatePrefix(first))
		var values []string
		for i := range 40 {
			values = append(values, fmt.Sprint("later ", i))
		}
		mustAppend(t, log, values...)
		must(t, log.Close())
		disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
			if call.Op == crashdisk.Create || call.Op == crashdisk.Write {
				return crashdisk.Fault{Err: syscall.ENOSPC}
			}
			return crashdisk.Fault{}
		})
		log, err := openDir(disk, FileOptions{Durability: durability, SegmentSize: 256, alone: true})
		if err != nil {
			t.Fatalf("%v: %v", durability, err)
		}
		if _, err := disk.Open(segmentName(0)); err != nil {
			t.Errorf("%v: the segment was removed on a full disk: %v", durability, err)
		}
		disk.SetHook(nil)
		wantEntries(t, log, disk, first, values...)
		mustAppend(t, log, "last")
		must(t, log.Close())
		wantEntries(t, openOn(t, disk, durability), disk, first, append(values, "last")...)
		if _, err := disk.Open(segmentName(0)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: the segment is still there: %v", durability, err)
		}
	}
}
