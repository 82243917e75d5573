package commitlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A file that stands, by its name, among the entries of a segment costs none of
// them: it may be empty, garbage, or a copy of any segment. A repair sets it aside,
// and leaves the segments as they are.
func TestStrayFile(t *testing.T) {
	exhausts(t)
	disk, values := diskWith(t, Always, 16)
	segments := segmentsOn(t, disk)
	if len(segments) < 3 {
		t.Fatalf("only %d segments", len(segments))
	}
	contents := map[string][]byte{"nothing": nil, "garbage": []byte(strings.Repeat("garbage ", 50)), "a header": disk.Bytes(segments[0])[:recordsStart]}
	for _, name := range segments {
		contents["a copy of "+name] = disk.Bytes(name)
	}
	for what, data := range contents {
		for base := range uint64(len(values)) {
			stray := segmentName(base)
			if slices.Contains(segments, stray) {
				continue
			}
			where := fmt.Sprintf("%s as %s", what, stray)
			image := disk.AfterKill()
			image.SetBytes(stray, data)
			wantSalvaged(t, where, image, values)
			wantRefused(t, where, image, stray)
			if _, err := repairDir(image); err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			if string(image.Bytes(stray+damagedSuffix)) != string(data) {
				t.Fatalf("%s: it was not set aside", where)
			}
			wantSegments(t, where, image, disk)
			if lost := checkRepaired(t, where, image, values); lost != 0 {
				t.Fatalf("%s: %d entries are lost", where, lost)
			}
		}
	}
}

// A segment is read no more often for each file that has its place among its entries.
func TestStraysAreLookedUpInOneReading(t *testing.T) {
	read := func(strays int) (bytes int) {
		disk := crashdisk.New()
		log := openWith(t, disk, FileOptions{SegmentSize: 64 << 10, alone: true})
		for range 1000 {
			mustAppend(t, log, "value")
		}
		disk = disk.AfterKill()
		for i := range strays {
			disk.SetBytes(segmentName(uint64(i)+1), nil)
		}
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Read {
				bytes += c.Size
			}
			return crashdisk.Fault{}
		})
		v, err := verify(disk, func(Entry, error) bool { return true })
		if err != nil || v.Lost > 0 || len(v.Damage) != strays {
			t.Fatalf("%d strays: %v, %v", strays, v.Damage, err)
		}
		return bytes
	}
	if one, many := read(1), read(8); 2*many > 3*one {
		t.Errorf("with one stray %d bytes are read, with eight %d", one, many)
	}
}

// A stray below First does not have the segment that holds First removed with what
// was truncated.
func TestStrayFileBelowFirst(t *testing.T) {
	exhausts(t)
	disk, values := diskWith(t, Always, 16)
	log := openOn(t, disk, Always)
	if err := log.TruncatePrefix(2); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	image := disk.AfterKill()
	image.SetBytes(segmentName(1), nil)
	if _, err := repairDir(image); err != nil {
		t.Fatal(err)
	}
	wantEntries(t, openOn(t, image, Always), image, 2, values[2:]...)
}

// Segments under each other's names, or under one that none has, are given theirs
// back.
func TestMisnamedSegments(t *testing.T) {
	exhausts(t)
	disk, values := diskWith(t, Always, 24)
	segments := segmentsOn(t, disk)
	misname(t, disk, segments, func(where string, image *crashdisk.Disk, wrong string) {
		wantSalvaged(t, where, image, values)
		wantRefused(t, where, image, wrong)
		if _, err := repairDir(image); err != nil {
			t.Fatalf("%s: %v", where, err)
		}
		wantSegments(t, where, image, disk)
		if lost := checkRepaired(t, where, image, values); lost != 0 {
			t.Fatalf("%s: %d entries are lost", where, lost)
		}
	})
}

