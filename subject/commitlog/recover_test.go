package commitlog

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var sample = []string{"foo", "", "a value that is a little longer", "bar", "last"}

// sampleEnds are where the header and each record of sample end.
func sampleEnds() []int {
	ends := []int{fileHeaderSize}
	for i, value := range sample {
		ends = append(ends, ends[i]+recordHeaderSize+len(value))
	}
	return ends
}

// recordAt is the record that byte offset belongs to; -1 is the file header.
func recordAt(offset int) int {
	record, _ := slices.BinarySearch(sampleEnds(), offset+1)
	return record - 1
}

func TestCutAnywhereLeavesWholeRecords(t *testing.T) {
	for _, durable := range []bool{false, true} {
		image := imageOf(t, durable, sample...)
		for cut := range len(image) + 1 {
			log := mustOpen(t, &fakeDisk{data: bytes.Clone(image[:cut])}, durable)
			whole := max(recordAt(cut), 0) // those that end at or before the cut
			if got := contents(t, log); !slices.Equal(got, sample[:whole]) {
				t.Fatalf("cut at %d: %q, want %q", cut, got, sample[:whole])
			}
			mustAppend(t, log, "more")
			again := mustOpen(t, &fakeDisk{data: log.disk.(*fakeDisk).image()}, durable)
			if got := contents(t, again); !slices.Equal(got[:whole], sample[:whole]) || got[whole] != "more" || len(got) != whole+1 {
				t.Fatalf("cut at %d and reopened: %q", cut, got)
			}
		}
	}
}

func TestFlippedByteIsDamageUnlessItIsLast(t *testing.T) {
	for _, durable := range []bool{false, true} {
		image := imageOf(t, durable, sample...)
		for offset := range image {
			for _, bit := range []byte{1, 0x80} {
				checkFlipped(t, image, offset, bit, durable)
			}
		}
	}
}

func checkFlipped(t *testing.T, image []byte, offset int, bit byte, durable bool) {
	t.Helper()
	damaged := bytes.Clone(image)
	damaged[offset] ^= bit
	disk := &fakeDisk{data: bytes.Clone(damaged)}
	log, err := openStorage("fake", disk, FileOptions{Durable: durable})
	last := len(sample) - 1
	if recordAt(offset) == last {
		if err != nil || !slices.Equal(contents(t, log), sample[:last]) {
			t.Fatalf("flipped byte %d of the last record: %v", offset, err)
		}
		return
	}
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Index != uint64(max(recordAt(offset), 0)) {
		t.Fatalf("flipped byte %d: open returned %v", offset, err)
	}
	if !bytes.Equal(disk.image(), damaged) {
		t.Fatalf("flipped byte %d: the damaged file was changed", offset)
	}
}

// A power cut may keep a later record of one flush and lose an earlier one.
// A durable log never acknowledged either; a buffered one cannot know.
func TestUnflushedRecordsMayBeLostInAnyOrder(t *testing.T) {
	log, disk, release := stalledLog(t, "foo", "bar", "baz")
	image := disk.image()
	clear(image[log.offsets[1]:log.offsets[2]])
	release()
	left := mustOpen(t, &fakeDisk{data: bytes.Clone(image)}, true)
	if got := contents(t, left); !slices.Equal(got, []string{"foo"}) {
		t.Errorf("reopened log holds %q", got)
	}
	buffered := imageOf(t, false, "foo", "bar", "baz")
	clear(buffered[log.offsets[1]:log.offsets[2]])
	_, err := openStorage("fake", &fakeDisk{data: buffered}, FileOptions{})
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Index != 1 {
		t.Errorf("open of a buffered log returned %v", err)
	}
}

