package commitlog

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// acting does something behind the first look at a file's headers.
type acting struct {
	disk.Dir
	name string
	act  func()
}

type actingFile struct {
	disk.File
	act *func()
}

func (d *acting) Open(name string) (disk.File, error) {
	file, err := d.Dir.Open(name)
	if err == nil && name == d.name {
		return actingFile{file, &d.act}, nil
	}
	return file, err
}

func (f actingFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(b, at)
	if act := *f.act; act != nil && at == 0 {
		*f.act = nil
		act()
	}
	return n, err
}

// A log that is cut, and goes on in the next file, while Verify stands between a look at that file's
// header and one at its entries is not damaged, and is shown as it was or as it is: no truncated entry
// beside a new one.
func TestVerifyBesideATruncation(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		path := filepath.Join(t.TempDir(), "log")
		log, err := OpenFile(path, FileOptions{Durability: durability, SegmentSize: 64 << 10, Interval: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		appendTo := func(value byte, n int) {
			for range n {
				if _, err := log.Append([]byte{value, value, value}); err != nil {
					t.Error(err)
				}
			}
		}
		appendTo('a', 100)
		if _, err := log.Append(make([]byte, 50<<10)); err != nil { // so much that the next file is made
			t.Fatal(err)
		}
		next := filepath.Join(path, segmentName(1))
		for start := time.Now(); ; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(next); err == nil {
				break
			}
			if time.Since(start) > 10*time.Second {
				t.Fatal("no next file is made")
			}
		}
		dir, err := disk.ReadOnly(path)
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		acts, truncated, fresh := false, 0, 0
		v, err := verify(&acting{dir, segmentName(1), func() {
			acts = true
			if err := log.TruncateSuffix(90); err != nil {
				t.Error(err)
			}
			appendTo('b', 50)
		}}, func(e Entry, err error) bool {
			switch {
			case err != nil || e.Index < 90:
			case e.Value[0] == 'b':
				fresh++
			default:
				truncated++
			}
			return true
		})
		if err != nil || !acts || len(v.Damage) > 0 || v.Lost > 0 || truncated > 0 && fresh > 0 {
			t.Errorf("%s: %+v, %v, the log was cut: %v; %d truncated entries and %d new ones are shown", durability, v, err, acts, truncated, fresh)
		}
	}
}

// stepping does something before a file is opened, in a look at the log: those begin with the
// names.
type stepping struct {
	disk.Dir
	names int
	act   func(names int, name string)
}

func (d *stepping) Names() ([]string, error) { d.names++; return d.Dir.Names() }

func (d *stepping) Open(name string) (disk.File, error) {
	d.act(d.names, name)
	return d.Dir.Open(name)
}

// Two looks that find the same wrong prove nothing where the log was truncated during each: a
// file that came after the names is missing once, and one that was removed the next time.
func TestVerifyBesideTwoTruncations(t *testing.T) {
	for _, durability := range []Durability{None, Interval, Always} {
		path := filepath.Join(t.TempDir(), "log")
		log, err := OpenFile(path, FileOptions{Durability: durability, SegmentSize: 4 << 10, Interval: time.Hour})
		must(t, err)
		defer log.Close()
		add := func(n int) {
			for range n {
				mustAppend(t, log, "bbb")
			}
		}
		add(90)
		must(t, log.TruncateSuffix(80)) // the next entry goes into a file of its own
		dir, err := disk.ReadOnly(path)
		must(t, err)
		defer dir.Close()
		first, second, manifests := false, false, 0
		v, err := verify(&stepping{dir, 0, func(names int, name string) {
			if name == manifestName {
				manifests++
			}
			switch {
			case manifests == 2 && !first: // between the first look's names and its manifest
				first = true
				add(5)
				must(t, log.TruncateSuffix(83))
			case first && manifests >= 4 && name != manifestName && !second: // between the next one's manifest and segments
				second = true
				must(t, log.TruncateSuffix(80))
			}
		}}, func(Entry, error) bool { return true })
		must(t, err)
		if !second || len(v.Damage) > 0 || v.Lost > 0 || v.Next != 80 {
			t.Errorf("%s: %+v, acted %v", durability, v, second)
		}
	}
}

// A look finds nothing wrong either where all files that it has found are gone, and newer ones
// have come: that is not the log's end.
func TestVerifyBesideATruncationOfAllThereWas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(path, FileOptions{SegmentSize: minSegmentSize})
	must(t, err)
	defer log.Close()
	add := func() {
		for range 100 {
			mustAppend(t, log, "bbbbbbbbbbbbbbbbbbbb")
		}
	}
	add()
	dir, err := disk.ReadOnly(path)
	must(t, err)
	defer dir.Close()
	acts := false
	v, err := verify(&stepping{dir, 0, func(_ int, name string) {
		if name != manifestName && !acts { // names and manifest are known by now
			acts = true
			add()
			must(t, log.TruncatePrefix(log.Next()))
			add()
		}
	}}, func(Entry, error) bool { return true })
	must(t, err)
	if !acts || v.Next != 300 || len(v.Damage) > 0 || v.Lost > 0 {
		t.Errorf("%+v, acted %v", v, acts)
	}
}

// A log that is truncated during each look, and looks wrong, is not verified.
func TestVerifyGivesUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(path, FileOptions{SegmentSize: 4 << 10})
	must(t, err)
	defer log.Close()
	mustAppend(t, log, "a")
	dir, err := disk.ReadOnly(path)
	must(t, err)
	defer dir.Close()
	n := 0
	_, err = verify(&stepping{dir, 0, func(_ int, name string) {
		if n++; name == manifestName { // of each look the names do not have what the manifest knows of
			for range 3 {
				mustAppend(t, log, "bbb")
			}
			must(t, log.TruncateSuffix(log.Next()-1))
			mustAppend(t, log, "c")
			must(t, log.TruncateSuffix(log.Next()))
		}
	}}, func(Entry, error) bool { return true })
	if !errors.Is(err, errRestless) {
		t.Errorf("%v after %d steps", err, n)
	}
}
