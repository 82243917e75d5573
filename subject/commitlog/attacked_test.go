package commitlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// cutTwice returns a closed log that was cut at 5, and at 8, with other values behind each
// cut, and its values.
func cutTwice(t *testing.T, durability Durability) (*crashdisk.Disk, []string) {
	t.Helper()
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: durability, SegmentSize: 64 << 10, alone: true})
	var values []string
	for _, part := range []struct {
		what string
		n    int
		cut  uint64
	}{{"old", 10, 5}, {"new", 5, 8}, {"late", 2, 0}} {
		for range part.n {
			values = append(values, fmt.Sprint(part.what, len(values)))
			mustAppend(t, log, values[len(values)-1])
		}
		if part.cut > 0 {
			must(t, log.TruncateSuffix(part.cut))
			values = values[:part.cut]
		}
	}
	must(t, log.Close())
	return disk, values
}

// Files of a log that was cut more than once are lost, or their headers: no entry that was
// truncated is read in the place of one that is missing.
func TestTruncatedEntriesStayGone(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		disk, values := cutTwice(t, durability)
		wantValues(t, openOn(t, disk.AfterKill(), durability), values)
		for _, name := range segmentsOn(t, disk) {
			for what, ruin := range map[string]func(image *crashdisk.Disk){
				"deleted": func(image *crashdisk.Disk) { must(t, image.Remove(name)) },
				"no headers": func(image *crashdisk.Disk) {
					image.SetBytes(name, append(make([]byte, recordsStart), image.Bytes(name)[recordsStart:]...))
				},
				"one header": func(image *crashdisk.Disk) { data := image.Bytes(name); data[0] ^= 1; image.SetBytes(name, data) },
			} {
				image := disk.AfterKill()
				ruin(image)
				where := fmt.Sprint(durability, ", ", name, " ", what)
				for range 2 { // as it is, and repaired
					next := uint64(0)
					v, err := verify(image, func(e Entry, err error) bool {
						if err == nil && (e.Index >= uint64(len(values)) || string(e.Value) != values[e.Index]) {
							t.Errorf("%s: entry %d reads %q", where, e.Index, e.Value)
						}
						next = max(next, e.Index+1)
						return true
					})
					if err != nil || v.Next != uint64(len(values)) || what == "deleted" && v.Lost == 0 {
						t.Errorf("%s: verify returned %+v, %v", where, v, err)
					}
					if _, err := repairDir(image); err != nil {
						t.Errorf("%s: repair returned %v", where, err)
					}
				}
				if log := openOn(t, image, durability); log.Next() != uint64(len(values)) {
					t.Errorf("%s: repaired log ends at %d", where, log.Next())
				}
			}
		}
	}
}

// A value can be the file of another log, or of this one: its records are none of the log's,
// whether the entry is torn or damaged.
func TestValuesThatAreLogs(t *testing.T) {
	other := crashdisk.New()
	log := openWith(t, other, FileOptions{Durability: Always, SegmentSize: 64 << 10, alone: true})
	for i := range 300 {
		mustAppend(t, log, fmt.Sprint("other", i))
	}
	must(t, log.Close())
	for _, durability := range []Durability{None, Interval, Always} {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{Durability: durability, SegmentSize: 64 << 10, alone: true})
		var values []string
		for i := range 10 {
			values = append(values, fmt.Sprint("value", i))
		}
		mustAppend(t, log, values...)
		own := string(disk.AfterKill().Bytes(segmentName(0))[:lastDirty(disk.AfterKill().Bytes(segmentName(0)))])
		for _, value := range []string{string(other.Bytes(segmentName(0))), own, own} {
			values = append(values, value)
			mustAppend(t, log, value)
		}
		mustAppend(t, log, "behind")
		values = append(values, "behind")
		must(t, log.Sync())
		name := segmentsOn(t, disk)[0]
		for _, entry := range []uint64{10, 11, 12} {
			image := flipped(disk, name, 8*(recordOn(t, disk, name, entry)+7))
			v, err := verify(image, func(e Entry, err error) bool {
				if err == nil && (e.Index >= uint64(len(values)) || string(e.Value) != values[e.Index]) {
					t.Errorf("%v: entry %d reads %.20q", durability, e.Index, e.Value)
				}
				return true
			})
			if err != nil || v.Next > uint64(len(values)) || v.Lost > 1 {
				t.Errorf("%v, damage to %d: verify returned %+v, %v", durability, entry, v, err)
			}
			if _, err := repairDir(image); err != nil {
				t.Errorf("%v, damage to %d: repair returned %v", durability, entry, err)
			}
			torn := disk.AfterKill()
			data := torn.Bytes(name)
			clear(data[recordOn(t, disk, name, entry)+1000:])
			clear(data[recordOn(t, disk, name, entry):][:8])
			torn.SetBytes(name, data)
			if left, err := openDir(torn, FileOptions{SegmentSize: 64 << 10, alone: true}); err == nil {
				left.Close()
			} else if damage := (*CorruptError)(nil); !errors.As(err, &damage) || damage.Index >= uint64(len(values)) || strings.Contains(err.Error(), "missing") {
				t.Errorf("%v, torn at %d: opening returned %v", durability, entry, err)
			}
		}
	}
}

