package commitlog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

var small = FileOptions{Durability: Always, SegmentSize: 1024, alone: true, cached: true}

// overlaid returns a disk with bytes over the begin of a file.
func overlaid(disk *crashdisk.Disk, name string, page []byte) *crashdisk.Disk {
	image := disk.AfterKill()
	data := bytes.Clone(image.Bytes(name))
	copy(data, page)
	image.SetBytes(name, data)
	return image
}

// own counts the entries that can be read, all of which are to begin with a word.
func own(t *testing.T, disk *crashdisk.Disk, word string) (n int, v *Verification) {
	t.Helper()
	v, err := verify(disk, func(e Entry, err error) bool {
		if err == nil && !strings.HasPrefix(string(e.Value), word) {
			t.Errorf("entry %d is %q", e.Index, e.Value)
		}
		if err == nil {
			n++
		}
		return true
	})
	must(t, err)
	return n, v
}

// closedWith returns a closed log of numbered entries that begin with a word.
func closedWith(t *testing.T, options FileOptions, word string, n int) *crashdisk.Disk {
	t.Helper()
	disk := crashdisk.New()
	log := openWith(t, disk, options)
	appendNumbered(t, log, word, n)
	must(t, log.Close())
	return disk
}

func appendNumbered(t *testing.T, log *File, word string, n int) {
	t.Helper()
	for i := range n {
		mustAppend(t, log, fmt.Sprintf("%s %06d", word, i))
	}
}

// The only file of a log that gets a page of another log's stays that of its log.
func TestPageOfAnotherLogInTheOnlyFile(t *testing.T) {
	options := FileOptions{SegmentSize: 64 << 10, alone: true}
	other, disk := closedWith(t, options, "foreign", 300), closedWith(t, options, "own", 2000)
	for _, size := range []int{recordsStart, 4096} {
		image := overlaid(disk, segmentName(0), other.Bytes(segmentName(0))[:size])
		for range 2 {
			if n, v := own(t, image, "own"); n < 1700 || v.Next != 2000 || int(v.Lost) != 2000-n {
				t.Errorf("%d bytes: %d entries, %+v", size, n, v)
			}
			_, err := repairDir(image)
			must(t, err)
		}
	}
}

// A file that opens with the headers of another one goes on doing so, whatever is sealed, truncated or appended.
func TestHeadersOfAnotherPlaceAreOverruledForGood(t *testing.T) {
	other := closedWith(t, small, "foreign", 30)
	disk := crashdisk.New()
	log := openWith(t, disk, small)
	mustAppend(t, log, "old")
	headers := bytes.Clone(disk.Bytes(segmentName(0))[:recordsStart])
	must(t, log.TruncateSuffix(0))
	appendNumbered(t, log, "own", 20)
	must(t, log.Close())
	for _, page := range [][]byte{headers, other.Bytes(segmentName(0))[:recordsStart]} {
		for next := range uint64(20) {
			image := overlaid(disk, segmentName(1), page)
			for step := range 3 {
				log := openWith(t, image, small)
				if step == 0 {
					must(t, log.TruncateSuffix(next+1))
				}
				log.keep()
				if step == 1 {
					mustAppend(t, log, "own, behind it")
				}
				must(t, log.Close())
			}
			if n, v := own(t, image, "own"); n != int(next)+2 || v.Lost > 0 || !v.Opens {
				t.Errorf("cut at %d: %d entries, %+v", next+1, n, v)
			}
		}
	}
}

// A trailer, or any record, that is of the segment whose name the file has outweighs all that a page of another
// one holds.
func TestPageThatHoldsMoreThanTheRest(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 4200, alone: true})
	mustAppend(t, log, "own "+string(noise(0, 4020-2*blockSize-recordsStart)), "own "+string(noise(1, 3950)))
	appendNumbered(t, log, "own", 9)
	log.keep()
	must(t, log.Sync())
	image := overlaid(disk, segmentName(1), disk.Bytes(segmentName(0)))
	if n, v := own(t, image, "own"); n != 10 || v.Lost != 1 {
		t.Errorf("%d entries, %+v", n, v)
	}

	disk = crashdisk.New() // sealed, of large records
	log = openWith(t, disk, FileOptions{SegmentSize: 200 + 2*7010, alone: true})
	for i := range 8 {
		mustAppend(t, log, "own "+string(noise(i, 6996)))
	}
	log.keep()
	must(t, log.Close())
	for file := range uint64(3) {
		image := overlaid(disk, segmentName(file+1), disk.Bytes(segmentName(0))[:4096])
		if n, v := own(t, image, "own"); n != 7 || v.Lost != 1 {
			t.Errorf("file %d: %d entries, %+v", file+1, n, v)
		}
	}

	disk = crashdisk.New() // with one record, and the headers of a file to come
	log = openWith(t, disk, FileOptions{SegmentSize: 256, alone: true})
	for range 3 {
		mustAppend(t, log, "own "+strings.Repeat("v", 600))
	}
	must(t, log.fillSpare())
	names := segmentsOn(t, disk)
	spare := append(bytes.Clone(disk.Bytes(names[3])), make([]byte, blockSize)...)[:recordsStart]
	for _, name := range names[1:3] {
		if n, v := own(t, overlaid(disk, name, spare), "own"); n != 3 || v.Lost > 0 {
			t.Errorf("%s: %d entries, %+v", name, n, v)
		}
	}
}

