package commitlog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// It is all the same what the files of segments are called, as long as they are called
// segments: a log whose files were renamed, or given each other's names, opens with all of
// its entries, and goes on.
func TestRenamedSegments(t *testing.T) {
	disk, values := diskWith(t, Always, 40)
	segments := segmentsOn(t, disk)
	if len(segments) < 3 {
		t.Fatalf("only %d segments", len(segments))
	}
	images := map[string]*crashdisk.Disk{}
	for i, a := range segments {
		for _, b := range segments[i+1:] {
			image := disk.AfterKill()
			image.SetBytes(a, disk.Bytes(b))
			image.SetBytes(b, disk.Bytes(a))
			images[a+" and "+b+" swapped"] = image
		}
		image := disk.AfterKill()
		must(t, image.Rename(a, segmentName(9999)))
		images[a+" renamed"] = image
	}
	for what, image := range images {
		v, err := verify(image, func(Entry, error) bool { return true })
		if err != nil || len(v.Damage) > 0 || v.Lost > 0 {
			t.Errorf("%s: verify returned %+v, %v", what, v, err)
		}
		log := openOn(t, image, Always)
		wantValues(t, log, values)
		for i := range 30 {
			mustAppend(t, log, fmt.Sprint("more ", i))
		}
		must(t, log.Close())
		again := openOn(t, image, Always)
		if again.Next() != uint64(len(values)+30) {
			t.Errorf("%s: log ends at %d", what, again.Next())
		}
		wantValues(t, again, values)
	}
}

// A file that has the name of a segment and is none of this log's costs no entry: it may be
// garbage, a copy of a segment, or belong to another log. Opening says so; a repair sets it
// aside and leaves the segments as they are. An empty one is one that was made for entries
// to come.
func TestStrayFile(t *testing.T) {
	disk, values := diskWith(t, Always, 40)
	other, _ := diskWith(t, Always, 40)
	segments := segmentsOn(t, disk)
	contents := map[string][]byte{"garbage": []byte(strings.Repeat("garbage ", 50)), "a header": disk.Bytes(segments[0])[:recordsStart]}
	for _, name := range segments {
		contents["a copy of "+name] = disk.Bytes(name)
	}
	foreign := other.Bytes(segmentsOn(t, other)[1])
	for _, at := range []int{0, len(foreign) - blockSize} {
		foreign[at+16] ^= 1 // another id
		copy(foreign[at+blockSize-4:], sumBytes(foreign[at:at+blockSize-4]))
	}
	contents["another log's"] = foreign
	for what, data := range contents {
		stray := segmentName(uint64(len(segments) + 3))
		image := disk.AfterKill()
		image.SetBytes(stray, data)
		wantSalvaged(t, what, image, values)
		if _, err := openDir(image.AfterKill(), FileOptions{SegmentSize: 256}); !errors.As(err, new(*CorruptError)) || !strings.Contains(err.Error(), stray) {
			t.Errorf("%s: opening returned %v", what, err)
		}
		if _, err := repairDir(image); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if string(image.Bytes(stray+damagedSuffix)) != string(data) {
			t.Errorf("%s: it was not set aside: %q", what, keptOn(t, image))
		}
		for _, name := range segments {
			got, want := image.Bytes(name), disk.Bytes(name)
			if n := lastDirty(want); len(got) < n || string(got[:n]) != string(want[:n]) { // it can have been sealed
				t.Errorf("%s: %s was changed", what, name)
			}
		}
		if lost := checkRepaired(t, what, image, values); lost != 0 {
			t.Errorf("%s: %d entries are lost", what, lost)
		}
	}
	image := disk.AfterKill()
	image.SetBytes(segmentName(uint64(len(segments)+3)), nil)
	wantValues(t, openOn(t, image, Always), values)
}

// wantSalvaged wants all entries to be read from a damaged log.
func wantSalvaged(t *testing.T, where string, image *crashdisk.Disk, values []string) {
	t.Helper()
	var got []string
	v, err := verify(image, func(e Entry, err error) bool {
		if err == nil {
			if e.Index != uint64(len(got)) {
				t.Errorf("%s: entry %d comes after %d", where, e.Index, len(got))
			}
			got = append(got, string(e.Value))
		}
		return true
	})
	if err != nil || v.Lost != 0 || !slices.Equal(got, values) {
		t.Fatalf("%s: %d entries of %d are read, %+v, %v", where, len(got), len(values), v, err)
	}
}
