package commitlog

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// toldAndKept repairs a log and sees to it that what is cut off was told, and is kept.
func toldAndKept(t *testing.T, dir string, cut uint64, value []byte) {
	t.Helper()
	v, err := Repair(dir)
	must(t, err)
	kept, err := filepath.Glob(filepath.Join(dir, "*"+damagedSuffix))
	must(t, err)
	for _, name := range kept {
		if data, err := os.ReadFile(name); err == nil && bytes.Contains(data, value) && v.Tail.CutEntries == cut {
			return
		}
	}
	t.Errorf("tail %+v, want %d entries; kept %q", v.Tail, cut, kept)
}

// A segment of which an opening has cut off the end is damaged before that later: what that cuts
// off is told and kept as if nothing had been cut before.
func TestDamageBelowAnEarlierCut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{alone: true})
	must(t, err)
	for range 10 {
		must(t, appendNext(log))
	}
	torn := copied(t, dir)
	must(t, log.Close())
	spot{0, recordsStart + 10*recordSize(1302)}.flip(t, torn) // the beginning of an append
	opened, err := OpenFile(torn, FileOptions{alone: true})
	must(t, err)
	must(t, opened.finish())
	killed := copied(t, torn)
	must(t, opened.Close())
	spot{0, recordsStart + 6*recordSize(1302) + 50}.flip(t, killed)
	toldAndKept(t, killed, 3, noise(9, 1300))
}

// Where all entries were truncated from the front, damage across the first one that came behind hides
// none of those behind that.
func TestDamageAcrossTheFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{alone: true})
	must(t, err)
	defer log.Close()
	for n := range 16 {
		if n == 10 {
			must(t, log.TruncatePrefix(10))
		}
		must(t, appendNext(log))
	}
	killed := copied(t, dir)
	for n := int64(9); n <= 10; n++ {
		spot{0, recordsStart + n*recordSize(1302) + 50}.flip(t, killed)
	}
	toldAndKept(t, killed, 5, noise(15, 1300))
}

// Half a batch that is intact is told and kept, too, if what follows are files without an entry.
func TestHalfABatchBeforeSpares(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{SegmentSize: 16 << 10, alone: true})
	must(t, err)
	defer log.Close()
	for range 8 {
		must(t, appendNext(log))
	}
	_, err = log.AppendBatch([][]byte{noise(100, 1302), noise(101, 1302)})
	must(t, err)
	for len(log.spares) < mostSpares {
		log.goAheadSpare()
	}
	killed := copied(t, dir)
	spot{0, recordsStart + 9*recordSize(1302) + 50}.flip(t, killed)
	overwrite(t, filepath.Join(killed, segmentName(2)), []byte{1}, 2000)
	toldAndKept(t, killed, 1, noise(100, 1302))
}

// cutAndCutAgain returns a closed log of which segment 0 was cut within, at index 5 of 12, and then another one.
func cutAndCutAgain(t *testing.T, sealed bool) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{SegmentSize: 16 << 10, alone: true})
	must(t, err)
	old := func(n int) {
		for range n {
			_, err := log.Append(append([]byte("old"), noise(1, 1300)...))
			must(t, err)
		}
	}
	old(20)
	if sealed {
		log.sealAll()
	}
	must(t, log.TruncateSuffix(5))
	for log.Next() < 45 {
		must(t, appendNext(log))
	}
	must(t, log.TruncateSuffix(42))
	for log.Next() < 60 {
		must(t, appendNext(log))
	}
	must(t, log.Close())
	return dir
}

// A segment that was cut within is damaged if it has lost its trailer, and nothing comes back, also if
// the next one has lost its headers.
func TestLostTrailerOfACutSegment(t *testing.T) {
	for _, sealed := range []bool{false, true} {
		for _, headless := range []bool{false, true} {
			dir := cutAndCutAgain(t, sealed)
			spot{0, -40}.flip(t, dir)
			next, err := filepath.Glob(filepath.Join(dir, "*"+segmentSuffix))
			must(t, err)
			if headless {
				overwrite(t, next[1], make([]byte, recordsStart), 0)
			}
			v, err := Verify(dir)
			must(t, err)
			if len(v.Damage) == 0 || v.Lost > 0 || v.Next != 60 {
				t.Errorf("sealed %v, headless %v: damage %v, lost %d of %d", sealed, headless, v.Damage, v.Lost, v.Next)
			}
			for e, err := range Salvage(dir) {
				if err == nil && e.Index >= 5 && strings.HasPrefix(string(e.Value), "old") {
					t.Errorf("sealed %v, headless %v: entry %d was truncated", sealed, headless, e.Index)
				}
			}
			_, err = Repair(dir)
			must(t, err)
			if v, err := Verify(dir); err != nil || len(v.Damage) > 0 || v.Next != 60 {
				t.Errorf("sealed %v, headless %v, repaired: %+v, %v", sealed, headless, v, err)
			}
		}
	}
}

