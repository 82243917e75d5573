package commitlog

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// A log can have more segments than a process may have files: of those that are sealed it
// holds none open, and who inspects it has one open at a time. All of it can be read.
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
	few("while it is inspected", 1)
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
	repaired := func(d disk.Dir) error { _, err := repairDir(d); return err }
	verified := func(d disk.Dir) error {
		_, err := verify(d, func(Entry, error) bool { return true })
		return both(err, d.Close())
	}
	for _, c := range []struct {
		what   string
		use    func(disk.Dir) error
		damage func(i int, path string)
	}{
		{"one record", repaired, func(i int, path string) {
			if i == 0 {
				overwrite(t, path, []byte("damage"), recordsStart)
			}
		}},
		{"every second one's headers", repaired, func(i int, path string) {
			if i%2 > 0 {
				overwrite(t, path, make([]byte, recordsStart), 0)
			}
		}},
		{"copies", repaired, func(i int, path string) {
			data, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(filepath.Join(dir, segmentName(uint64(100_000+i))), data, 0o666))
		}},
		{"all headers", repaired, func(_ int, path string) { overwrite(t, path, make([]byte, recordsStart), 0) }},
		{"trailers", verified, func(_ int, path string) {
			info, err := os.Stat(path)
			must(t, err)
			overwrite(t, path, make([]byte, blockSize), info.Size()-blockSize)
		}},
	} {
		const few = 4 // a segment, its copy or what replaces it, the lock, and one of the directory's other files
		if most := openDuring(t, dir, c.damage, c.use); most > few {
			t.Errorf("%s damaged: %d files are open of %d segments, want %d at most", c.what, most, segments, few)
		}
	}
}

// openDuring damages the segments of a log, uses it, and returns how many files were open at once.
func openDuring(t *testing.T, dir string, damage func(i int, path string), use func(disk.Dir) error) (most int) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"+segmentSuffix))
	must(t, err)
	for i, path := range paths {
		damage(i, path)
	}
	d, err := disk.OS(dir, 0)
	must(t, err)
	must(t, use(counting{d, func() { most = max(most, openIn(t, dir)) }}))
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