// A crash has left the file that was to come next without a header, and the disk is full when
// the log is opened: what comes later is a log like any other.
func TestUnmadeFileOnFullDisk(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		log, disk := numbered(t, durability, 20)
		must(t, log.Close())
		disk = disk.AfterKill()
		disk.SetBytes(segmentName(1), nil)
		disk.SetHook(noSpace)
		log = openOn(t, disk, durability)
		disk.SetHook(nil)
		for i := range 60 {
			mustAppend(t, log, fmt.Sprint(20+i))
		}
		must(t, log.Close())
		log = openOn(t, disk, durability)
		if log.Next() != 80 {
			t.Errorf("%v: log ends at %d", durability, log.Next())
		}
	}
}

// Stretches of a file change places at its very beginning: all indexes stay right.
func TestSwappedBeginning(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 64 << 10, alone: true})
	for i := range 200 {
		mustAppend(t, log, fmt.Sprintf("%08d", i))
	}
	must(t, log.Close())
	data := disk.Bytes(segmentName(0))
	a, b := data[recordsStart:][:512], data[1152:][:512]
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
	disk.SetBytes(segmentName(0), data)
	v, err := verify(disk, func(e Entry, err error) bool {
		if err == nil && string(e.Value) != fmt.Sprintf("%08d", e.Index) {
			t.Errorf("entry %d reads %q", e.Index, e.Value)
		}
		return true
	})
	if err != nil || v.Next != 200 || v.Lost > 8 {
		t.Errorf("verify returned %+v, %v", v, err)
	}
	if _, err := repairDir(disk); err != nil {
		t.Errorf("repair returned %v", err)
	}
}

// A repair writes over no file that is there under the name that it needs.
func TestRepairTakesNoNameThatIsTaken(t *testing.T) {
	disk, values := diskWith(t, Always, 60)
	segments := segmentsOn(t, disk)
	for _, gone := range segments[:len(segments)-1] {
		for _, moved := range segments {
			if moved == gone {
				continue
			}
			image := disk.AfterKill()
			must(t, image.Rename(moved, gone)) // which was another file
			where := fmt.Sprint(moved, " has the name of ", gone)
			read := readable(t, image)
			if _, err := repairDir(image); err != nil {
				t.Fatalf("%s: repair returned %v", where, err)
			}
			if after := readable(t, image); !slices.Equal(after, read) {
				t.Errorf("%s: %d entries could be read, %d can behind a repair", where, len(read), len(after))
			}
			if log := openOn(t, image, Always); log.Next() != uint64(len(values)) && moved != segments[len(segments)-1] {
				t.Errorf("%s: log ends at %d", where, log.Next())
			}
		}
		image := disk.AfterKill() // a copy has the name, or the headers
		image.SetBytes(gone, disk.Bytes(segments[len(segments)-1]))
		read := readable(t, image)
		if _, err := repairDir(image); err != nil {
			t.Fatalf("copy as %s: repair returned %v", gone, err)
		}
		if after := readable(t, image); !slices.Equal(after, read) {
			t.Errorf("copy as %s: %d entries could be read, %d can behind a repair", gone, len(read), len(after))
		}
		openOn(t, image, Always)
	}
}

// readable are the entries that Salvage gives.
func readable(t *testing.T, disk *crashdisk.Disk) (entries []string) {
	t.Helper()
	_, err := verify(disk, func(e Entry, err error) bool {
		if err == nil {
			entries = append(entries, fmt.Sprint(e.Index, " ", string(e.Value)))
		}
		return true
	})
	must(t, err)
	return entries
}