// Nothing is added to a segment that lost its headers: what a power cut takes behind it is no damage.
func TestPowerCutBehindASegmentWithoutHeaders(t *testing.T) {
	for seed := range uint64(100) {
		disk := crashdisk.New()
		options := FileOptions{SegmentSize: 1024, alone: true, written: true}
		log := openWith(t, disk, options)
		appendNumbered(t, log, "own", 70)
		must(t, log.Close())
		disk = struck(disk, segmentName(1), 0, recordsStart)
		log = openWith(t, disk, options)
		appendNumbered(t, log, "own", 8)
		if n, v := own(t, disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 1))), "own"); n < 70 || v.Lost > 0 || !v.Opens {
			t.Fatalf("seed %d: %d entries, %+v", seed, n, v)
		}
	}
}

// No number is given to a second file where the manifest is lost that knew how far they had come: stale pages of the first
// would be taken for its own.
func TestNumbersBehindALostManifest(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, small)
	appendNumbered(t, log, "old", 100)
	had := segmentsOn(t, disk)
	must(t, log.TruncateSuffix(baseOn(t, disk, segmentName(1))))
	must(t, log.Close())
	must(t, disk.Remove(manifestName))
	_, err := repairDir(disk)
	must(t, err)
	log = openWith(t, disk, small)
	appendNumbered(t, log, "new", 100)
	must(t, log.Close())
	for _, name := range segmentsOn(t, disk)[1:] {
		if name <= had[len(had)-1] {
			t.Errorf("%s is made again", name)
		}
	}
}

// Behind a truncation a power cut takes the second header of a file, and what is behind its first record; then
// the manifest is lost: the first record alone says where the file begins.
func TestFirstRecordAloneBehindACut(t *testing.T) {
	for _, size := range []int{3, 100, 500, 2000} {
		for more := range 2 {
			for _, opened := range []bool{false, true} {
				disk := crashdisk.New()
				options := FileOptions{SegmentSize: 8192, alone: true}
				log := openWith(t, disk, options)
				for range 14 {
					mustAppend(t, log, "old")
				}
				must(t, log.TruncateSuffix(13))
				name := segmentName(log.number)
				mustAppend(t, log, "new "+string(noise(1, size)))
				for range 6 * more {
					mustAppend(t, log, "new, behind a gap")
				}
				image := disk.AfterKill()
				data := bytes.Clone(image.Bytes(name))
				clear(data[:recordsStart])
				if more > 0 {
					at := recordsStart + int(recordSize(4+size))
					clear(data[at : at+20])
				}
				image.SetBytes(name, data)
				if opened {
					log := openWith(t, image, options)
					mustAppend(t, log, "new, acknowledged")
					image = image.AfterKill()
				}
				must(t, image.Remove(manifestName))
				got := ""
				_, err := verify(image, func(e Entry, err error) bool {
					if e.Index == 13 && err == nil {
						got = string(e.Value)
					}
					return true
				})
				if must(t, err); !strings.HasPrefix(got, "new") {
					t.Errorf("%d bytes, %d more, opened %t: entry 13 is %q", size, 6*more, opened, got)
				}
			}
		}
	}
}

// A file with the headers of an older format beside a sound log is set aside.
func TestFileOfAnotherFormat(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, small)
	appendNumbered(t, log, "own", 100)
	must(t, log.Close())
	data := bytes.Clone(disk.Bytes(segmentName(0))[:4*blockSize])
	for at := 0; at < recordsStart; at += blockSize {
		data[at+8] = 3
		copy(data[at+blockSize-4:], sumBytes(data[at:at+blockSize-4]))
	}
	disk.SetBytes(segmentName(900), data)
	for _, damaged := range []bool{true, false} {
		if n, v := own(t, disk, "own"); n != 100 || v.Lost > 0 || len(v.Damage) > 0 != damaged {
			t.Errorf("%d entries, %+v", n, v)
		}
		_, err := repairDir(disk)
		must(t, err)
	}
}

