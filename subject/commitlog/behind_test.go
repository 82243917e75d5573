package commitlog

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// killedWithSpares returns the files of a log as a kill leaves them: two segments with entries, of which
// all are known to be flushed if the log is durable, and two files made for entries to come. It
// tells the first entry of the second segment, and how many there are.
func killedWithSpares(t *testing.T, durability Durability) (dir string, base, n int) {
	t.Helper()
	live := filepath.Join(t.TempDir(), "live")
	log, err := OpenFile(live, FileOptions{Durability: durability, SegmentSize: 16 << 10, alone: true})
	must(t, err)
	defer log.Close()
	for log.number < 2 || log.tail.end < 12<<10 {
		must(t, appendNext(log))
	}
	for len(log.spares) < mostSpares {
		log.goAheadSpare()
	}
	return copied(t, live), int(log.tail.segment.base), int(log.Next())
}

// What stands in files that were made for entries to come hides no damage before them, and no
// entry that is intact behind it.
func TestDamageBeforeSpares(t *testing.T) {
	for _, c := range []struct {
		name       string
		durability Durability
		record     int64 // of the last segment, that is damaged
		spare      uint64
		lost, cut  int // -1: those behind the damage
	}{
		{name: "a record, a byte in the second", durability: Always, record: 2, spare: 3, lost: 1},
		{name: "the first record, a byte in the first", durability: Always, record: 0, spare: 2, lost: 1},
		{name: "the first record, a byte in the second", durability: Always, record: 0, spare: 3, lost: 1},
		{name: "a record that nothing vouches for", durability: None, record: 2, cut: -1},
		{name: "a record that nothing vouches for, a byte in the second", durability: None, record: 2, spare: 3, cut: -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, base, n := killedWithSpares(t, c.durability)
			spot{1, recordsStart + c.record*recordSize(1302) + 50}.flip(t, dir)
			if c.spare > 0 {
				overwrite(t, filepath.Join(dir, segmentName(c.spare)), []byte{1}, 2000)
			}
			if c.cut < 0 {
				c.cut = n - base - int(c.record) - 1
			}
			left := n - c.lost - c.cut
			if c.cut > 0 {
				left--
			}
			v, err := Verify(dir)
			must(t, err)
			if v.Opens != (c.lost == 0) || int(v.Lost) != c.lost || int(v.Tail.CutEntries) != c.cut || salvaged(t, dir) != left {
				t.Errorf("%d entries: opens %v, lost %d, %+v, salvaged %d", n, v.Opens, v.Lost, v.Tail, salvaged(t, dir))
			}
			_, err = Repair(dir)
			must(t, err)
			kept, err := os.ReadFile(filepath.Join(dir, segmentName(1)+damagedSuffix))
			if err != nil || !bytes.Contains(kept, noise(n-1, 1300)) {
				t.Errorf("the segment was not kept: %v", err)
			}
			if got := salvaged(t, dir); got != left {
				t.Errorf("%d entries after the repair, want %d", got, left)
			}
		})
	}
}

// A power cut can leave segments behind the one with the last entries that were flushed, of which there is
// nothing or the end alone. Damage to one of those entries is told all the same.
func TestDamageBeforeSegmentsThatAPowerCutEmptied(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		disk := crashdisk.New()
		options := FileOptions{Durability: Interval, Interval: time.Hour, SegmentSize: 16 << 10, alone: true}
		log := openWith(t, disk, options)
		for n := range 42 {
			_, err := log.Append(make([]byte, 200))
			must(t, err)
			if n >= 39 { // the newest records tell that those before them were flushed
				must(t, log.Sync())
			}
		}
		safe := log.Next()
		log.goAheadSpare()
		for log.number < 3 {
			_, err := log.Append(make([]byte, 3000))
			must(t, err)
		}
		image := disk.AfterPowerCut(r)
		must(t, log.Close())
		data := bytes.Clone(image.Bytes(segmentName(0)))
		data[recordsStart+10*recordSize(200)+20] ^= 0xff
		image.SetBytes(segmentName(0), data)
		if opened, err := openDir(image, options); err == nil && opened.Next() < safe {
			t.Fatalf("seed %d: opens with entries up to %d, and those below %d had been flushed", seed, opened.Next(), safe)
		}
	}
}

// Of what is intact behind a hole that reaches beyond the entries that have to be there, a repair
// tells how much it cuts off.
func TestCutBehindAHole(t *testing.T) {
	live := filepath.Join(t.TempDir(), "live")
	fill(t, live, 6)
	log, err := OpenFile(live, FileOptions{alone: true})
	must(t, err)
	defer log.Close()
	for range 6 {
		must(t, appendNext(log))
	}
	dir := copied(t, live)
	last := log.view.Load().segments[len(log.view.Load().segments)-1]
	for index := range uint64(3) { // entries 5, which was flushed, to 7
		spot{last.number, last.offsetOf(5+index) + 50}.flip(t, dir)
	}
	v, err := Verify(dir)
	must(t, err)
	if v.Opens || v.Lost != 1 || v.Tail.CutEntries != 4 || v.Tail.CutBytes < 4*recordSize(1302) {
		t.Errorf("opens %v, lost %d, %+v", v.Opens, v.Lost, v.Tail)
	}
}

// A trailer is damaged as well if all of it is zeros, or gone, but for that of the newest full
// segment: a crash can leave that so.
func TestLostTrailers(t *testing.T) {
	for segment := range uint64(3) {
		dir := filepath.Join(t.TempDir(), "log")
		fill(t, dir, 11)
		path := filepath.Join(dir, segmentName(segment))
		data, err := os.ReadFile(path)
		must(t, err)
		clear(data[len(data)-blockSize:])
		for _, left := range []int{len(data), len(data) - blockSize} {
			must(t, os.WriteFile(path, data[:left], 0o600))
			v, err := Verify(dir)
			must(t, err)
			if told := len(v.Damage) > 0; told != (segment < 2) || v.Lost > 0 {
				t.Errorf("segment %d, %d bytes: damage %v, lost %d", segment, left, v.Damage, v.Lost)
			}
		}
	}
}
