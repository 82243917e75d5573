package commitlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// ruin is a way to lose the end of a closed log, whose files but for that say nothing
// of it. It changes the last segment, which has the given name and bytes.
var ruin = map[string]func(t *testing.T, disk *crashdisk.Disk, name string, data []byte){
	"cut to nothing": func(t *testing.T, disk *crashdisk.Disk, name string, _ []byte) { disk.SetBytes(name, nil) },
	"all zeros": func(t *testing.T, disk *crashdisk.Disk, name string, data []byte) {
		disk.SetBytes(name, make([]byte, len(data)))
	},
	"cut in half": func(t *testing.T, disk *crashdisk.Disk, name string, data []byte) {
		disk.SetBytes(name, data[:len(data)/2])
	},
	"cut behind the header": func(t *testing.T, disk *crashdisk.Disk, name string, data []byte) {
		disk.SetBytes(name, data[:recordsStart])
	},
	"end cut off": func(t *testing.T, disk *crashdisk.Disk, name string, data []byte) {
		disk.SetBytes(name, data[:max(recordsStart+20, lastDirty(data)-150)])
	},
	"end all zeros": func(t *testing.T, disk *crashdisk.Disk, name string, data []byte) {
		clear(data[max(recordsStart+20, lastDirty(data)-150):])
		disk.SetBytes(name, data)
	},
	"deleted": func(t *testing.T, disk *crashdisk.Disk, name string, _ []byte) { must(t, disk.Remove(name)) },
	"first entry": func(t *testing.T, disk *crashdisk.Disk, name string, data []byte) {
		data[recordsStart] ^= 1
		if _, reason := parseTrailer(data[len(data)-blockSize:]); reason == "" { // of a sealed one no record is read
			data[len(data)-1] ^= 1
		}
		disk.SetBytes(name, data)
	},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Of a log that was closed every entry is known, the last ones included, even if the
// file with the only mark that says so is what was damaged. Opening says which is the
// first that is missing and changes nothing; a repair keeps what is left and marks
// the rest as lost. A segment under another name is
// missing until it gets its own, and of one without its first mark the first entry.
func TestEndOfClosedLog(t *testing.T) {
	exhausts(t)
	for _, durability := range []Durability{None, Always} {
		for _, whole := range []bool{false, true} { // whether the last segment is sealed, as a large one is
			for what, ruined := range ruin {
				t.Run(fmt.Sprintf("%v, sealed %t, %s", durability, whole, what), func(t *testing.T) {
					disk, values := diskWith(t, durability, 24)
					if whole {
						sealLast(t, disk)
					}
					segments := segmentsOn(t, disk)
					last := segments[len(segments)-1]
					ruined(t, disk, last, disk.Bytes(last))
					left := lastDirty(disk.Bytes(last)) > recordsStart
					lost := wantEndMissed(t, disk, last, values)
					if what == "first entry" && lost != 1 || lost == 0 {
						t.Errorf("%d entries are lost", lost)
					}
					if len(keptOn(t, disk)) == 0 && left {
						t.Error("the repair kept nothing of what it replaced")
					}
				})
			}
		}
	}
}

// sealLast seals the last segment of a closed log, as closing does with a large one.
func sealLast(t *testing.T, disk *crashdisk.Disk) {
	t.Helper()
	in, err := inspect(disk)
	must(t, err)
	last := in.active()
	must(t, last.unpark())
	full, err := last.index()
	must(t, err)
	_, err = full.seal()
	must(t, both(err, in.close()))
}

func wantEndMissed(t *testing.T, disk *crashdisk.Disk, last string, values []string) (lost uint64) {
	t.Helper()
	before := filesOn(t, disk)
	_, err := openDir(disk, FileOptions{SegmentSize: 256})
	if damage := (*CorruptError)(nil); !errors.As(err, &damage) || damage.Index >= uint64(len(values)) {
		t.Fatalf("opening returned %v", err)
	}
	if after := filesOn(t, disk); !slices.Equal(before, after) {
		t.Errorf("opening changed the log's files")
	}
	left := 0
	v, err := verify(disk, func(_ Entry, err error) bool {
		if err == nil {
			left++
		}
		return true
	})
	if err != nil || len(v.Damage) == 0 || v.Opens || v.Next != uint64(len(values)) || left+int(v.Lost) != len(values) {
		t.Fatalf("verify returned %+v, %v, and %d of %d entries", v, err, left, len(values))
	}
	if v, err = repairDir(disk); err != nil {
		t.Fatal(err)
	}
	if lost = checkRepaired(t, "repaired", disk, values); lost != v.Lost {
		t.Errorf("%d entries are lost, verify said %d", lost, v.Lost)
	}
	return lost
}

// keptOn returns the names of what a repair kept.
func keptOn(t *testing.T, disk *crashdisk.Disk) []string {
	t.Helper()
	names, err := disk.Names()
	must(t, err)
	return slices.DeleteFunc(names, func(name string) bool { return !strings.Contains(name, damagedSuffix) })
}

// filesOn returns the names of a disk's files, each with its bytes.
func filesOn(t *testing.T, disk *crashdisk.Disk) (files []string) {
	t.Helper()
	names, err := disk.Names()
	must(t, err)
	for _, name := range names {
		files = append(files, name+string(disk.Bytes(name)))
	}
	return files
}

// What the manifest knows is what was closed: entries that were appended later are no
// damage if a power cut takes them, and those that were truncated none if they are gone.
func TestKnownIsALowerBound(t *testing.T) {
	disk, values := diskWith(t, None, 24)
	log := openOn(t, disk, None)
	mustAppend(t, log, "more")
	wantKnown(t, disk.AfterKill(), uint64(len(values)))
	must(t, log.TruncateSuffix(5))
	wantKnown(t, disk.AfterKill(), 5)
	mustAppend(t, log, "a", "b")
	must(t, log.TruncatePrefix(6)) // it flushes
	wantKnown(t, disk.AfterKill(), 7)
	must(t, log.Close())
	wantKnown(t, disk.AfterKill(), 7)
	log = openOn(t, disk, None)
	must(t, log.TruncatePrefix(7))
	must(t, log.Close())
	for _, name := range segmentsOn(t, disk) { // nothing of the log is in there
		must(t, disk.Remove(name))
	}
	if log = openOn(t, disk, None); log.Next() != 7 {
		t.Errorf("log goes on at %d, want 7", log.Next())
	}
}

// What opening had no space to make safe is not counted as safe until Sync says that it is.
func TestSafeLeavesOutWhatOpeningDid(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		disk, values := diskWith(t, durability, 24)
		log := openOn(t, disk, durability)
		mustAppend(t, log, "not closed", "nor this")
		disk = disk.AfterKill()
		next := uint64(len(values) + 2)
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Write {
				return crashdisk.Fault{Err: syscall.ENOSPC}
			}
			return crashdisk.Fault{}
		})
		log = openOn(t, disk, durability)
		if err := log.Sync(); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%v: sync on a full disk returned %v", durability, err)
		}
		if m := log.Metrics(); m.Safe >= next || m.Next != next || m.Waiting != 0 {
			t.Errorf("%v: of %d entries %d are safe, %d wait", durability, m.Next, m.Safe, m.Waiting)
		}
		disk.SetHook(nil)
		must(t, log.Sync())
		if m := log.Metrics(); m.Safe != next {
			t.Errorf("%v: behind Sync, of %d entries %d are safe", durability, m.Next, m.Safe)
		}
		must(t, log.Close())
	}
}