// A repair leaves no header that is damaged where the entry behind it, which was truncated, is as well.
func TestRepairOfAHeaderBeforeATruncatedEntry(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{Durability: durability, SegmentSize: 64 << 10, alone: true})
		mustAppend(t, log, string(noise(1, 40)))
		must(t, log.TruncatePrefix(1))
		mustAppend(t, log, "behind")
		image := struck(disk, segmentName(0), 3, recordsStart+8)
		before, err := repairDir(image)
		must(t, err)
		v, err := verify(image, func(Entry, error) bool { return true })
		must(t, err)
		if len(before.Damage) != 1 || len(v.Damage) > 0 || v.Next != 2 || v.Lost > 0 {
			t.Errorf("%s: %v, then %+v", durability, before.Damage, v)
		}
	}
}

// A file that was missing at a repair can be put back: all its entries are there again.
func TestMissingFileIsPutBack(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, small)
	appendNumbered(t, log, "own", 100)
	must(t, log.TruncateSuffix(5))
	appendNumbered(t, log, "own", 100)
	log.keep()
	must(t, log.Close())
	for _, name := range segmentsOn(t, disk) {
		image := disk.AfterKill()
		must(t, image.Remove(name))
		_, err := repairDir(image)
		must(t, err)
		image.SetBytes(name, disk.Bytes(name))
		if n, v := own(t, image, "own"); n != 105 || v.Next != 105 {
			t.Errorf("%s is put back: %d entries, %+v", name, n, v)
		}
	}
}

// Also behind a truncation, and where files for entries to come are there, a file that was missing at the end can be
// put back, and is the one that is named.
func TestMissingLastFileIsPutBack(t *testing.T) {
	for what, prepare := range map[string]func(*File) error{
		"cut":     func(log *File) error { return log.TruncateSuffix(log.tail.segment.base + 5) },
		"a spare": func(log *File) error { return log.fillSpare() },
	} {
		disk := crashdisk.New()
		log := openWith(t, disk, small)
		appendNumbered(t, log, "own", 100)
		_, err := log.sealOldest()
		must(t, err)
		name := log.tail.segment.name
		must(t, log.TruncatePrefix(1)) // all are known
		must(t, prepare(log))
		want := int(log.Next()) - 1
		image := disk.AfterKill()
		must(t, image.Remove(name))
		v, err := repairDir(image)
		must(t, err)
		if last := v.Damage[len(v.Damage)-1]; last.Path != disk.Path(name) {
			t.Errorf("%s: %v", what, last)
		}
		image.SetBytes(name, disk.Bytes(name))
		for range 2 {
			if n, v := own(t, image, "own"); n != want || v.Lost > 0 {
				t.Errorf("%s, put back: %d entries of %d, %+v", what, n, want, v)
			}
			must(t, openWith(t, image, small).Close())
		}
	}
}

// A repair vouches for nothing that a flush that failed has left out, nor does one of a log that has nothing but what an
// earlier one could not save.
func TestRepairBehindAFlushThatFailed(t *testing.T) {
	for what, damage := range map[string]func(*crashdisk.Disk) *crashdisk.Disk{
		"no more":         nil,
		"a sealed record": func(disk *crashdisk.Disk) *crashdisk.Disk { return struck(disk, segmentName(0), 400, 410) },
		"a file": func(disk *crashdisk.Disk) *crashdisk.Disk {
			must(t, disk.Remove(segmentName(0)))
			must(t, disk.Sync())
			return disk
		},
		"the manifest": func(disk *crashdisk.Disk) *crashdisk.Disk { return struck(disk, manifestName, 0, 10) },
	} {
		disk := crashdisk.New()
		options := FileOptions{SegmentSize: 1024, alone: true}
		log := openWith(t, disk, options)
		appendNumbered(t, log, "own", 100)
		must(t, log.Close())
		disk = struck(disk, segmentName(0), 300, 310)
		_, err := repairDir(disk)
		must(t, err)
		log = openWith(t, disk, options)
		appendNumbered(t, log, "own", 5)
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Sync {
				return crashdisk.Fault{Err: errInjected}
			}
			return crashdisk.Fault{}
		})
		if err := log.Sync(); err == nil {
			t.Fatal("it can be flushed")
		}
		disk.SetHook(nil)
		disk = disk.AfterKill()
		if damage != nil {
			disk = damage(disk)
		}
		_, err = repairDir(disk)
		must(t, err)
		for seed := range uint64(100) {
			v, err := verify(disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 1))), func(Entry, error) bool { return true })
			if must(t, err); !v.Opens || v.Next != 105 {
				t.Fatalf("%s, seed %d: %+v", what, seed, v)
			}
		}
	}
}