// A damaged second header of the last segment takes no other along, however many entries
// there were before.
func TestBaseIsLookedForNearby(t *testing.T) {
	const far = 1 << 33
	log, disk := numbered(t, None, 100)
	must(t, log.Sync())
	for log.unsealed() > 0 {
		_, err := log.sealOldest()
		must(t, err)
	}
	m := log.view.Load().manifest
	disk = disk.AfterKill()
	m.first += far
	must(t, writeManifest(disk, m))
	segments := segmentsOn(t, disk)
	for _, name := range segments {
		data := disk.Bytes(name)
		h, reason := parseHeader(data)
		if reason != "" {
			continue
		}
		h.base, h.safe = h.base+far, h.safe+far
		copy(data, h.block())
		if tr, reason := parseTrailer(data[len(data)-blockSize:]); reason == "" {
			tr.base += far
			copy(data[len(data)-blockSize:], tr.block())
		}
		disk.SetBytes(name, data)
	}
	last := log.tail.segment.name
	for what, ruin := range map[string]func(data []byte){
		"as it is": func([]byte) {}, "a bit": func(data []byte) { data[20] ^= 1 }, "zeros": func(data []byte) { clear(data[:recordsStart]) },
	} {
		image := disk.AfterKill()
		data := image.Bytes(last)
		ruin(data)
		image.SetBytes(last, data)
		again := openOn(t, image, None)
		if again.First() != far || again.Next() != far+100 {
			t.Errorf("%s: log holds entries %d to %d", what, again.First(), again.Next())
		}
	}
}

// Appends wait to be written, and a truncation of the prefix comes before some of them, on a disk
// that has no space for them: there are no such entries.
func TestTruncatePrefixBeyondWhatWasWritten(t *testing.T) {
	log, disk := numbered(t, None, 3)
	must(t, log.Close())
	log = openWritten(t, disk, None)
	_, b, _, err := log.put([][]byte{[]byte("waits"), []byte("waits"), []byte("waits")})
	must(t, err)
	disk.SetHook(noSpaceForEntries)
	if err := log.TruncatePrefix(5); !errors.Is(err, ErrNotFound) {
		t.Errorf("truncation returned %v", err)
	}
	disk.SetHook(nil)
	if <-b.done; !errors.Is(b.err, syscall.ENOSPC) {
		t.Errorf("the append returned %v", b.err)
	}
	mustAppend(t, log, "3")
	wantEntries(t, log, disk, 0, "0", "1", "2", "3")
}

// Two truncations of the prefix on a full disk, or an opening and a seal behind the power cut, make no damage of what that took.
func TestPrefixesOnFullDiskAndAPowerCut(t *testing.T) {
	exhausts(t)
	for seed := range uint64(2000) {
		_, disk := numbered(t, None, 10)
		disk = disk.AfterKill()
		log := openOn(t, disk, None)
		disk.SetHook(noSpaceForEntries)
		must(t, log.TruncatePrefix(5))
		if seed%2 == 0 {
			must(t, log.TruncatePrefix(7))
		}
		image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 3)))
		for opened := range 3 {
			v, err := verify(image, func(Entry, error) bool { return true })
			if must(t, err); len(v.Damage) > 0 {
				t.Fatalf("seed %d, opened %d times: %v", seed, opened, v.Damage)
			}
			log := openOn(t, image, None)
			if seed%4 < 2 || opened > 0 {
				mustAppend(t, log, "x")
				log.keep()
				must(t, log.Close())
			}
			image = image.AfterKill()
		}
	}
}

// A truncation of the prefix on a full disk flushes nothing: a power cut is allowed to take
// what was not flushed, and is no damage.
func TestTruncatePrefixOnFullDiskAndAPowerCut(t *testing.T) {
	for seed := range uint64(300) {
		_, disk := numbered(t, None, 10)
		disk = disk.AfterKill()
		disk.SetHook(nil)
		log := openOn(t, disk, None)
		disk.SetHook(noSpaceForEntries)
		must(t, log.TruncatePrefix(5))
		image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 3)))
		left, err := openDir(image, FileOptions{SegmentSize: 256, alone: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := left.First(); i < left.Next(); i++ {
			if e, err := left.Get(i); err != nil || string(e.Value) != fmt.Sprint(i) {
				t.Fatalf("seed %d: entry %d reads %q, %v", seed, i, e.Value, err)
			}
		}
		must(t, left.Close())
	}
}

