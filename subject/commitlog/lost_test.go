package commitlog

import (
	"os"
	"path/filepath"
	"testing"
)

// A kill before TruncatePrefix removed anything, and then a file that is gone: what had
// been truncated is not lost with it.
func TestLostCountsNothingThatWasTruncated(t *testing.T) {
	dir, image := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "image")
	log, err := OpenFile(dir, FileOptions{SegmentSize: 1024})
	must(t, err)
	for range 400 {
		_, err := log.Append(make([]byte, 36))
		must(t, err)
	}
	must(t, os.CopyFS(image, os.DirFS(dir)))
	const first = 35
	must(t, log.TruncatePrefix(first))
	manifest, err := os.ReadFile(filepath.Join(dir, "manifest"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(image, "manifest"), manifest, 0o600))
	must(t, log.Close())
	v, err := Verify(image)
	must(t, err)
	for _, s := range v.Segments {
		if s.First <= first && first < s.First+s.Entries {
			must(t, os.Remove(s.Path))
		}
	}
	read := uint64(0)
	for _, err := range Salvage(image) {
		if err == nil {
			read++
		}
	}
	if v, err = Verify(image); err != nil || v.First != first || v.Lost == 0 || read+v.Lost != v.Next-v.First {
		t.Errorf("%d entries can be read; verify returned %+v, %v", read, v, err)
	}
}