// A manifest of which the cuts alone are damaged tells nothing.
func TestDamageToTheCuts(t *testing.T) {
	log, disk := numbered(t, None, 100)
	must(t, log.TruncatePrefix(5))
	must(t, log.TruncateSuffix(90))
	name := segmentName(log.number)
	appendNumbered(t, log, "own", 10)
	image := struck(struck(disk, manifestName, blockSize, blockSize+4), name, recordsStart, recordsStart+4)
	in, err := inspectTwice(image)
	must(t, err)
	if first, cut, err := in.truncatedSince(); first != in.manifest.first || cut || err != nil || !in.distrusted {
		t.Errorf("first %d of %d, cut %t, %v", first, in.manifest.first, cut, err)
	}
	must(t, in.close())
}

// Numbers go on where a log was emptied, and is killed before it has another file.
func TestNumbersOfAnEmptiedLog(t *testing.T) {
	options := FileOptions{SegmentSize: 4 << 20, Durability: Always, alone: true, cached: true}
	disk, killed := crashdisk.New(), (*crashdisk.Disk)(nil)
	log := openWith(t, disk, options)
	for i := range 300 {
		mustAppend(t, log, string(noise(i, 5000)))
	}
	must(t, log.TruncatePrefix(log.Next()))
	must(t, log.Close())
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Create && c.Name == segmentName(1) {
			killed = disk.AfterKill()
		}
		return crashdisk.Fault{}
	})
	must(t, openWith(t, disk, options).Close())
	log = openWith(t, killed, options)
	mustAppend(t, log, "new")
	if names := segmentsOn(t, killed); names[0] != segmentName(1) {
		t.Errorf("the files are %q", names)
	}
}

// The last of the cuts that are before the first entry stays: it tells of all files that were removed before.
func TestCutBeforeTheFirstStays(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, small)
	appendNumbered(t, log, "old", 35)
	old := bytes.Clone(disk.Bytes(segmentName(0)))
	must(t, log.TruncateSuffix(10))
	appendNumbered(t, log, "own", 20)
	must(t, log.TruncateSuffix(29))
	appendNumbered(t, log, "own", 10)
	must(t, log.TruncatePrefix(20))
	must(t, log.TruncateSuffix(38))
	must(t, log.Close())
	disk.SetBytes(segmentName(1), old)
	if n, v := own(t, disk, "own"); n != 9 || v.Lost != 9 || v.Opens {
		t.Errorf("%d entries, %+v", n, v)
	}
}

// What follows a first page that is gone was not taken by a crash: the header there was safe before the file's name.
func TestFirstPageOfALogThatWasKilled(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{Durability: durability, SegmentSize: 64 << 10, alone: true})
		appendNumbered(t, log, "own", 1000)
		killed := disk.AfterKill()
		image := struck(killed, segmentName(0), 0, 4096)
		for range 2 {
			n, v := own(t, image, "own")
			if n < 700 || n == 1000 || v.Next != 1000 || int(v.Lost) != 1000-n {
				t.Errorf("%s: %d entries, %+v", durability, n, v)
			}
			_, err := repairDir(image)
			must(t, err)
		}
	}
}

// What a manifest that is another log's, or damaged, says of the first entry counts for nothing, also while damage is told.
func TestFirstOfAManifestThatIsNotTrusted(t *testing.T) {
	made := func(n int, first, id uint64) *crashdisk.Disk {
		disk := crashdisk.New()
		options := small
		options.SegmentSize, options.newID = 256, func() uint64 { return id }
		log := openWith(t, disk, options)
		appendNumbered(t, log, "own", n)
		must(t, log.TruncateSuffix(uint64(n)-3))
		appendNumbered(t, log, "own", 3)
		must(t, log.TruncatePrefix(first))
		must(t, log.Close())
		return disk
	}
	foreign := made(40, 0, 7)
	foreign.SetBytes(manifestName, made(2000, 1000, 8).Bytes(manifestName))
	cuts := made(40, 3, 7)
	for what, disk := range map[string]*crashdisk.Disk{"another log's": foreign, "damaged": struck(cuts, manifestName, blockSize+6, blockSize+7)} {
		image := struck(disk, segmentName(0), recordsStart+5*int(recordSize(10))-1, recordsStart+5*int(recordSize(10)))
		v, err := verify(image, func(Entry, error) bool { return true })
		must(t, err)
		if v.First != 0 || v.Lost != 1 || v.restless {
			t.Errorf("%s: %+v", what, v)
		}
	}
}