// An append that a full disk refuses is not shown, even where it is opening's work that had no
// space: a segment that was begun and has no entry.
func TestRefusedAppendBehindOpening(t *testing.T) {
	_, disk := numbered(t, Always, 0)
	disk = disk.AfterKill()
	for at := range 4 {
		image := disk.AfterKill()
		log := openWith(t, image, FileOptions{Durability: Always, SegmentSize: 256, alone: true, cached: true})
		writes := 0
		image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Write {
				if writes++; writes-1 == at {
					return crashdisk.Fault{Err: syscall.ENOSPC}
				}
			}
			return crashdisk.Fault{}
		})
		_, err := log.Append([]byte("refused"))
		image.SetHook(nil)
		want := uint64(1)
		if err != nil {
			want = 0
		}
		must(t, log.Sync())
		if log.Next() != want {
			t.Errorf("write %d fails: append returned %v, and the log has %d entries", at, err, log.Next())
		}
	}
}

// Damage to entries that were truncated costs none of the others, also where one is all that
// is left of a segment that is sealed then, and is told no more.
func TestSealedBehindDamageToWhatWasTruncated(t *testing.T) {
	for _, left := range []uint64{1, 2, 5} {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 4096, alone: true})
		for i := range 6 {
			mustAppend(t, log, fmt.Sprint(i))
		}
		must(t, log.TruncatePrefix(6-left))
		must(t, log.Close())
		name := segmentsOn(t, disk)[0]
		if left < 6 {
			disk = flipped(disk, name, 8*(recordOn(t, disk, name, 5-left)+5))
		}
		log = openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 256, alone: true})
		for range 8 {
			mustAppend(t, log, strings.Repeat("x", 100))
		}
		log.keep()
		for i := 6 - left; i < 6; i++ {
			if e, err := log.Get(i); err != nil || string(e.Value) != fmt.Sprint(i) {
				t.Errorf("%d left: entry %d reads %q, %v", left, i, e.Value, err)
			}
		}
		must(t, log.Close())
		if v, err := verify(disk, func(Entry, error) bool { return true }); err != nil || v.Lost > 0 || len(v.Damage) > 0 {
			t.Errorf("%d left: verify returned %+v, %v", left, v, err)
		}
	}
}

// Where no trailer can be written the entries of a segment that was cut are read as before.
func TestCutSegmentOnADiskThatTakesNoTrailer(t *testing.T) {
	for cut := uint64(1); cut < 20; cut++ {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 512, alone: true, cached: true})
		var values []string
		for i := range 60 {
			values = append(values, strings.Repeat("v", 1+i%7))
			mustAppend(t, log, values[i])
		}
		log.keep()
		values = append(values[:cut:cut], "a", "b", "c")
		must(t, log.TruncateSuffix(cut))
		mustAppend(t, log, "a", "b", "c")
		must(t, log.Close())
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Write && c.Size == blockSize && strings.HasSuffix(c.Name, segmentSuffix) {
				return crashdisk.Fault{Err: syscall.ENOSPC}
			}
			return crashdisk.Fault{}
		})
		log = openWith(t, disk, log.options)
		log.keep()
		must(t, both(ifNotFull(log.Close()), nil))
		disk.SetHook(nil)
		log = openWith(t, disk, log.options)
		if log.Next() != uint64(len(values)) {
			t.Errorf("cut at %d: log ends at %d", cut, log.Next())
		}
		wantValues(t, log, values)
	}
}

// A power cut comes while a segment that was cut gets its shorter trailer: that is no damage.
func TestPowerCutAtAShorterTrailer(t *testing.T) {
	cuts := 0
	for seed := range uint64(200) {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 256, alone: true, cached: true})
		for i := range 40 {
			mustAppend(t, log, strings.Repeat("v", 1+i%7))
		}
		log.keep()
		must(t, log.TruncateSuffix(15))
		for i := range 40 {
			mustAppend(t, log, strings.Repeat("w", 1+i%7))
		}
		log.keep()
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Sync || c.Op == crashdisk.Create {
				cuts++
				image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, uint64(cuts))))
				v, err := verify(image, func(Entry, error) bool { return true })
				if err != nil || len(v.Damage) > 0 || v.Next != 50 && v.Next != 55 {
					t.Errorf("seed %d: verify returned %+v, %v", seed, v, err)
				}
			}
			return crashdisk.Fault{}
		})
		must(t, log.TruncateSuffix(50))
		disk.SetHook(nil)
		must(t, log.Close())
		if t.Failed() {
			return
		}
	}
	if cuts < 200 {
		t.Errorf("only %d power cuts", cuts)
	}
}

