package commitlog

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Damage to a truncated entry before the first, or to the header that tells where the segment
// begins, costs none of the entries that are left, however few, nor is anything told as damaged or
// cut: before the log is opened, behind it, and behind a kill.
func TestDamageBeforeTheFirstCostsNothing(t *testing.T) {
	exhausts(t)
	for _, durability := range []Durability{None, Always} {
		for _, gone := range []int{1, 10, 1000} {
			for _, left := range []int{1, 2, 10} {
				for _, what := range []string{"value", "header", "header and value", "header and head"} {
					t.Run(fmt.Sprintf("%v, %d gone, %d left, %s", durability, gone, left, what), func(t *testing.T) {
						damageBeforeTheFirst(t, durability, gone, left, what)
					})
				}
			}
		}
	}
}

func damageBeforeTheFirst(t *testing.T, durability Durability, gone, left int, what string) {
	header := strings.Contains(what, "header")
	options := FileOptions{Durability: durability}
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, options)
	must(t, err)
	add := func(from, to int) {
		for i := from; i < to; i++ {
			mustAppend(t, log, string(append([]byte{byte(i), byte(i >> 8)}, "0123456789"...)))
		}
	}
	add(0, gone)
	must(t, log.TruncatePrefix(uint64(gone)))
	add(gone, gone+left)
	record := int64(headFor(12).record())
	killed := func() {
		t.Helper()
		to := filepath.Join(t.TempDir(), "killed")
		must(t, os.CopyFS(to, os.DirFS(dir)))
		must(t, log.Close())
		dir = to
	}
	check := func(when string) {
		t.Helper()
		v, err := Verify(dir)
		must(t, err)
		damaged := slices.ContainsFunc(v.Damage, func(c *CorruptError) bool {
			return !header || !strings.Contains(c.Reason, "header") && what != "header and head" // where nobody knows what the bytes were
		})
		if v.Lost != 0 || damaged || !v.Opens || v.First != uint64(gone) || v.Next != uint64(gone+left) || v.Tail.CutEntries != 0 || salvaged(t, dir) != left {
			t.Errorf("%s: %d to %d, lost %d, opens %v, tail %+v: %v", when, v.First, v.Next, v.Lost, v.Opens, v.Tail, v.Damage)
		}
	}
	killed()
	if header {
		spot{0, 20}.flip(t, dir)
	}
	switch {
	case strings.HasSuffix(what, " head"):
		spot{0, recordsStart + sumSize}.alter(t, dir, 0x10) // which is of the length
	case strings.HasSuffix(what, "value"):
		spot{0, recordsStart + int64(gone)*record - 3}.flip(t, dir)
	}
	check("damaged")
	for range 2 {
		log, err = OpenFile(dir, options)
		must(t, err)
		must(t, log.Sync())
		if e, err := log.Get(uint64(gone + left - 1)); err != nil || e.Value[0] != byte(gone+left-1) {
			t.Errorf("get: %v", err)
		}
		killed()
		check("opened, flushed and killed")
	}
	_, err = Repair(dir)
	must(t, err)
	check("repaired")
}

// A segment far from the log's beginning that lost its base, and has one entry left behind one that
// is damaged: it is found where it is due.
func TestLoneEntryOfALostBase(t *testing.T) {
	options := FileOptions{SegmentSize: 1 << 16}
	fill := func(n int) (*File, string) {
		dir := filepath.Join(t.TempDir(), "log")
		log, err := OpenFile(dir, options)
		must(t, err)
		for i := range n {
			mustAppend(t, log, string([]byte{byte(i), byte(i >> 8), 1}))
		}
		return log, dir
	}
	log, dir := fill(20_000)
	must(t, log.Close())
	v, err := Verify(dir)
	must(t, err)
	last := v.Segments[len(v.Segments)-1]
	log, dir = fill(int(last.First) + 2)
	must(t, log.TruncatePrefix(last.First+1))
	killed := filepath.Join(t.TempDir(), "killed")
	must(t, os.CopyFS(killed, os.DirFS(dir)))
	must(t, log.Close())
	number, _ := numberOf(filepath.Base(last.Path))
	spot{number, 20}.flip(t, killed)
	spot{number, recordsStart + 6}.flip(t, killed)
	if v, err := Verify(killed); err != nil || v.Lost != 0 || v.Next != last.First+2 || salvaged(t, killed) != 1 {
		t.Errorf("%d to %d, lost %d: %v, %v", v.First, v.Next, v.Lost, v.Damage, err)
	}
}