// A file that is wiped takes no entry along of those behind it, also of a log that was killed and had nothing flushed.
func TestWipedFileOfALogThatWasKilled(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 1024, alone: true})
	appendNumbered(t, log, "own", 100)
	killed := disk.AfterKill()
	names := segmentsOn(t, killed)
	behind := int(baseOn(t, killed, names[1]))
	image := struck(killed, names[0], 0, len(killed.Bytes(names[0])))
	for range 2 {
		if n, v := own(t, image, "own"); n != 100-behind || int(v.Lost) != behind || v.Next != 100 {
			t.Errorf("%d entries, %+v", n, v)
		}
		_, err := repairDir(image)
		must(t, err)
	}
}

// The only file of a log that was missing at a repair, or where the log was empty, and is put back when there are others,
// takes none of their entries along, and has its own again.
func TestOnlyFileIsPutBack(t *testing.T) {
	for _, c := range []struct {
		first, next uint64 // of the log then
		cut         bool
	}{{0, 9, true}, {0, 60, false}, {190, 200, false}, {200, 200, false}} {
		for _, appended := range []int{0, 5, 400} {
			disk := crashdisk.New()
			log := openWith(t, disk, small)
			for i := range c.next {
				mustAppend(t, log, fmt.Sprintf("own %06d", i))
			}
			if c.cut {
				mustAppend(t, log, "old")
				must(t, log.TruncateSuffix(c.next))
			}
			must(t, log.TruncatePrefix(c.first))
			must(t, log.Close())
			if c.first == 0 && !c.cut { // all in one
				disk = closedWith(t, FileOptions{SegmentSize: 4096, alone: true}, "own", int(c.next))
			}
			name := segmentsOn(t, disk)[0]
			image := disk.AfterKill()
			must(t, image.Remove(name))
			_, err := repairDir(image)
			must(t, err)
			log = openWith(t, image, small)
			appendNumbered(t, log, "own", appended)
			must(t, log.Close())
			image.SetBytes(name, disk.Bytes(name))
			for range 2 {
				if n, v := own(t, image, "own"); n != int(c.next-c.first)+appended || v.Lost > 0 {
					t.Errorf("%+v, %d appended: %d entries, %+v", c, appended, n, v)
				}
				must(t, openWith(t, image, small).Close())
			}
		}
	}
}

// The first file is put back also where numbers were skipped behind it, and so is one that was emptied or cut short.
func TestFirstFileIsPutBack(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, small)
	appendNumbered(t, log, "own", 20)
	must(t, log.fillSpare())
	disk = disk.AfterKill()
	log = openWith(t, disk, small)
	appendNumbered(t, log, "own", 180)
	must(t, log.TruncatePrefix(1))
	must(t, log.Close())
	for _, name := range segmentsOn(t, disk) {
		for _, left := range []int{-1, 0, 61} {
			image := disk.AfterKill()
			if left < 0 {
				must(t, image.Remove(name))
			} else {
				image.SetBytes(name, bytes.Clone(disk.Bytes(name)[:left]))
			}
			_, err := repairDir(image)
			must(t, err)
			image.SetBytes(name, disk.Bytes(name))
			if n, v := own(t, image, "own"); n != 199 {
				t.Errorf("%s, %d bytes left: %d entries, %+v", name, left, n, v)
			}
		}
	}
}

// A repair without a manifest that is stopped before it has written the last file anew brings nothing back.
func TestRepairStoppedBeforeTheLastFile(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, small)
	appendNumbered(t, log, "old", 20)
	must(t, log.TruncateSuffix(8))
	mustAppend(t, log, "new")
	disk = disk.AfterKill()
	name := segmentsOn(t, disk)[1]
	data := bytes.Clone(disk.Bytes(name))
	clear(data[:recordsStart])
	disk.SetBytes(name, data)
	image := struck(disk, manifestName, 0, 10)
	for after := 0; ; after++ {
		repaired, err := repairRefused(image, after)
		_, failed := verify(repaired.AfterKill(), func(e Entry, err error) bool {
			if err == nil && e.Index == 8 && string(e.Value) != "new" {
				t.Errorf("call %d refused: entry 8 is %q", after+1, e.Value)
			}
			return true
		})
		if must(t, failed); err == nil {
			break
		}
	}
}