// A repair that another damage makes necessary leaves no truncated entry where the second
// header of the next segment alone told that, and is damaged.
func TestRepairKeepsWhereTheLogWasCut(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 256, alone: true})
	for range 40 {
		mustAppend(t, log, "old")
	}
	must(t, log.Close())
	log = openWith(t, disk, log.options)
	must(t, log.TruncateSuffix(6))
	mustAppend(t, log, "new", "new", "new")
	image := disk.AfterKill()
	last := log.tail.segment.name
	data := image.Bytes(last)
	clear(data[:recordsStart])
	image.SetBytes(last, data)
	image.SetBytes(segmentName(77), image.Bytes(segmentName(0)))
	read := readable(t, image)
	for range 2 {
		if _, err := repairDir(image); err != nil {
			t.Fatal(err)
		}
		if after := readable(t, image); len(read) != 9 || !slices.Equal(after, read) {
			t.Fatalf("%q could be read, %q can behind a repair", read, after)
		}
	}
}

// A copy of a segment has its headers, and the segment has none any more: one repair loses no
// entry, and sets aside what has none.
func TestRepairOfASegmentThatOnlyACopyTells(t *testing.T) {
	disk, _ := diskWith(t, Always, 60)
	for _, name := range segmentsOn(t, disk) {
		image := disk.AfterKill()
		image.SetBytes(segmentName(53), image.Bytes(name))
		data := image.Bytes(name)
		clear(data[:recordsStart])
		image.SetBytes(name, data)
		read := readable(t, image)
		for range 2 {
			if _, err := repairDir(image); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if after := readable(t, image); len(read) != 60 || !slices.Equal(after, read) {
				t.Fatalf("%s: %d entries could be read, %d can behind a repair", name, len(read), len(after))
			}
		}
	}
}

// Readers go on beside truncations that seal what was cut before.
func TestReadersBesideManyCuts(t *testing.T) {
	log, err := OpenFile(t.TempDir()+"/log", FileOptions{SegmentSize: 4096})
	must(t, err)
	var stop atomic.Bool
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			for !stop.Load() {
				from := log.First() + rand.Uint64N(1+log.Next()-log.First())
				for e, err := range log.Entries(from) {
					if err != nil && !errors.Is(err, ErrNotFound) {
						t.Error(err)
						return
					}
					if err == nil && len(e.Value) != 8 {
						t.Errorf("entry %d reads %q", e.Index, e.Value)
						return
					}
				}
			}
		})
	}
	for range 200 {
		for range 5 {
			mustAppend(t, log, "01234567")
		}
		must(t, log.TruncateSuffix(log.Next()-2))
	}
	stop.Store(true)
	group.Wait()
	must(t, log.Close())
}

// A repair that is stopped between two steps makes no other log of this one: the files of this log that it removes
// first can be the only ones with its header, beside one of another log.
func TestRepairStoppedBesideAFileOfAnotherLog(t *testing.T) {
	options := FileOptions{SegmentSize: 256, alone: true}
	other := closedWith(t, options, "foreign", 8)
	disk := crashdisk.New()
	log := openWith(t, disk, options)
	appendNumbered(t, log, "own", 12) // they fill a file, of which nothing is left
	must(t, log.TruncatePrefix(12))
	appendNumbered(t, log, "own", 3)
	must(t, log.Close())
	image := disk.AfterKill()
	image.SetBytes(segmentName(1), other.Bytes(segmentName(0)))
	_, before := own(t, image, "own")
	if before.First != 12 || before.Next != 15 || before.Lost != 3 {
		t.Fatalf("%+v", before)
	}
	steps := 0
	image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		switch c.Op {
		case crashdisk.Create, crashdisk.Write, crashdisk.Rename, crashdisk.Remove:
			steps++
			if _, v := own(t, image.AfterKill(), "own"); v.First != before.First || v.Next != before.Next {
				t.Errorf("stopped before %v: %+v", c, v)
			}
		}
		return crashdisk.Fault{}
	})
	_, err := repairDir(image)
	must(t, err)
	if steps == 0 {
		t.Error("a repair without a step")
	}
}
