package commitlog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A sealed segment that lost both headers is the one that its file has the name of: no intact entry is given
// up, repair gives it headers again, and nothing of another log or of another segment passes
// for it.
func TestSealedSegmentWithoutHeaders(t *testing.T) {
	filled := func(t *testing.T, value byte) (dir string, sealed SegmentInfo) {
		dir = filepath.Join(t.TempDir(), "log")
		log, err := OpenFile(dir, FileOptions{SegmentSize: 16 << 10})
		must(t, err)
		for i := range 3000 {
			mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), value}))
		}
		must(t, log.Close())
		v, err := Verify(dir)
		must(t, err)
		if len(v.Segments) < 2 || !v.Segments[0].Sealed {
			t.Fatalf("%+v", v)
		}
		return dir, v.Segments[0]
	}
	wipe := func(t *testing.T, path string, n int) { overwrite(t, path, make([]byte, n), 0) }
	for _, wiped := range []int{recordsStart, 512, 4096} {
		dir, s := filled(t, 1)
		wipe(t, s.Path, wiped)
		intact := 3000 - (wiped-recordsStart)/8
		if n := salvaged(t, dir); n != intact {
			t.Errorf("%d bytes wiped: %d entries are saved of %d", wiped, n, intact)
		}
		v, err := Verify(dir)
		must(t, err)
		if !v.Opens || len(v.Damage) == 0 || v.Lost != uint64(3000-intact) || !v.Segments[0].Sealed {
			t.Errorf("%d bytes wiped: %+v", wiped, v)
		}
		_, err = Repair(dir)
		must(t, err)
		data, err := os.ReadFile(s.Path)
		must(t, err)
		if _, reason := parseHeader(data); reason != "" || salvaged(t, dir) != intact {
			t.Errorf("%d bytes wiped, repaired: %s, %d entries", wiped, reason, salvaged(t, dir))
		}
	}

	t.Run("beside a cut", func(t *testing.T) {
		for which := range 2 { // the one that was cut, and one before it
			dir, _ := filled(t, 1)
			log, err := OpenFile(dir, FileOptions{SegmentSize: 16 << 10})
			must(t, err)
			for i := 3000; i < 6000; i++ {
				mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 1}))
			}
			must(t, log.Close())
			v, err := Verify(dir)
			must(t, err)
			cut := v.Segments[1].First + 500
			log, err = OpenFile(dir, FileOptions{SegmentSize: 16 << 10})
			must(t, err)
			must(t, log.TruncateSuffix(cut))
			for i := cut; i < cut+100; i++ {
				mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 1}))
			}
			must(t, log.Close())
			wipe(t, v.Segments[1-which].Path, recordsStart)
			if n := salvaged(t, dir); n != int(cut)+100 {
				t.Errorf("%d entries are saved of %d", n, cut+100)
			}
			_, err = Repair(dir)
			must(t, err)
			if n := salvaged(t, dir); n != int(cut)+100 {
				t.Errorf("repaired: %d entries of %d", n, cut+100)
			}
		}
	})

	t.Run("of another log", func(t *testing.T) {
		dir, s := filled(t, 1)
		_, other := filled(t, 2)
		data, err := os.ReadFile(other.Path)
		must(t, err)
		must(t, os.WriteFile(s.Path, data, 0o666))
		wipe(t, s.Path, recordsStart)
		for e, err := range Salvage(dir) {
			if err == nil && e.Value[2] == 2 {
				t.Fatalf("entry %d is another log's", e.Index)
			}
		}
		if v, err := Verify(dir); err != nil || v.Segments[0].Sealed { // no record proves that it is what its trailer says
			t.Errorf("%+v, %v", v, err)
		}
	})
	t.Run("a copy of another segment", func(t *testing.T) {
		dir, s := filled(t, 1)
		data, err := os.ReadFile(s.Path)
		must(t, err)
		second := filepath.Join(dir, segmentName(1))
		must(t, os.WriteFile(second, data, 0o666))
		wipe(t, second, recordsStart)
		v, err := Verify(dir)
		must(t, err)
		if n := salvaged(t, dir); v.Next != 3000 || n != int(s.Entries) || v.Lost != 3000-s.Entries {
			t.Errorf("%d saved, %+v", n, v)
		}
	})
	t.Run("under another name", func(t *testing.T) {
		dir, s := filled(t, 1)
		renamed := filepath.Join(dir, segmentName(900))
		must(t, os.Rename(s.Path, renamed))
		if n := salvaged(t, dir); n != 3000 {
			t.Errorf("%d saved of a log one file of which has another name", n)
		}
		wipe(t, renamed, recordsStart)
		v, err := Verify(dir)
		must(t, err)
		if n := salvaged(t, dir); v.Opens || v.Lost != s.Entries || n != 3000-int(s.Entries) {
			t.Errorf("%d saved, %+v", n, v)
		}
	})
	t.Run("truncated since", func(t *testing.T) {
		dir, s := filled(t, 1)
		stale, err := os.ReadFile(s.Path)
		must(t, err)
		log, err := OpenFile(dir, FileOptions{SegmentSize: 16 << 10})
		must(t, err)
		must(t, log.TruncateSuffix(0))
		for i := range 100 {
			mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 2}))
		}
		must(t, log.Close())
		stray := filepath.Join(dir, segmentName(900))
		must(t, os.WriteFile(stray, stale, 0o666))
		wipe(t, stray, recordsStart)
		n := 0
		for e, err := range Salvage(dir) {
			if err == nil && e.Value[2] != 2 {
				t.Fatalf("entry %d was truncated, and is back", e.Index)
			}
			n++
		}
		if n < 100 {
			t.Errorf("%d saved of 100", n)
		}
	})
	// A file of entries that were truncated, in place of one of those that came since: it fits the
	// one before it and not the one behind, or the other way round.
	for what, from := range map[string]uint64{"begins where it should": 2040, "ends where it should": 0} {
		t.Run(what, func(t *testing.T) {
			dir, s := filled(t, 1)
			options := FileOptions{SegmentSize: 16 << 10}
			stale, err := os.ReadFile(s.Path)
			must(t, err)
			log, err := OpenFile(dir, options)
			must(t, err)
			add := func(until uint64, size int) {
				for i := log.Next(); i < until; i++ {
					mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 2})+string(make([]byte, size)))
				}
			}
			if from > 0 { // the stale one is the second, whole, and its place is behind the first
				add(6000, 0)
				must(t, log.Close())
				v, err := Verify(dir)
				must(t, err)
				if v.Segments[1].First != from || !v.Segments[1].Sealed {
					t.Fatalf("%+v", v.Segments)
				}
				stale, err = os.ReadFile(v.Segments[1].Path)
				must(t, err)
				log, err = OpenFile(dir, options)
				must(t, err)
			}
			must(t, log.TruncateSuffix(from))
			if from == 0 {
				add(2048, 40)
				must(t, log.TruncateSuffix(2040)) // the next entry goes into a file of its own
			}
			add(3500, 40)
			must(t, log.Close())
			v, err := Verify(dir)
			must(t, err)
			place := slices.IndexFunc(v.Segments, func(s SegmentInfo) bool {
				return from > 0 && s.First == from || from == 0 && s.First+s.Entries == 2040
			})
			if place < 1 || !v.Segments[place].Sealed || !v.Segments[place-1].Sealed {
				t.Fatalf("%d of %+v", place, v.Segments)
			}
			must(t, os.WriteFile(v.Segments[place].Path, stale, 0o666))
			wipe(t, v.Segments[place].Path, recordsStart)
			n := uint64(0)
			for e, err := range Salvage(dir) {
				if err != nil {
					continue
				}
				if n++; len(e.Value) == 3 && e.Index >= from {
					t.Fatalf("entry %d was truncated, and is back", e.Index)
				}
			}
			if want := 3500 - v.Segments[place].Entries; n != want {
				t.Errorf("%d entries are saved of %d", n, want)
			}
		})
	}
}

