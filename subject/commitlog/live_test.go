package commitlog

import (
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// Verify takes no lock: files that are sealed and removed while it looks are not
// damaged, and the log is there.
func TestVerifyBesideAWriterFindsNoDamage(t *testing.T) {
	dir := t.TempDir()
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096, Durability: Interval})
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, log, "first")
	var done atomic.Bool
	wrote := make(chan error, 1)
	go func() { wrote <- appendAndCut(log, &done) }()
	for range 150 {
		v, err := Verify(dir)
		if err != nil {
			t.Error(err)
			break
		}
		if len(v.Damage) > 0 {
			t.Errorf("damage %v", v.Damage)
			break
		}
	}
	done.Store(true)
	if err := <-wrote; err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// Where a look at a log cannot be told to be one of a log at rest, as the process has no descriptor left for a
// moment, Verify says so, and not that somebody truncates the log.
func TestVerifyOutOfDescriptors(t *testing.T) {
	_, disk := numbered(t, None, 80)
	disk, opened := disk.AfterKill(), 0
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Open && c.Name == manifestName {
			if opened++; opened%3 == 0 {
				return crashdisk.Fault{Err: syscall.EMFILE}
			}
		}
		return crashdisk.Fault{}
	})
	_, err := verify(disk, func(Entry, error) bool { return true })
	if !errors.Is(err, syscall.EMFILE) || opened < 3 {
		t.Errorf("%v; the manifest was opened %d times", err, opened)
	}
}

// appendAndCut appends and truncates from both ends until it is done.
func appendAndCut(log *File, done *atomic.Bool) error {
	for i := 0; !done.Load(); i++ {
		if _, err := log.Append(fmt.Appendf(nil, "entry %100d", i)); err != nil {
			return err
		}
		if next := log.Next(); i%200 == 199 {
			if err := log.TruncatePrefix(next - 100); err != nil {
				return err
			}
			if err := log.TruncateSuffix(next - 10); err != nil {
				return err
			}
		}
	}
	return nil
}
