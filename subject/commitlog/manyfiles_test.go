package commitlog

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A log can have more segments than a process may have files: of those that are sealed it
// holds none open, and neither does who inspects it. All of it can be read.
func TestManySegmentsHoldFewFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	options := FileOptions{SegmentSize: 4096, alone: true}
	log, err := OpenFile(dir, options)
	must(t, err)
	var values []string
	for i := range 4 * 3 * 64 {
		values = append(values, fmt.Sprintf("%-1000d", i))
		mustAppend(t, log, values[i])
		log.keep()
	}
	segments := len(log.view.Load().segments)
	if segments < 3*64 {
		t.Fatalf("only %d segments", segments)
	}
	few := func(what string, most int) {
		t.Helper()
		if open := openIn(t, dir); open > most {
			t.Errorf("%s: %d files are open for %d segments, want %d at most", what, open, segments, most)
		}
	}
	for _, s := range log.view.Load().segments {
		if s.memory == nil {
			t.Skip("files are not mapped here")
		}
	}
	few("while it is written", options.unsealedFiles())
	must(t, log.Close())
	opened, err := disk.ReadOnly(dir)
	must(t, err)
	in, err := inspect(opened)
	must(t, err)
	few("while it is inspected", options.unsealedFiles())
	must(t, both(in.close(), opened.Close()))
	again, err := OpenFile(dir, options)
	must(t, err)
	few("when it is opened again", options.unsealedFiles())
	checkReader(t, again, values)
	wantValues(t, again, values)
	must(t, again.Close())
	if v, err := Verify(dir); err != nil || len(v.Damage) > 0 || v.Next != uint64(len(values)) {
		t.Errorf("verify returned %+v, %v", v, err)
	}
	for _, c := range []struct {
		what   string
		damage func(i int, path string)
	}{
		{"one record", func(i int, path string) {
			if i == 0 {
				overwrite(t, path, []byte("damage"), recordsStart)
			}
		}},
		{"every second one's headers", func(i int, path string) {
			if i%2 > 0 {
				overwrite(t, path, make([]byte, recordsStart), 0)
			}
		}},
		{"copies", func(i int, path string) {
			data, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, segmentName(uint64(100_000+i))), data, 0o666))
		}},
		{"all headers", func(_ int, path string) { overwrite(t, path, make([]byte, recordsStart), 0) }},
	} {
		if most := openInRepair(t, dir, c.damage); most > options.unsealedFiles() {
			t.Errorf("%s: repair has %d files open of %d segments", c.what, most, segments)
		}
	}
}

// openInRepair damages the segments of a log, repairs it, and returns how many files were open at once.
func openInRepair(t *testing.T, dir string, damage func(i int, path string)) (most int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"+segmentSuffix))
	must(t, err)
	for i, path := range paths {
		damage(i, path)
	}
	d, err := disk.OS(dir, 0)
	must(t, err)
	_, err = repairDir(counting{d, func() { most = max(most, openIn(t, dir)) }})
	must(t, err)
	return most
}

// counting is a directory that tells before it makes, or opens, a file.
type counting struct {
	disk.Dir
	told func()
}

func (c counting) Create(name string) (disk.File, error) { c.told(); return c.Dir.Create(name) }
func (c counting) Open(name string) (disk.File, error)   { c.told(); return c.Dir.Open(name) }

// unsealedFiles is how many files a log may have open: of segments that wait to be sealed,
// the last, the spare one, and the lock.
func (o FileOptions) unsealedFiles() int { return defaultBacklog + 3 }