// A header that is all zeros is as damaged as any other, once something vouches for what the segment holds.
func TestZeroedHeader(t *testing.T) {
	for segment := range uint64(3) {
		dir := filepath.Join(t.TempDir(), "log")
		fill(t, dir, 8)
		path := filepath.Join(dir, segmentName(segment))
		before, err := os.ReadFile(path)
		must(t, err)
		overwrite(t, path, make([]byte, blockSize), 0)
		v, err := Repair(dir)
		must(t, err)
		if len(v.Damage) != 1 || v.Lost != 0 {
			t.Errorf("segment %d: damage %v, %d entries lost", segment, v.Damage, v.Lost)
		}
		v, err = Verify(dir)
		must(t, err)
		after, err := os.ReadFile(path)
		must(t, err)
		if _, reason := parseHeader(after); reason != "" || len(v.Damage) > 0 || len(after) < len(before) || salvaged(t, dir) != 8 {
			t.Errorf("segment %d, repaired: %s; damage %v, %d entries", segment, reason, v.Damage, salvaged(t, dir))
		}
	}
}

// Two segments without headers, the first ones of a log that was killed, cost no entry.
func TestTwoInARowWithoutHeaders(t *testing.T) {
	live := filepath.Join(t.TempDir(), "live")
	log, err := OpenFile(live, FileOptions{SegmentSize: 4096, alone: true})
	must(t, err)
	defer log.Close()
	for range 14 {
		must(t, appendNext(log))
	}
	dir := copied(t, live)
	for _, segment := range []uint64{0, 1} {
		spot{segment, 20}.flip(t, dir)
	}
	_, err = Repair(dir)
	must(t, err)
	if n := salvaged(t, dir); n != 14 {
		t.Errorf("%d entries of 14", n)
	}
}

