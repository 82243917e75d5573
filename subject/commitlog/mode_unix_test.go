//go:build unix

package commitlog

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Files are for whom the option says; without it for whom those are that are there; what a
// repair makes, too.
func TestFileMode(t *testing.T) {
	for _, c := range []struct{ asked, files, dir fs.FileMode }{
		{0, 0o644, 0o755}, {0o600, 0o600, 0o700}, {0o640, 0o640, 0o750},
	} {
		dir := filepath.Join(t.TempDir(), "log")
		for _, options := range []FileOptions{{FileMode: c.asked}, {}} {
			options.SegmentSize = 4096
			log, err := OpenFile(dir, options)
			must(t, err)
			for range 20 {
				mustAppend(t, log, string(make([]byte, 1000)))
			}
			must(t, log.TruncateSuffix(log.Next()-1))
			must(t, log.Close())
			wantModes(t, dir, c.files, c.dir)
		}
		must(t, os.Remove(filepath.Join(dir, manifestName)))
		_, err := Repair(dir)
		must(t, err)
		wantModes(t, dir, c.files, c.dir)
	}
}

func wantModes(t *testing.T, dir string, files, directory fs.FileMode) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		want := files
		if d.IsDir() {
			want = directory
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
		return nil
	}))
}
