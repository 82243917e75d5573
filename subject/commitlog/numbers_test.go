package commitlog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that somebody has given the highest number a segment can have costs no entry: those
// that come next are looked for all the same.
func TestFileOfTheHighestNumber(t *testing.T) {
	for what, content := range map[string]func(first []byte) []byte{
		"empty":   func([]byte) []byte { return nil },
		"garbage": func([]byte) []byte { return []byte("not a segment's headers") },
		"a copy":  func(first []byte) []byte { return first },
	} {
		dir := filepath.Join(t.TempDir(), "log")
		fill(t, dir, 20)
		first, err := os.ReadFile(filepath.Join(dir, segmentName(0)))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, segmentName(mostNumber)), content(first), 0o600))
		_, err = Repair(dir)
		must(t, err)
		for n := 20; n <= 60; n += 20 {
			if got := salvaged(t, dir); got != n {
				t.Errorf("%s: %d entries of %d", what, got, n)
			}
			fill(t, dir, 20)
		}
	}
}

// fill appends entries, three of which fill a segment, and closes the log.
func fill(t *testing.T, dir string, n int) {
	t.Helper()
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096})
	must(t, err)
	for range n {
		must(t, appendNext(log))
	}
	must(t, log.Close())
}

// appendNext appends an entry that begins with its index.
func appendNext(log *File) error {
	next := int(log.Next())
	_, err := log.Append(append([]byte{byte(next), byte(next >> 8)}, noise(next, 1300)...))
	return err
}

// Behind the last number there is an error, and nothing is written that nobody would look for.
func TestNoNumberIsLeft(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	fill(t, dir, 20)
	must(t, os.WriteFile(filepath.Join(dir, segmentName(mostNumber-2)), nil, 0o600))
	log, err := OpenFile(dir, FileOptions{SegmentSize: 4096})
	must(t, err)
	n := 20
	for err == nil && n < 100 {
		if err = appendNext(log); err == nil {
			n++
		}
	}
	if err == nil || !strings.Contains(err.Error(), "no number behind") {
		t.Errorf("after %d entries: %v", n, err)
	}
	if err := log.Close(); err != nil && !errors.Is(err, log.usable()) {
		t.Error(err)
	}
	if got := salvaged(t, dir); got != n {
		t.Errorf("%d entries of %d", got, n)
	}
}