// A disk that was full for a while, so that a truncation of all entries flushed nothing, and a power cut leave no damage.
func TestPowerCutBehindATruncationWithoutSpace(t *testing.T) {
	for seed := range uint64(300) {
		disk := crashdisk.New()
		options := FileOptions{SegmentSize: 1024, alone: true, cached: true}
		log := openWith(t, disk, options)
		mustAppend(t, log, "a", "b")
		disk = disk.AfterKill()
		log = openWith(t, disk, options)
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Write && c.Name != newManifestName {
				return crashdisk.Fault{Err: syscall.ENOSPC}
			}
			return crashdisk.Fault{}
		})
		must(t, log.TruncatePrefix(2))
		disk.SetHook(nil)
		mustAppend(t, log, "c")
		v, err := verify(disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 1))), func(Entry, error) bool { return true })
		if must(t, err); len(v.Damage) > 0 {
			t.Fatalf("seed %d: %v", seed, v.Damage)
		}
	}
}

// A file that another log's stood in place of, at a repair, can be put back.
func TestFileIsPutBackWhereAnotherLogsStood(t *testing.T) {
	other, disk := closedWith(t, small, "foreign", 200), closedWith(t, small, "own", 200)
	for _, name := range segmentsOn(t, disk) {
		image := disk.AfterKill()
		image.SetBytes(name, bytes.Clone(other.Bytes(name)))
		_, err := repairDir(image)
		must(t, err)
		image.SetBytes(name, bytes.Clone(disk.Bytes(name)))
		for range 2 {
			if n, v := own(t, image, "own"); n != 200 {
				t.Errorf("%s: %d entries, %+v", name, n, v)
			}
			_, err = repairDir(image)
			must(t, err)
		}
	}
}

// A file at the end with the headers of another one, and nothing that tells whose it is, is told: nobody knows what it held.
func TestFileOfWhichNothingTellsWhoseItIs(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 4096, alone: true})
	for log.number < 3 {
		mustAppend(t, log, "own "+strings.Repeat("v", 600))
	}
	disk = disk.AfterKill()
	last := log.tail.segment.name
	for _, from := range []string{segmentName(0), segmentName(1)} {
		data := disk.Bytes(from)[:recordsStart]
		image := overlaid(struck(disk, last, recordsStart, len(disk.Bytes(last))), last, data)
		if _, v := own(t, image, "own"); v.Opens || len(v.Damage) == 0 || len(v.Untold) != 1 {
			t.Errorf("headers of %s: %+v", from, v)
		}
	}
}

// What a repair keeps of a file is what was there, also where it has to guess the header.
func TestKeptCopyHasTheDamagedHeader(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 64 << 10, alone: true})
	appendNumbered(t, log, "own", 50)
	name := segmentName(0)
	image := struck(struck(disk, name, 0, recordsStart+30), manifestName, 0, 10)
	before := bytes.Clone(image.Bytes(name))
	_, err := repairDir(image)
	must(t, err)
	if !bytes.Equal(image.Bytes(name+damagedSuffix), before) {
		t.Error("the copy has other bytes")
	}
}

// A file without its header that is of the manifest's log, by its trailer or by any record, keeps the manifest from being
// taken for another log's.
func TestManifestWhoseLogHasNoHeaderLeft(t *testing.T) {
	other := closedWith(t, small, "foreign", 30).Bytes(segmentName(0))
	for _, sealed := range []bool{true, false} {
		options := FileOptions{SegmentSize: 4096, alone: true}
		disk := crashdisk.New()
		log := openWith(t, disk, options)
		appendNumbered(t, log, "own", 400) // in two files
		if sealed {
			must(t, log.Close())
		} else {
			must(t, log.Sync())
			disk = disk.AfterKill()
		}
		image := struck(disk, segmentName(0), 0, recordsStart)
		image.SetBytes(segmentName(1), bytes.Clone(other))
		want := int(baseOn(t, disk, segmentName(1)))
		for range 2 {
			if n, v := own(t, image, "own"); n != want || v.First != 0 {
				t.Errorf("sealed %t: %d entries of %d, %+v", sealed, n, want, v)
			}
			_, err := repairDir(image)
			must(t, err)
		}
	}
}

