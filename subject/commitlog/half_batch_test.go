package commitlog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// halfBatch returns a log with a batch of three, of which two are left, and where the
// mark is that ends it.
func halfBatch(t *testing.T, durability Durability) (log *File, disk *crashdisk.Disk, mark int) {
	t.Helper()
	log, disk = numbered(t, durability, 0)
	_, err := log.AppendBatch([][]byte{[]byte("a"), []byte("b"), []byte("c")})
	must(t, err)
	must(t, log.Sync())
	must(t, log.TruncateSuffix(2))
	return log, disk, recordsStart + 2*int(recordSize(1))
}

// A truncation has cut a batch in two, and then any bit of the mark flips that ends what
// is left: the log opens with that, whether it was closed or its process killed.
func TestMarkOfHalfABatchDamaged(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		for _, closed := range []bool{false, true} {
			log, disk, mark := halfBatch(t, durability)
			if closed {
				must(t, log.Close())
			}
			name := segmentsOn(t, disk)[0]
			for bit := 8 * mark; bit < 8*(mark+markSize); bit++ {
				what := fmt.Sprintf("%v, closed %t, bit %d", durability, closed, bit)
				image := flipped(disk, name, bit)
				v, err := verify(image, func(Entry, error) bool { return true })
				if err != nil || !v.Opens || v.Next != 2 || v.Lost != 0 {
					t.Fatalf("%s: verify returned %+v, %v", what, v, err)
				}
				again := openOn(t, image, durability)
				mustAppend(t, again, "instead")
				if got := fmt.Sprint(contents(t, openOn(t, image.AfterKill(), durability))); got != "[a b instead]" {
					t.Fatalf("%s: log holds %s", what, got)
				}
			}
		}
	}
}

// A log of before truncations noted what they left: only marks know, one of them in the
// next segment. What is missed then is reported, and a repair loses nothing.
func TestMarkOfHalfABatchDamagedInAnOldLog(t *testing.T) {
	log, disk, mark := halfBatch(t, None)
	long := strings.Repeat("long", 100)
	mustAppend(t, log, long)
	must(t, log.Sync())
	m := log.view.Load().manifest
	m.known = 0
	must(t, writeManifest(disk, m))
	image := flipped(disk, segmentsOn(t, disk)[0], 8*(mark+9))
	v, err := repairDir(image)
	if err != nil || v.Opens || len(v.Damage) != 1 || v.Lost != 0 {
		t.Fatalf("repair returned %+v, %v", v, err)
	}
	wantValues(t, openOn(t, image, None), []string{"a", "b", long})
}
