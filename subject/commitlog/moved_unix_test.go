//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package commitlog

import (
	"fmt"
	"os"
	"testing"
)

// A log stays in the directory it was opened in: another log that takes its name, and
// another working directory, do not get its entries, nor lose their files to it.
func TestLogFollowsItsDirectory(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		parent := t.TempDir()
		t.Chdir(parent)
		options := FileOptions{Durability: durability, SegmentSize: 4096}
		open := func(dir string) *File {
			log, err := OpenFile(dir, options)
			must(t, err)
			return log
		}
		old := open("events")
		mustAppend(t, old, numberedValues("old", 0, 100)...)
		must(t, os.Rename("events", "events.old"))
		now := open("events")
		mustAppend(t, now, numberedValues("now", 0, 100)...)
		t.Chdir(t.TempDir())
		mustAppend(t, old, numberedValues("old", 100, 400)...)
		must(t, old.TruncatePrefix(50))
		mustAppend(t, now, numberedValues("now", 100, 400)...)
		must(t, old.Close())
		must(t, now.Close())
		t.Chdir(parent)
		for dir, what := range map[string]string{"events": "now", "events.old": "old"} {
			log := open(dir)
			values := numberedValues(what, 0, 400)
			for i := log.First(); i < uint64(len(values)); i++ {
				if entry, err := log.Get(i); err != nil || string(entry.Value) != values[i] {
					t.Errorf("%v, %s: entry %d is %q, %v", durability, dir, i, entry.Value, err)
				}
			}
			must(t, log.Close())
		}
	}
}

func numberedValues(what string, from, to int) (values []string) {
	for i := from; i < to; i++ {
		values = append(values, fmt.Sprintf("%s %d: some more bytes to fill a segment", what, i))
	}
	return values
}