// What may be all that is left of entries is not removed because what stands before it, damaged, seems to
// have them: a file goes that tells by its own entries that it is behind the end.
func TestOpeningRemovesNoFileThatTellsNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{SegmentSize: 16 << 10, alone: true})
	must(t, err)
	defer log.Close()
	for range 20 {
		must(t, appendNext(log))
	}
	log.sealAll()
	must(t, log.TruncateSuffix(5))
	number := log.number
	for range 3 {
		must(t, appendNext(log))
	}
	must(t, log.TruncateSuffix(7))
	for range 3 {
		must(t, appendNext(log))
	}
	killed := copied(t, dir)
	spot{0, -40}.flip(t, killed)
	spot{number, 31}.flip(t, killed)
	if opened, err := OpenFile(killed, FileOptions{alone: true}); err == nil {
		must(t, opened.finish())
		must(t, opened.Close())
	}
	files, err := filepath.Glob(filepath.Join(killed, segmentName(number)))
	if err != nil || len(files) != 1 {
		t.Errorf("the file with entries 5 and 6 is gone (%v)", err)
	}
}

// A repair removes what stands behind a trailer, which costs nothing before it either.
func TestGarbageBehindATrailer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	fill(t, dir, 8)
	path := filepath.Join(dir, segmentName(0))
	data, err := os.ReadFile(path)
	must(t, err)
	overwrite(t, path, noise(0, 74), int64(len(data)))
	repaired := copied(t, dir)
	_, err = Repair(repaired)
	must(t, err)
	if now, err := os.ReadFile(filepath.Join(repaired, segmentName(0))); err != nil || !bytes.Equal(now, data) {
		t.Errorf("%d bytes are left of %d (%v)", len(now), len(data), err)
	}
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096})
	must(t, err)
	must(t, log.TruncateSuffix(2))
	for range 3 {
		must(t, appendNext(log))
	}
	must(t, log.TruncateSuffix(4))
	must(t, log.Close())
	v, err := Verify(dir)
	must(t, err)
	if len(v.Damage) > 0 || v.Next != 4 || salvaged(t, dir) != 4 {
		t.Errorf("damage %v, next %d, %d entries", v.Damage, v.Next, salvaged(t, dir))
	}
}

// A repair leaves a segment alone that ends in half a batch, but for a copy, and one behind it makes no other.
func TestSecondRepairKeepsNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096, alone: true})
	must(t, err)
	defer log.Close()
	for range 5 {
		must(t, appendNext(log))
	}
	log.sealAll()
	_, err = log.AppendBatch([][]byte{noise(100, 200), noise(101, 200)})
	must(t, err)
	killed := copied(t, dir)
	spot{0, recordsStart + 50}.flip(t, killed)
	last := log.view.Load().segments[1]
	spot{1, last.offsetOf(6) + 50}.flip(t, killed)
	for range 2 {
		_, err := Repair(killed)
		must(t, err)
		kept, err := filepath.Glob(filepath.Join(killed, "*"+damagedSuffix+"*"))
		if len(kept) != 2 || err != nil {
			t.Errorf("kept %q (%v)", kept, err)
		}
	}
}