// What opening had no space to make safe is truncated: then Sync has nothing to make safe,
// and all that is there counts.
func TestSafeOnceWhatWasInDoubtIsGone(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		log, disk := numbered(t, durability, 5)
		disk = disk.AfterKill()
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Write && c.Name == segmentName(0) {
				return crashdisk.Fault{Err: syscall.ENOSPC}
			}
			return crashdisk.Fault{}
		})
		must(t, log.Close())
		log = openOn(t, disk, durability)
		if m := log.Metrics(); m.Safe >= 5 {
			t.Fatalf("%v: %d entries are safe", durability, m.Safe)
		}
		must(t, log.TruncatePrefix(5))
		must(t, log.Sync())
		if m := log.Metrics(); m.Safe != 5 || m.Next != 5 {
			t.Errorf("%v: safe are those below %d, next is %d", durability, m.Safe, m.Next)
		}
		mustAppend(t, log, "next")
		wantEntries(t, log, disk, 5, "next")
	}
}

// A truncation that leaves every entry makes them known as any other does, so that the
// last file cannot go unnoticed.
func TestTruncationOfNothingIsKnown(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		log, disk := numbered(t, durability, 20)
		must(t, log.TruncateSuffix(20))
		image := disk.AfterKill()
		wantKnown(t, image, 20)
		segments := segmentsOn(t, image)
		must(t, image.Remove(segments[len(segments)-1]))
		if _, err := openDir(image, FileOptions{}); !errors.As(err, new(*CorruptError)) {
			t.Errorf("%v: opening without the last file returned %v", durability, err)
		}
		mustAppend(t, log, "more")
		must(t, log.Close())
		wantKnown(t, disk, 21)
	}
}