func TestDurableFileShowsNoDamageToFlushedRecords(t *testing.T) {
	disk := new(fakeDisk)
	log := mustOpen(t, disk, true)
	mustAppend(t, log, "foo", "bar", "baz")
	image := disk.image()
	clear(image[log.offsets[1]:log.offsets[2]])
	_, err := openStorage("fake", &fakeDisk{data: image}, FileOptions{Durable: true})
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Index != 1 {
		t.Errorf("open returned %v, want that entry 1 is corrupt", err)
	}
}

// A torn value that is itself a log must not be taken for records.
func TestLogInsideATornValue(t *testing.T) {
	disk := new(fakeDisk)
	log := mustOpen(t, disk, false)
	mustAppend(t, log, "foo", "bar")
	mustAppend(t, log, string(disk.image())+string(imageOf(t, false, sample...)))
	image := disk.image()
	torn := mustOpen(t, &fakeDisk{data: image[:len(image)-1]}, false)
	if got := contents(t, torn); !slices.Equal(got, []string{"foo", "bar"}) {
		t.Errorf("reopened log holds %q", got)
	}
}

func TestForeignFilesAreLeftAlone(t *testing.T) {
	newer := newFileHeader(1)
	newer[8]++
	copy(newer[20:], []byte{0, 0, 0, 0})
	for _, foreign := range []string{"short", strings.Repeat("some text of another program\n", 3), string(newer)} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(foreign), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenFile(path, FileOptions{})
		if corrupt := (*CorruptError)(nil); !errors.As(err, &corrupt) || corrupt.Path != path {
			t.Errorf("open returned %v", err)
		}
		if data, _ := os.ReadFile(path); string(data) != foreign {
			t.Errorf("file was changed to %q", data)
		}
	}
}

func TestGetFindsBitRot(t *testing.T) {
	disk := new(fakeDisk)
	log := mustOpen(t, disk, false)
	mustAppend(t, log, "foo", "bar")
	for offset := log.offsets[1]; offset < log.end; offset++ {
		disk.data[offset] ^= 4
		_, err := log.Get(1)
		if corrupt := (*CorruptError)(nil); !errors.As(err, &corrupt) || corrupt.Index != 1 || corrupt.Offset != log.offsets[1] {
			t.Errorf("get returned %v", err)
		}
		disk.data[offset] ^= 4
	}
	disk.data = disk.data[:log.end-1] // someone cut the file
	if _, err := log.Get(1); err == nil {
		t.Error("get of a record that is cut off found it")
	}
}

// Whatever is done to the file, opening shows a beginning of what was
// appended, or refuses.
func TestDamagedFileNeverShowsWrongData(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		values := rapid.SliceOfN(rapid.StringN(0, 40, 60), 0, 8).Draw(rt, "values")
		durable := rapid.Bool().Draw(rt, "durable")
		image := imageOf(t, durable, values...)
		for range rapid.IntRange(0, 3).Draw(rt, "flips") {
			at := rapid.IntRange(0, len(image)-1).Draw(rt, "at")
			image[at] ^= rapid.Byte().Draw(rt, "bits")
		}
		image = image[:rapid.IntRange(0, len(image)).Draw(rt, "cut")]
		image = append(image, rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(rt, "garbage")...)
		log, err := openStorage("fake", &fakeDisk{data: image}, FileOptions{Durable: durable})
		if corrupt := (*CorruptError)(nil); errors.As(err, &corrupt) {
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if got := contents(t, log); len(got) > len(values) || !slices.Equal(got, values[:len(got)]) {
			rt.Fatalf("opened %q of %q", got, values)
		}
	})
}

func FuzzGarbageBehindTheLastRecord(f *testing.F) {
	f.Add([]byte{})
	f.Add(make([]byte, 100))
	f.Add(imageOf(f, false, sample...))
	f.Fuzz(func(t *testing.T, tail []byte) {
		image := append(imageOf(t, false, sample...), tail...)
		if got := contents(t, mustOpen(t, &fakeDisk{data: image}, false)); !slices.Equal(got, sample) {
			t.Errorf("opened %q", got)
		}
	})
}