// The header of the segment before, in the place of a segment's own, costs no entry, and is damage: the name of the
// file, and the entries, tell which segment it is.
func TestHeaderInAnotherPlace(t *testing.T) {
	for _, closed := range []bool{true, false} {
		dir, n := twoSegments(t, Always, closed, 5, 0)
		data, err := os.ReadFile(filepath.Join(dir, segmentName(0)))
		must(t, err)
		overwrite(t, filepath.Join(dir, segmentName(1)), data[:blockSize], 0)
		v, err := Verify(dir)
		must(t, err)
		if len(v.Damage) != 1 || v.Lost > 0 || v.Next != uint64(n) || salvaged(t, dir) != n {
			t.Errorf("closed %v: %+v of %d", closed, v, n)
		}
		_, err = Repair(dir)
		must(t, err)
		if salvaged(t, dir) != n {
			t.Errorf("closed %v: %d of %d entries after a repair", closed, salvaged(t, dir), n)
		}
	}
}

// Of a log whose end was truncated all headers are gone: what cannot be told any more is lost, and no number is
// another than there were entries.
func TestAllHeadersGone(t *testing.T) {
	log, disk := numbered(t, None, 20)
	must(t, log.TruncateSuffix(12))
	for i := 12; i < 20; i++ {
		mustAppend(t, log, fmt.Sprint(i))
	}
	must(t, log.Close())
	for _, name := range segmentsOn(t, disk) {
		disk = struck(disk, name, 0, recordsStart)
	}
	v, err := verify(disk, func(Entry, error) bool { return true })
	must(t, err)
	for _, s := range v.Segments {
		if s.Entries > 20 {
			t.Errorf("%+v", s)
		}
	}
	if v.Next != 20 || v.Lost > 20 {
		t.Errorf("%+v", v)
	}
	_, err = repairDir(disk)
	must(t, err)
	if got := seenIn(t, disk); got != (seen{20, v.Lost}) {
		t.Errorf("repaired: %+v, verify said %d were lost", got, v.Lost)
	}
}

// Of two segments that lost their headers the second one fits its place, and by that the first one.
func TestSegmentsWithoutHeadersTellOneAnother(t *testing.T) {
	log, disk := numbered(t, None, 200)
	must(t, log.Close())
	first := segmentName(0)
	disk.SetBytes(first, append(disk.Bytes(first), noise(1, 2*blockSize+1)...))
	image := struck(struck(disk, segmentName(1), 0, recordsStart), segmentName(2), 0, recordsStart)
	if got := seenIn(t, image); got != (seen{200, 0}) {
		t.Errorf("%+v", got)
	}
}

// A page that was written in another place, with the headers of another segment, or of another log, costs no
// entry but those in it.
func TestPageOfAnotherSegment(t *testing.T) {
	other, strange := numbered(t, None, 9)
	must(t, other.Close())
	for _, closed := range []bool{false, true} {
		log, disk := numbered(t, None, 100)
		if closed {
			must(t, log.Close())
		}
		disk = disk.AfterKill()
		names := segmentsOn(t, disk)
		for _, source := range []*crashdisk.Disk{disk, strange} {
			for i, name := range names[1 : len(names)-1] {
				image := disk.AfterKill()
				data := bytes.Clone(image.Bytes(name))
				end := recordOn(t, disk, name, baseOn(t, disk, name)+2)
				copy(data[:end], source.Bytes(names[0]))
				image.SetBytes(name, data)
				if got := seenIn(t, image); got != (seen{100, 2}) {
					t.Errorf("closed %t, file %d: %+v", closed, i+1, got)
				}
				_, err := repairDir(image)
				must(t, err)
				if got := seenIn(t, image); got != (seen{100, 2}) {
					t.Errorf("closed %t, file %d, repaired: %+v", closed, i+1, got)
				}
			}
		}
	}
}
