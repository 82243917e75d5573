package commitlog

import (
	"fmt"
	"testing"
)

// No crash takes the manifest: where it is gone, all that can be read counts.
func TestEntriesWithoutAManifest(t *testing.T) {
	t.Run("half of a batch that a truncation cut", func(t *testing.T) {
		for _, closed := range []bool{false, true} {
			log, disk := numbered(t, Always, 1)
			_, err := log.AppendBatch([][]byte{[]byte("1"), []byte("2"), []byte("3"), []byte("4")})
			must(t, err)
			must(t, log.TruncateSuffix(4))
			if closed {
				must(t, log.Close())
			}
			image := flipped(disk, segmentName(0), 8*(recordsStart+4*int(recordSize(1))))
			must(t, image.Remove(manifestName))
			wantNoneLost(t, "batch", image, 0, 4)
		}
	})
	t.Run("behind a damaged one of the last segment", func(t *testing.T) {
		for _, durability := range []Durability{None, Always} {
			log, disk := numbered(t, durability, 10)
			must(t, log.Close())
			image := flipped(disk, segmentName(0), 8*(recordsStart+8*int(recordSize(1))))
			must(t, image.Remove(manifestName))
			if got := seenIn(t, image); got != (seen{10, 1}) {
				t.Errorf("%v: %+v", durability, got)
			}
		}
	})
	t.Run("behind a segment without headers", func(t *testing.T) {
		log, disk := numbered(t, None, 100)
		must(t, log.Sync())
		mustAppend(t, log, "behind a flush")
		image := struck(disk.AfterKill(), segmentName(1), 0, recordsStart)
		must(t, image.Remove(manifestName))
		if got := seenIn(t, image); got != (seen{log.Next(), 0}) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("behind a segment without headers that nothing vouches for", func(t *testing.T) {
		log, disk := numbered(t, None, 100)
		must(t, log.Sync())
		image := struck(disk.AfterKill(), segmentName(1), 0, recordsStart)
		must(t, image.Remove(manifestName))
		if got := seenIn(t, image); got != (seen{log.Next(), 0}) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("alone behind a cut, without the header that tells it", func(t *testing.T) {
		disk := newCut(t, true)
		image := struck(disk, segmentsOn(t, disk)[1], 0, recordsStart)
		must(t, image.Remove(manifestName))
		wantNothingOld(t, image)
		if got := seenIn(t, image); got != (seen{2, 0}) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("behind a segment without a record", func(t *testing.T) {
		log, disk := numbered(t, None, 0)
		want := uint64(0)
		for len(segmentsOn(t, disk)) < 3 {
			mustAppend(t, log, string(noise(int(want), 60)))
			want++
		}
		must(t, log.Close())
		image := struck(disk, segmentName(1), recordsStart, len(disk.Bytes(segmentName(1))))
		must(t, image.Remove(manifestName))
		last := baseOn(t, image, segmentName(2))
		if got := seenIn(t, image); got != (seen{want, last - baseOn(t, image, segmentName(1))}) {
			t.Errorf("%+v of %d entries, the last segment begins at %d", got, want, last)
		}
	})
}

// Where a truncation cut a segment, the next one begins before its end, also if its header is damaged and there was
// another truncation since.
func TestBaseBeforeTheEndOfTheSegmentBefore(t *testing.T) {
	log, disk := numbered(t, None, 4)
	mustAppend(t, log, "old", "old", "old", "old", "old", "old")
	must(t, log.TruncateSuffix(4))
	for i := 4; i < 150; i++ {
		mustAppend(t, log, fmt.Sprint(i))
	}
	must(t, log.Sync())
	end := log.Next()
	must(t, log.TruncateSuffix(end-1))
	mustAppend(t, log, fmt.Sprint(end-1))
	must(t, log.Sync())
	names := segmentsOn(t, disk)
	wantNoneLost(t, "header", struck(disk, names[1], 0, recordsStart), 0, end)
}