// A repair that gives names back is interrupted at each of its calls, by a kill or by
// the power: the next one ends it.
func TestMisnamedSegmentsCrash(t *testing.T) {
	exhausts(t)
	disk, values := diskWith(t, Always, 16)
	segments := segmentsOn(t, disk)
	misname(t, disk, segments, func(where string, image *crashdisk.Disk, _ string) {
		image.SetBytes(segmentName(1), nil) // with a stray to be set aside
		for at, more := 0, true; more; at++ {
			for seed := range uint64(4) {
				broken := image.AfterKill()
				calls := 0
				broken.SetHook(func(crashdisk.Call) crashdisk.Fault {
					if calls++; calls > at {
						return crashdisk.Fault{Err: errors.New("the end")}
					}
					return crashdisk.Fault{}
				})
				_, err := repairDir(broken)
				more = err != nil
				broken.SetHook(nil)
				after := broken.AfterKill()
				if seed > 0 {
					after = broken.AfterPowerCut(rand.New(rand.NewPCG(seed, uint64(at))))
				}
				wantAllOrRefused(t, fmt.Sprintf("%s, call %d", where, at), after.AfterKill(), values)
				if _, err := repairDir(after); err != nil {
					t.Fatalf("%s, call %d: %v", where, at, err)
				}
				wantSegments(t, where, after, disk)
				wantSalvaged(t, where, after, values)
				openOn(t, after, Always)
			}
		}
	})
}

// wantAllOrRefused wants a log to open with all entries, or not at all.
func wantAllOrRefused(t *testing.T, where string, image *crashdisk.Disk, values []string) {
	t.Helper()
	log, err := openDir(image, FileOptions{SegmentSize: 320, alone: true})
	if err != nil {
		return
	}
	defer log.Close()
	if got := contents(t, log); !slices.Equal(got, values) {
		t.Fatalf("%s: the log opens with %d entries of %d", where, len(got), len(values))
	}
}

// misname shows images of a log with segments under wrong names, and a wrong one.
func misname(t *testing.T, disk *crashdisk.Disk, segments []string, show func(where string, image *crashdisk.Disk, wrong string)) {
	t.Helper()
	for i, a := range segments {
		for _, b := range segments[i+1:] {
			image := disk.AfterKill()
			image.SetBytes(a, disk.Bytes(b))
			image.SetBytes(b, disk.Bytes(a))
			show(a+" and "+b+" swapped", image, a)
		}
		image := disk.AfterKill()
		if err := image.Rename(a, segmentName(9999)); err != nil {
			t.Fatal(err)
		}
		show(a+" renamed", image, segmentName(9999))
	}
	image := disk.AfterKill()
	for i, name := range segments {
		image.SetBytes(name, disk.Bytes(segments[(i+1)%len(segments)]))
	}
	show("all shifted", image, segments[0])
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

// wantRefused wants opening to say that a file has a wrong name.
func wantRefused(t *testing.T, where string, image *crashdisk.Disk, name string) {
	t.Helper()
	image = image.AfterKill()
	log, err := openDir(image, FileOptions{SegmentSize: 320, alone: true})
	if err == nil {
		log.Close()
		t.Fatalf("%s: the log opens", where)
	}
	if corrupt := (*CorruptError)(nil); !errors.As(err, &corrupt) {
		t.Fatalf("%s: open returned %v", where, err)
	}
	v, err := verify(image, func(Entry, error) bool { return true })
	if err != nil || !slices.ContainsFunc(v.Damage, func(d *CorruptError) bool { return strings.HasSuffix(d.Path, name) }) {
		t.Fatalf("%s: verify names no %s: %+v, %v", where, name, v, err)
	}
}

// wantSegments wants the segments of a log to be as they were in another.
func wantSegments(t *testing.T, where string, image, was *crashdisk.Disk) {
	t.Helper()
	if got, want := segmentsOn(t, image), segmentsOn(t, was); !slices.Equal(got, want) {
		t.Fatalf("%s: segments are %q, want %q", where, got, want)
	}
	for _, name := range segmentsOn(t, was) {
		got, want := image.Bytes(name), was.Bytes(name)
		if n := lastDirty(want); len(got) < n || string(got[:n]) != string(want[:n]) {
			t.Fatalf("%s: %s was changed", where, name)
		}
	}
}
