package commitlog

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// failEnding has a disk fail to write down that a truncation is done, from its second
// manifest on. The first one is shown to before.
func failEnding(disk *crashdisk.Disk, op crashdisk.Op, why error, before func()) {
	made := 0
	disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
		if call.Name != newManifestName {
			return crashdisk.Fault{}
		}
		if call.Op == crashdisk.Create {
			if made++; made == 1 {
				before()
			}
		}
		if made > 1 && call.Op == op {
			return crashdisk.Fault{Err: why}
		}
		return crashdisk.Fault{}
	})
}

// What a truncation needs last is not to be had for a moment. The entries are gone all
// the same, no append is acknowledged until the log can say so, and then it goes on.
func TestEndOfTruncationIsTriedAgain(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		first, _ := cuttable(t, durability)
		for _, next := range cutsToTry(first) {
			for op, why := range map[crashdisk.Op]error{crashdisk.Create: syscall.EMFILE, crashdisk.Write: syscall.ENOSPC} {
				what := fmt.Sprintf("%v, cut at %d, %v fails", durability, next, op)
				log, disk := cuttable(t, durability)
				failEnding(disk, op, why, func() {})
				must(t, log.TruncateSuffix(next))
				for range 2 {
					if _, err := log.Append([]byte("early")); !errors.Is(err, why) {
						t.Fatalf("%s: append returned %v", what, err)
					}
				}
				wantEnd(t, what+", killed", disk.AfterKill(), []uint64{next}, next, 0)
				disk.SetHook(nil)
				for i := range next {
					wantEntry(t, what, log.Get, i)
				}
				mustAppend(t, log, "instead", "instead")
				must(t, log.Sync())
				wantEnd(t, what+", killed later", disk.AfterKill(), []uint64{next + 2}, next, 2)
				must(t, log.Close())
			}
		}
	}
}

// Other truncations, and Close, find a log whose truncation is not written down yet.
func TestEndOfTruncationIsDue(t *testing.T) {
	for what, do := range map[string]func(log *File) error{
		"close":         func(*File) error { return nil },
		"prefix":        func(log *File) error { return log.TruncatePrefix(10) },
		"suffix":        func(log *File) error { return log.TruncateSuffix(30) },
		"suffix, again": func(log *File) error { return log.TruncateSuffix(50) },
	} {
		log, disk := cuttable(t, None)
		failEnding(disk, crashdisk.Create, syscall.EMFILE, func() {})
		must(t, log.TruncateSuffix(50))
		disk.SetHook(nil)
		must(t, do(log))
		next := log.Next()
		must(t, log.Close())
		wantEnd(t, what, disk.AfterKill(), []uint64{next}, next, 0)
	}
}

// An append was about to make room when the truncation came: it waits for its end, too.
func TestEndOfTruncationBeforeRoom(t *testing.T) {
	log, disk := cuttable(t, None)
	appended := make(chan error, 1)
	failEnding(disk, crashdisk.Create, syscall.EMFILE, func() {
		go func() {
			_, err := log.Append([]byte("early"))
			appended <- err
		}()
		time.Sleep(20 * time.Millisecond) // it fails more surely if that has come to where it waits
	})
	must(t, log.TruncateSuffix(50))
	if err := <-appended; !errors.Is(err, syscall.EMFILE) {
		t.Errorf("append returned %v", err)
	}
	disk.SetHook(nil)
	mustAppend(t, log, "instead")
	wantEnd(t, "killed", disk.AfterKill(), []uint64{51}, 50, 1)
}
