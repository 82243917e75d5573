package commitlog

import (
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

// A log that is cut, and goes on in the next file, while Verify stands between that file's
// headers and its entries is not damaged, and is shown as it was or as it is: no truncated entry
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
			if info, err := os.Stat(next); err == nil && info.Size() >= recordsStart { // its headers are there
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
