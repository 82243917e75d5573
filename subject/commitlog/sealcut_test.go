package commitlog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A segment that was truncated between its table and its trailer: with the next file gone, or its headers, no
// truncated entry is in place of what was there.
func TestSealOfASegmentThatWasCut(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for _, equal := range []bool{true, false} {
			for _, gone := range []bool{true, false} {
				dir := filepath.Join(t.TempDir(), "log")
				options := FileOptions{SegmentSize: 1024, alone: true, Durability: durability}
				log, err := OpenFile(dir, options)
				must(t, err)
				add := func(what string, n int) {
					for range n {
						i := log.Next()
						more := 4
						if !equal {
							more = int(i) % 9
						}
						mustAppend(t, log, fmt.Sprintf("%s-%02d-%s", what, i, strings.Repeat("x", more)))
					}
				}
				for len(log.view.Load().segments) < 2 {
					add("old", 1)
				}
				if !log.indexOldest() {
					t.Fatal("it gets no table")
				}
				whole := log.view.Load().segments[0]
				must(t, log.TruncateSuffix(10))
				add("new", 4)
				must(t, log.TruncateSuffix(12))
				info, err := os.Stat(whole.path)
				must(t, err)
				if info.Size() < whole.tableEnd() { // who looks up an entry that is gone would touch what is no file's
					t.Errorf("%s: %d bytes are left, and readers have mapped %d", durability, info.Size(), whole.tableEnd())
				}
				must(t, log.Close())
				log, err = OpenFile(dir, options) // as it is, it opens
				must(t, err)
				for i := range uint64(12) {
					if e, err := log.Get(i); err != nil || strings.HasPrefix(string(e.Value), "new") != (i >= 10) {
						t.Errorf("%s: get entry %d: %s, %v", durability, i, e.Value, err)
					}
				}
				must(t, log.Close())
				names, err := filepath.Glob(dir + "/*" + segmentSuffix)
				must(t, err)
				if gone {
					must(t, os.Remove(names[1]))
				} else {
					file, err := os.OpenFile(names[1], os.O_WRONLY, 0)
					must(t, err)
					_, err = file.WriteAt(make([]byte, recordsStart), 0)
					must(t, err)
					must(t, file.Close())
				}
				for e, err := range Salvage(dir) {
					if err == nil && e.Index >= 10 && strings.HasPrefix(string(e.Value), "old") {
						t.Errorf("%s, gone %v: entry %d was truncated, and is back", durability, gone, e.Index)
					}
				}
				if v, err := Verify(dir); err != nil || len(v.Damage) == 0 || v.Opens == gone {
					t.Errorf("%s, gone %v: %+v, %v", durability, gone, v, err)
				}
			}
		}
	}
}