func wantKnown(t *testing.T, disk *crashdisk.Disk, want uint64) {
	t.Helper()
	if m, reason, err := readManifest(disk); m.known != want || reason != "" || err != nil {
		t.Errorf("known are %d entries, want %d; %s %v", m.known, want, reason, err)
	}
	if v, err := verify(disk, func(Entry, error) bool { return true }); err != nil || len(v.Damage) > 0 || !v.Opens {
		t.Errorf("verify returned %+v, %v", v, err)
	}
}

// A disk that has no space to write over what is there does not keep a log from being
// read: what was appended before is there, and the append that comes first says what
// is the matter, until there is space.
func TestOpenOnFullDisk(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for _, how := range []string{"closed", "killed", "torn"} {
			disk, values := diskWith(t, durability, 24)
			if how != "closed" {
				log := openOn(t, disk, durability)
				mustAppend(t, log, "not closed", "nor this")
				disk = disk.AfterKill()
				values = append(values, "not closed", "nor this")
			}
			if how == "torn" {
				segments := segmentsOn(t, disk)
				last := segments[len(segments)-1]
				disk = flipped(disk, last, 8*(usedBytes(disk, last)-9))
				values = values[:len(values)-1]
			}
			disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
				if c.Op == crashdisk.Write || c.Op == crashdisk.Rename || c.Op == crashdisk.Reserve {
					return crashdisk.Fault{Err: syscall.ENOSPC}
				}
				return crashdisk.Fault{}
			})
			what := fmt.Sprintf("%v, %s", durability, how)
			log, err := openDir(disk, FileOptions{Durability: durability, SegmentSize: 256, alone: true})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			wantValues(t, log, values)
			if _, err := log.Append([]byte("no space")); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s: append to a full disk returned %v", what, err)
			}
			if err := log.TruncateSuffix(3); !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s: truncation on a full disk returned %v", what, err)
			}
			wantValues(t, openOn(t, disk.AfterKill(), durability), values)
			disk.SetHook(nil)
			mustAppend(t, log, "space again")
			values = append(values, "space again")
			wantValues(t, log, values)
			must(t, log.Close())
			disk = disk.AfterPowerCut(rand.New(rand.NewPCG(1, 1)))
			wantValues(t, openOn(t, disk, durability), values)
			wantKnown(t, disk.AfterKill(), uint64(len(values)))
		}
	}
}

// noSpace is a disk that takes nothing more.
func noSpace(c crashdisk.Call) crashdisk.Fault {
	if c.Op == crashdisk.Write || c.Op == crashdisk.Reserve {
		return crashdisk.Fault{Err: syscall.ENOSPC}
	}
	return crashdisk.Fault{}
}

// TruncatePrefix finds done what a killed process had begun: that survives a power
// cut, too, although the disk had no space to write it once more.
func TestPrefixThatWasBegunBeforeSurvivesAPowerCut(t *testing.T) {
	for seed := range uint64(50) {
		log, disk := numbered(t, Always, 40)
		var killed *crashdisk.Disk
		renamed := false
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			renamed = renamed || c.Op == crashdisk.Rename
			if c.Op == crashdisk.SyncDir && renamed && killed == nil {
				killed = disk.AfterKill()
			}
			return crashdisk.Fault{}
		})
		must(t, log.TruncatePrefix(2))
		disk.SetHook(nil)
		killed.SetHook(noSpace)
		log = openOn(t, killed, Always)
		must(t, log.TruncatePrefix(2))
		if log = openOn(t, killed.AfterPowerCut(rand.New(rand.NewPCG(seed, 1))), Always); log.First() != 2 {
			t.Fatalf("seed %d: the log begins at entry %d", seed, log.First())
		}
	}
}

