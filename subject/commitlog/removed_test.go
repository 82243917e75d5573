package commitlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// failDirectory has the next n flushes of the directory fail that come after files were
// removed, or got the names that removed files get.
func failDirectory(disk *crashdisk.Disk, n int) {
	removed := false
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		_, segment := baseOf(c.Name)
		removed = removed || segment && c.Op == crashdisk.Remove || isRemoved(c.To)
		if c.Op == crashdisk.SyncDir && removed && n > 0 {
			n--
			return crashdisk.Fault{Err: syscall.EIO}
		}
		return crashdisk.Fault{}
	})
}

// wantAfterPowerCuts appends to a log, closes it, and holds what power cuts leave to
// its entries.
func wantAfterPowerCuts(t *testing.T, what string, log *File, disk *crashdisk.Disk, values []string) {
	t.Helper()
	for i := range 8 {
		values = append(values, fmt.Sprint("new ", i))
		mustAppend(t, log, values[len(values)-1])
	}
	must(t, log.Close())
	for seed := range uint64(20) {
		log, err := openDir(disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 2))), log.options)
		if err != nil {
			t.Fatalf("%s, power cut %d: %v", what, seed, err)
		}
		if log.Next() != uint64(len(values)) {
			t.Fatalf("%s, power cut %d: log ends at %d, want %d", what, seed, log.Next(), len(values))
		}
		wantValues(t, log, values)
		must(t, log.Close())
	}
}

// openAtLast opens a log whose directory cannot be flushed for a while, and returns how
// often that failed.
func openAtLast(t *testing.T, disk *crashdisk.Disk, options FileOptions) (log *File, failures int) {
	t.Helper()
	for ; failures < 4; failures++ {
		log, err := openDir(disk, options)
		if err == nil {
			disk.SetHook(nil)
			return log, failures
		}
		if !errors.Is(err, syscall.EIO) {
			t.Fatal(err)
		}
	}
	t.Fatal("the log does not open")
	return nil, 0
}

// The flush that ends a truncation fails, and so do those of some openings. When one has
// succeeded, no power cut brings entries back.
func TestTruncationWhoseFlushFailed(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for failures := range 3 {
			log, disk := numbered(t, durability, 60)
			failDirectory(disk, 1+failures)
			if err := log.TruncateSuffix(3); !errors.Is(err, syscall.EIO) {
				t.Fatalf("truncation returned %v", err)
			}
			log.Close()
			log, failed := openAtLast(t, disk, log.options)
			if failed != failures {
				t.Errorf("opening failed %d times, want %d", failed, failures)
			}
			wantAfterPowerCuts(t, fmt.Sprintf("%v, %d openings failed", durability, failures), log, disk, []string{"0", "1", "2"})
		}
	}
}

// So it is where opening removes what a power cut has left behind the log's end.
func TestOpeningWhoseFlushFailed(t *testing.T) {
	total := 0
	for seed := range uint64(200) {
		log, disk := numbered(t, None, 60)
		disk = disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 1)))
		failDirectory(disk, 1+int(seed%3))
		log, failed := openAtLast(t, disk, log.options)
		total += failed
		wantAfterPowerCuts(t, fmt.Sprint("seed ", seed), log, disk, contents(t, log))
	}
	if total == 0 {
		t.Error("no power cut left anything to remove")
	}
}

// fullDirectory has no space for the names of removed files; and after one of a segment was
// removed nevertheless, the directory's next flush fails.
func fullDirectory(disk *crashdisk.Disk) {
	removed := false
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		_, segment := baseOf(c.Name)
		removed = removed || segment && c.Op == crashdisk.Remove
		switch {
		case c.Op == crashdisk.Rename && isRemoved(c.To):
			return crashdisk.Fault{Err: syscall.ENOSPC}
		case c.Op == crashdisk.SyncDir && removed:
			removed = false
			return crashdisk.Fault{Err: syscall.EIO}
		}
		return crashdisk.Fault{}
	})
}

// A truncation that finds no space for these names says so, and brings nothing back once
// an opening has ended it.
func TestTruncationInAFullDirectory(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		log, disk := numbered(t, durability, 60)
		fullDirectory(disk)
		if err := log.TruncateSuffix(3); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("truncation returned %v", err)
		}
		log.Close()
		if _, err := openDir(disk.AfterKill(), log.options); err != nil {
			t.Errorf("after a kill: %v", err)
		}
		disk.SetHook(nil)
		log, err := openDir(disk, log.options)
		must(t, err)
		wantAfterPowerCuts(t, fmt.Sprint(durability), log, disk, []string{"0", "1", "2"})
	}
}

// Opening leaves what it cannot give such a name to the append that comes first, and the
// log can be read meanwhile.
func TestOpeningInAFullDirectory(t *testing.T) {
	left := 0
	for seed := range uint64(200) {
		log, disk := numbered(t, None, 60)
		disk = disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 1)))
		fullDirectory(disk)
		log, err := openDir(disk, log.options)
		must(t, err)
		values := contents(t, log)
		if _, err := log.Append([]byte("no space")); err == nil {
			values = append(values, "no space")
		} else if left++; !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		disk.SetHook(nil)
		wantAfterPowerCuts(t, fmt.Sprint("seed ", seed), log, disk, values)
	}
	if left == 0 {
		t.Error("no power cut left anything to remove")
	}
}

// A segment that is being removed has another name each time, of one length, and is never
// taken for a segment.
func TestRemovedName(t *testing.T) {
	segment := segmentName(7)
	name := segment
	for range 4 {
		name = removedName(name)
		if _, ok := baseOf(name); ok || !isRemoved(name) || removedName(name) == name || len(name) != len(segment) {
			t.Errorf("a removed segment is called %q", name)
		}
	}
}

// Files of others stay, whatever is behind their names.
func TestRemovedNameOfAnother(t *testing.T) {
	_, disk := numbered(t, None, 3)
	disk = disk.AfterKill()
	others := []string{"notes.removed", "7.removed", "old.dropped", "notes.segment", segmentName(7) + removedSuffix}
	for _, name := range others {
		disk.SetBytes(name, []byte("mine"))
	}
	mustAppend(t, openOn(t, disk, None), "more")
	for _, name := range others {
		if string(disk.Bytes(name)) != "mine" {
			t.Errorf("opening has changed %s", name)
		}
	}
}
