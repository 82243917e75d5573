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
	for _, durability := range []Durability{None, Always} {
		for _, gone := range []int{10, 1000} {
			for _, left := range []int{1, 2, 10} {
				for _, header := range []bool{false, true} {
					t.Run(fmt.Sprintf("%v, %d gone, %d left, header %v", durability, gone, left, header), func(t *testing.T) {
						damageBeforeTheFirst(t, durability, gone, left, header)
					})
				}
			}
		}
	}
}

func damageBeforeTheFirst(t *testing.T, durability Durability, gone, left int, header bool) {
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
		damaged := slices.ContainsFunc(v.Damage, func(c *CorruptError) bool { return !header || !strings.Contains(c.Reason, "header") })
		if v.Lost != 0 || damaged || !v.Opens || v.First != uint64(gone) || v.Next != uint64(gone+left) || v.Tail.CutEntries != 0 || salvaged(t, dir) != left {
			t.Errorf("%s: %d to %d, lost %d, opens %v, tail %+v: %v", when, v.First, v.Next, v.Lost, v.Opens, v.Tail, v.Damage)
		}
	}
	killed()
	if header {
		spot{0, baseAt + 20}.flip(t, dir)
	} else {
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
