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

// A file that is being removed has another name each time, and is never taken for a segment.
func TestRemovedName(t *testing.T) {
	name := segmentName(7)
	for range 4 {
		name = removedName(name)
		if _, ok := baseOf(name); ok || !isRemoved(name) || removedName(name) == name || len(name) > 50 {
			t.Errorf("a removed file is called %q", name)
		}
	}
}
