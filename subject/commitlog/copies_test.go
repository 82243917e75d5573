package commitlog

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/disk"
)

// Of several files of one segment the one counts that has the name: a copy of it, old or whole, costs no entry, and is set
// aside. Where none has the name, one of them counts.
func TestCopyOfASegment(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for _, closed := range []bool{true, false} {
			for _, stale := range []bool{true, false} {
				for _, named := range []bool{true, stale} {
					t.Run(fmt.Sprintf("%v, closed %t, stale %t, named %t", durability, closed, stale, named), func(t *testing.T) {
						dir := filepath.Join(t.TempDir(), "log")
						log, err := OpenFile(dir, FileOptions{SegmentSize: 1 << 20, Durability: durability})
						must(t, err)
						add := func(from, to int) {
							for i := from; i < to; i++ {
								mustAppend(t, log, string(append([]byte{byte(i), byte(i >> 8)}, make([]byte, 98)...)))
							}
						}
						add(0, 100)
						must(t, log.Sync())
						old, err := os.ReadFile(filepath.Join(dir, segmentName(0)))
						must(t, err)
						add(100, 300)
						killed := copied(t, dir)
						must(t, log.Close())
						if !closed {
							dir = killed
						}
						segment := filepath.Join(dir, segmentName(0))
						if !stale {
							old, err = os.ReadFile(segment)
							must(t, err)
						}
						must(t, os.WriteFile(filepath.Join(dir, segmentName(50)), old, 0o600))
						if !named {
							must(t, os.Rename(segment, filepath.Join(dir, segmentName(49))))
						}
						v, err := Verify(dir)
						must(t, err)
						if v.Lost != 0 || v.Next != 300 || v.Opens || salvaged(t, dir) != 300 {
							t.Errorf("lost %d, next %d, opens %v: %v", v.Lost, v.Next, v.Opens, v.Damage)
						}
						_, err = Repair(dir)
						must(t, err)
						if n := salvaged(t, dir); n != 300 {
							t.Errorf("repaired: %d entries", n)
						}
					})
				}
			}
		}
	}
}

// Without the manifest, and without the header that tells where it begins, a log
// begins with the first entry in its first segment, or with the one before it if that is damaged; of more nobody can tell.
func TestFirstEntryWithoutTheManifest(t *testing.T) {
	full := fullAt(t, FileOptions{SegmentSize: 1 << 16})
	for _, damaged := range []int{0, 1} {
		dir, n := twoSegments(t, Always, true, 300, 0)
		log, err := OpenFile(dir, FileOptions{SegmentSize: 1 << 16, Durability: Always})
		must(t, err)
		must(t, log.TruncatePrefix(uint64(full)))
		for i := n; i < n+full; i++ { // another segment, which tells which log it is
			mustAppend(t, log, string(append([]byte{byte(i), byte(i >> 8)}, make([]byte, 98)...)))
		}
		n += full
		must(t, log.Close())
		must(t, os.Remove(filepath.Join(dir, manifestName)))
		spot{1, 20}.flip(t, dir)
		for i := range damaged {
			spot{1, recordsStart + int64(i)*105 + 50}.flip(t, dir)
		}
		v, err := Verify(dir)
		must(t, err)
		if v.First != uint64(full) || v.Next != uint64(n) || v.Lost != uint64(damaged) || salvaged(t, dir) != n-full-damaged {
			t.Errorf("%d damaged: %d to %d, %d lost: %v", damaged, v.First, v.Next, v.Lost, v.Damage)
		}
		_, err = Repair(dir)
		must(t, err)
		if got := salvaged(t, dir); got != n-full-damaged {
			t.Errorf("repaired: %d of %d", got, n-full-damaged)
		}
	}
}

// Indexes are told by their low halves: all below 2³² can be.
func TestFirstEntryFarAway(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{})
	must(t, err)
	must(t, log.Close())
	d, err := disk.OS(dir, 0)
	must(t, err)
	m, _, err := readManifest(d)
	must(t, err)
	m.first, m.known = 3e9, 3e9
	must(t, writeManifest(d, m))
	must(t, os.RemoveAll(filepath.Join(dir, segmentName(0))))
	log, err = OpenFile(dir, FileOptions{SegmentSize: 1024})
	must(t, err)
	for range 100 {
		mustAppend(t, log, "value")
	}
	must(t, log.Close())
	names, err := filepath.Glob(filepath.Join(dir, "*.segment"))
	must(t, err)
	number, _ := numberOf(filepath.Base(names[0]))
	spot{number, 20}.flip(t, dir)
	must(t, os.Remove(filepath.Join(dir, manifestName)))
	if v, err := Verify(dir); err != nil || v.First != 3e9 || v.Next != 3e9+100 || v.Lost != 0 {
		t.Errorf("%+v, %v", v, err)
	}
}