// What the manifest vouches for is not written once more.
func TestKnownIsNotWrittenAgain(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		disk, values := diskWith(t, durability, 24)
		segments := segmentsOn(t, disk)
		last := segments[len(segments)-1]
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Write && c.Name == last {
				t.Errorf("opening makes call to %v", c)
			}
			return crashdisk.Fault{}
		})
		log := openOn(t, disk, durability)
		disk.SetHook(nil)
		wantValues(t, log, values)
	}
}

// After a kill only the files tell how far the log goes. A last one that is cut short, or
// gone, takes its entries along without an error, flushed ones included, as OpenFile says.
// The entries of the files before it stay, and of a log that was closed all are missed.
func TestLastFileIsCutShortAfterAKill(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		log, disk := numbered(t, durability, 60)
		must(t, log.Sync())
		segments := segmentsOn(t, disk)
		last := segments[len(segments)-1]
		base := baseOn(t, disk, last)
		killed := disk.AfterKill()
		must(t, log.Close())
		for what, cut := range map[string]func(disk *crashdisk.Disk){
			"cut short": func(disk *crashdisk.Disk) { disk.SetBytes(last, disk.Bytes(last)[:recordsStart]) },
			"gone":      func(disk *crashdisk.Disk) { must(t, disk.Remove(last)) },
		} {
			image := killed.AfterKill()
			cut(image)
			left := openOn(t, image, durability)
			if left.Next() != base || left.Recovery().CutEntries != 0 {
				t.Errorf("%v, %s: log ends at %d, want %d; %+v", durability, what, left.Next(), base, left.Recovery())
			}
			closed := disk.AfterKill()
			cut(closed)
			_, err := openDir(closed, FileOptions{SegmentSize: 256})
			if damage := (*CorruptError)(nil); !errors.As(err, &damage) || damage.Index < base {
				t.Errorf("%v, %s after closing: opening returned %v", durability, what, err)
			}
		}
	}
}

// A flush fails, and the log is opened on a disk that is full: Sync and Close say that
// what is there is not safe, until there is space, and then it is. So does a truncation
// that has nothing to remove.
func TestSyncOnFullDisk(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		for _, how := range []string{"full", "synced", "closed", "truncated"} {
			for seed := range uint64(20) {
				what := fmt.Sprintf("%v, %s, seed %d", durability, how, seed)
				disk := crashdisk.New()
				options := FileOptions{Durability: durability, Interval: time.Hour, SegmentSize: 4096, alone: true, written: true}
				log, err := openDir(disk, options)
				must(t, err)
				mustAppend(t, log, "0", "1", "2")
				disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
					if c.Op == crashdisk.Sync {
						return crashdisk.Fault{Err: syscall.EIO}
					}
					return crashdisk.Fault{}
				})
				if _, err := log.Append([]byte("3")); durability != Always {
					must(t, err)
					if log.Sync() == nil {
						t.Fatal("a flush did not fail")
					}
				}
				log.Close()
				disk.SetHook(noSpace)
				log, err = openDir(disk, options)
				must(t, err)
				values := contents(t, log)
				if err := log.Sync(); !errors.Is(err, syscall.ENOSPC) {
					t.Errorf("%s: Sync on a full disk returned %v", what, err)
				}
				if err := log.TruncateSuffix(log.Next()); !errors.Is(err, syscall.ENOSPC) {
					t.Errorf("%s: TruncateSuffix on a full disk returned %v", what, err)
				}
				switch how {
				case "full":
					if err := log.Close(); !errors.Is(err, syscall.ENOSPC) {
						t.Errorf("%s: Close on a full disk returned %v", what, err)
					}
					openWith(t, disk.AfterKill(), options)
					continue
				case "synced":
					disk.SetHook(nil)
					must(t, log.Sync())
				case "closed":
					disk.SetHook(nil)
					must(t, log.Close())
				case "truncated":
					disk.SetHook(nil)
					must(t, log.TruncateSuffix(log.Next()))
				}
				image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 1)))
				log.Close()
				log = openWith(t, image, options)
				if log.Next() != uint64(len(values)) {
					t.Fatalf("%s: the log ends at %d, want %d", what, log.Next(), len(values))
				}
				wantValues(t, log, values)
			}
		}
	}
}