// A repair that fails, at whichever call, leaves a log of which opening would make what it would have
// made before, whether the segment at the end is damaged or another; and one behind it finds the same.
func TestRepairThatFailsChangesNoEnd(t *testing.T) {
	for _, damaged := range []int{0, 2} {
		log, disk := numbered(t, Interval, 120)
		_, err := log.sealOldest()
		must(t, err)
		image := disk.AfterKill()
		names := segmentsOn(t, image)
		data := bytes.Clone(image.Bytes(names[2]))
		base := baseOn(t, disk, names[2])
		clear(data[recordOn(t, image, names[2], base+4):]) // as a power cut can leave it
		image.SetBytes(names[2], data)
		image = flipped(image, names[0], 8*recordOn(t, image, names[0], 3)+36)
		if damaged == 2 {
			image = flipped(image, names[2], 8*36)
		}
		before := seenIn(t, image)
		if before.lost != 1 || before.next != base+4 {
			t.Fatalf("%+v", before)
		}
		for after := 0; ; after++ {
			repaired, err := repairRefused(image, after)
			if got := seenIn(t, repaired.AfterKill()); got != before {
				t.Errorf("segment %d damaged, call %d refused: before %+v, after %+v (%v)", damaged, after+1, before, got, err)
			}
			if err == nil {
				_, err = repairDir(repaired)
				must(t, err)
				if got := seenIn(t, repaired); got != before {
					t.Errorf("segment %d damaged, repaired twice: before %+v, after %+v", damaged, before, got)
				}
				break
			}
		}
	}
}

// A log that is killed while it seals what was cut before is sound.
func TestKilledWhileACutSegmentIsSealed(t *testing.T) {
	disk := crashdisk.New()
	options := FileOptions{SegmentSize: 512, alone: true}
	log := openWith(t, disk, options)
	for n, size := range []int{35, 35, 35, 35, 35, 21, 35, 35} {
		_, err := log.Append(noise(n, size))
		must(t, err)
	}
	must(t, log.TruncateSuffix(5))
	disk = disk.AfterKill()
	log = openWith(t, disk, options)
	mustAppend(t, log, "behind", "it")
	images := 0
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		v, err := verify(disk.AfterKill(), func(Entry, error) bool { return true })
		if images++; err != nil || len(v.Damage) > 0 || v.Next != 7 {
			t.Errorf("killed before %v: %+v, %v", c, v, err)
		}
		return crashdisk.Fault{}
	})
	must(t, log.Close())
	if images < 10 {
		t.Errorf("%d images", images)
	}
}

// An opening that cuts off the end, and is killed before it has removed all files behind it, leaves a log
// that ends there, also if one of them does not tell where it begins.
func TestKilledWhileOpeningRemoves(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{SegmentSize: 16 << 10, alone: true})
	for n := 0; log.number < 4 || log.tail.end < 12<<10; n++ {
		_, err := log.Append(noise(n, 15))
		must(t, err)
	}
	_, err := log.sealOldest()
	must(t, err)
	image := disk.AfterKill()
	names := segmentsOn(t, image)
	for n, name := range names {
		data := bytes.Clone(image.Bytes(name))
		switch n { // as a power cut can leave what was never flushed
		case 1:
			clear(data)
		case 3:
			clear(data[:4<<10])
		}
		image.SetBytes(name, data)
	}
	before, images := seenIn(t, image.AfterKill()), 0
	image.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if after := seenIn(t, image.AfterKill()); after != before {
			t.Errorf("before %v: %+v, was %+v", c, after, before)
		}
		images++
		return crashdisk.Fault{}
	})
	must(t, openOn(t, image, None).Close())
	if images < 10 || before.lost > 0 || before.next != baseOn(t, disk, names[1]) {
		t.Errorf("%d images, %+v", images, before)
	}
}

// repairRefused repairs a copy of a log on a disk that refuses all calls behind so many.
func repairRefused(image *crashdisk.Disk, after int) (*crashdisk.Disk, error) {
	repaired, n := image.AfterKill(), 0
	repaired.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if n++; n > after && c.Op != crashdisk.Read && c.Op != crashdisk.Close {
			return crashdisk.Fault{Err: os.ErrPermission}
		}
		return crashdisk.Fault{}
	})
	_, err := repairDir(repaired)
	repaired.SetHook(nil)
	return repaired, err
}

type seen struct{ next, lost uint64 }

func seenIn(t *testing.T, disk *crashdisk.Disk) seen {
	t.Helper()
	v, err := verify(disk, func(Entry, error) bool { return true })
	must(t, err)
	return seen{v.Next, v.Lost}
}