// A header of a file that was removed, over another one with a single record, takes no entry along.
func TestHeaderOfARemovedFile(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 4096, alone: true, Durability: Always})
	mustAppend(t, log, "own 0", "own old", "own old")
	must(t, log.TruncateSuffix(1))
	mustAppend(t, log, "own old")
	header := bytes.Clone(disk.Bytes(segmentName(1))[:recordsStart])
	must(t, log.TruncateSuffix(1))
	mustAppend(t, log, "own 1")
	image := overlaid(disk, segmentName(2), header)
	for range 2 {
		if n, v := own(t, image, "own"); n != 2 || v.Next != 2 {
			t.Errorf("%d entries, %+v", n, v)
		}
		_, err := repairDir(image)
		must(t, err)
	}
}

// A file of zeros takes no name from one that was renamed.
func TestRenamedFileBesideZerosUnderItsName(t *testing.T) {
	disk := closedWith(t, small, "own", 3)
	must(t, disk.Rename(segmentName(0), segmentName(4)))
	disk.SetBytes(segmentName(0), make([]byte, 4096))
	for range 2 {
		if n, v := own(t, disk, "own"); n != 3 {
			t.Errorf("%d entries, %+v", n, v)
		}
		_, err := repairDir(disk)
		must(t, err)
	}
}

// On a full disk a truncation of the prefix flushes nothing; a power cut takes the header, and the first records: behind
// whatever comes then nothing is told as damaged.
func TestHeaderTornBehindATruncationWithoutSpace(t *testing.T) {
	exhausts(t)
	for seed := range uint64(4000) {
		size, first := 300, uint64(3)
		if seed%2 == 1 {
			size, first = 700, 6
		}
		disk := crashdisk.New()
		options := FileOptions{SegmentSize: 4096, alone: true}
		log := openWith(t, disk, options)
		for i := range 9 {
			mustAppend(t, log, "own "+string(noise(i, size)))
		}
		disk = disk.AfterKill()
		log = openWith(t, disk, options)
		disk.SetHook(noSpaceForEntries)
		must(t, log.TruncatePrefix(first))
		image := disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 9)))
		if _, v := own(t, image, "own"); v.Lost > 0 || !v.Opens || damagedFrom(v, first) {
			t.Fatalf("seed %d: %+v", seed, v)
		}
		if seed%4 < 2 {
			_, err := repairDir(image)
			must(t, err)
		} else {
			options.Durability = Always
			mustAppend(t, openWith(t, image, options), "own, behind it")
		}
		if _, v := own(t, image.AfterKill(), "own"); v.Lost > 0 || damagedFrom(v, first) {
			t.Fatalf("seed %d, used: %+v", seed, v)
		}
	}
}

// damagedFrom reports whether damage is told to entries from one on.
func damagedFrom(v *Verification, first uint64) bool {
	for _, d := range v.Damage {
		if d.Index+max(1, d.Entries) > first {
			return true
		}
	}
	return false
}

// Nothing is added to a file that was renamed: what a power cut takes behind it is no damage.
func TestPowerCutBehindARenamedFile(t *testing.T) {
	for seed := range uint64(500) {
		log, disk := numbered(t, None, 1)
		must(t, log.TruncateSuffix(0))
		must(t, log.Close())
		must(t, openOn(t, disk, None).Close())
		names := segmentsOn(t, disk)
		disk = disk.AfterKill()
		must(t, disk.Rename(names[len(names)-1], segmentName(11)))
		must(t, disk.Sync())
		log = openOn(t, disk, None)
		mustAppend(t, log, "foo", "bar")
		_, v := own(t, disk.AfterPowerCut(rand.New(rand.NewPCG(seed, 3))), "")
		if len(v.Damage) > 0 || !v.Opens {
			t.Fatalf("seed %d: %+v", seed, v)
		}
	}
}

// The header of a file whose first entries were truncated says no more than its records do: behind a repair they stand where
// they should.
func TestHeaderBeforeTruncatedEntries(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for _, gone := range []int{10, 14, 21} {
			disk := crashdisk.New()
			log := openWith(t, disk, FileOptions{Durability: durability, SegmentSize: 4096, alone: true})
			mustAppend(t, log, "0", "1", "2", "3", "4")
			must(t, log.TruncatePrefix(5))
			mustAppend(t, log, "5")
			must(t, log.Sync())
			image := disk.AfterKill()
			data := bytes.Clone(image.Bytes(segmentName(0)))
			clear(data[:recordsStart+gone])
			image.SetBytes(segmentName(0), data)
			for range 3 {
				if _, v := own(t, image, ""); len(v.Damage) > 0 || v.First != 5 || v.Next != 6 || v.Lost > 0 {
					t.Errorf("%v, %d bytes: %+v", durability, gone, v)
				}
				_, err := repairDir(image)
				must(t, err)
			}
		}
	}
}

// Files behind the end that a crash has made are none of which nobody can tell what they held: opening cuts them off.
func TestNothingIsUntoldBehindATornEnd(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 4096, alone: true})
	for i := range 9 { // three files of three
		mustAppend(t, log, string(noise(i, 1200)))
	}
	image := disk.AfterKill()
	torn := bytes.Clone(image.Bytes(segmentName(1)))
	clear(torn[recordsStart:1000])
	image.SetBytes(segmentName(1), torn)
	last := bytes.Clone(image.Bytes(segmentName(2)))
	for _, at := range []int{recordsStart, 1024, 2560} {
		clear(last[at : at+448])
	}
	image.SetBytes(segmentName(2), last)
	image = struck(image, segmentName(2), 0, recordsStart)
	if _, v := own(t, image, ""); len(v.Untold) > 0 != (len(v.Damage) > 0) || v.Opens != (len(v.Damage) == 0) {
		t.Errorf("%+v", v)
	}
}

// A file that lost its header and has one record, which was truncated, holds nothing that anybody misses.
func TestHeaderBeforeTheOnlyTruncatedEntry(t *testing.T) {
	for _, before := range []int{0, 3} {
		for _, closed := range []bool{true, false} {
			disk := crashdisk.New()
			log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 4096, alone: true})
			for i := range before {
				mustAppend(t, log, string(noise(i, 4000))) // each in a file of its own
			}
			mustAppend(t, log, string(noise(9, 2000)))
			must(t, log.TruncatePrefix(uint64(before)+1))
			if closed {
				must(t, log.Close())
			}
			image := struck(disk.AfterKill(), segmentsOn(t, disk)[0], 0, recordsStart)
			if _, v := own(t, image, ""); !v.Opens || len(v.Untold) > 0 || v.Lost > 0 {
				t.Errorf("%d before, closed %t: %+v", before, closed, v)
			}
		}
	}
}

// What a log shows behind a header that is lost, and truncated entries, it shows for good: one look believes what another does.
func TestEntryBehindTruncatedOnesIsShownForGood(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for size := range 70 {
			options := FileOptions{Durability: durability, SegmentSize: 4096, alone: true}
			disk := crashdisk.New()
			log := openWith(t, disk, options)
			for i := range 5 {
				mustAppend(t, log, "own "+string(noise(i, 10*size)))
			}
			must(t, log.Sync())
			must(t, log.TruncatePrefix(4))
			if 5*int(recordSize(4+10*size)) > 4096-recordsStart {
				break // in two files
			}
			image := struck(disk, segmentName(0), 0, recordsStart+4*int(recordSize(4+10*size)))
			log, err := openDir(image.AfterKill(), options)
			if err != nil {
				continue // it is told
			}
			_, err = log.Get(4)
			shown := err == nil
			if n, v := own(t, image, "own"); shown != (n == 1) || shown != (v.Lost == 0) {
				t.Errorf("%v, %d bytes: opening shows %t, verify %+v", durability, 10*size, shown, v)
			}
			_, err = repairDir(image)
			must(t, err)
			if n, _ := own(t, image, "own"); shown != (n == 1) {
				t.Errorf("%v, %d bytes: opening shows %t, and a repair leaves %d", durability, 10*size, shown, n)
			}
		}
	}
}

// An opening that is stopped between writing down where the log ends and removing what is behind that can be done again, also
// if of what is behind nothing can be read.
func TestOpeningStoppedBeforeItRemoves(t *testing.T) {
	options := FileOptions{SegmentSize: 512, alone: true}
	disk := crashdisk.New()
	log := openWith(t, disk, options)
	for len(segmentsOn(t, disk)) < 4 {
		mustAppend(t, log, string(noise(1, 200)))
	}
	image := disk.AfterKill()
	names := segmentsOn(t, image)
	image.SetBytes(names[1], make([]byte, len(image.Bytes(names[1])))) // a power cut took it
	image = struck(image, names[3], 0, lastDirty(image.Bytes(names[3])))
	stopped := 0
	image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Remove {
			stopped++
			if _, v := own(t, image.AfterKill(), ""); !v.Opens || v.Lost > 0 {
				t.Errorf("before %v: %+v", c, v)
			}
		}
		return crashdisk.Fault{}
	})
	must(t, openWith(t, image, options).Close())
	if stopped < 3 {
		t.Errorf("%d files are removed", stopped)
	}
}
