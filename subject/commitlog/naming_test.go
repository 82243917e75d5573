package commitlog

import (
	"path/filepath"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A log that is busy has two segments made ahead: a name that takes as long as filling one keeps
// nobody waiting.
func TestTwoSegmentsAreMadeAhead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := OpenFile(dir, FileOptions{SegmentSize: 64 << 10, alone: true})
	must(t, err)
	for log.keep(); len(log.spares) < mostSpares; log.keep() {
		must(t, appendNext(log))
	}
	log.roster.take(naming)
	for last := log.number; log.number < last+mostSpares; { // what never ends is the test's timeout
		must(t, appendNext(log))
	}
	n := int(log.Next())
	log.roster.give(naming)
	must(t, log.Close())
	if got := salvaged(t, dir); got != n {
		t.Errorf("%d entries of %d", got, n)
	}
}

// The file of the segment that comes next takes flushes to make. Meanwhile the appends get
// more room in the last one.
func TestAppendsNeedNotWaitForTheNextFile(t *testing.T) {
	for _, o := range []FileOptions{{}, {written: true}, {Durability: Always}} {
		log, err := OpenFile(t.TempDir()+"/log", o)
		must(t, err)
		log.roster.take(naming)
		value := make([]byte, 64<<10)
		for range 6 * ahead / len(value) { // what never ends is the test's timeout
			_, err := log.Append(value)
			must(t, err)
		}
		log.roster.give(naming)
		must(t, log.Close())
	}
}

// The segment that comes next takes space only once the last one has all of its own: on a full
// disk it would hold what the appends need. Who reserves has the duty of preparing, since a
// reservation that fails can hold, for a moment, what another needs.
func TestTheNextFileTakesSpaceLast(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		d := crashdisk.New()
		log := openWith(t, d, FileOptions{Durability: durability, SegmentSize: 4 * ahead, alone: true})
		d.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			log.roster.mu.Lock()
			defer log.roster.mu.Unlock()
			if c.Op == crashdisk.Reserve && c.Size >= little && !log.roster.taken[preparing] {
				t.Errorf("%v: %v without the duty of preparing", durability, c)
			}
			return crashdisk.Fault{}
		})
		value, before, behind := string(make([]byte, little)), 0, 0
		for log.tail.end < 4*ahead-ahead/4 {
			mustAppend(t, log, value)
			log.keep()
			switch size := log.spares[0].size.Load(); {
			case log.tail.segment.size.Load() < 4*ahead && size < little:
				before++
			case log.tail.segment.size.Load() < 4*ahead:
				t.Errorf("%v: the next file has %d bytes while the last has %d", durability, size, log.tail.segment.size.Load())
			case size >= ahead/4:
				behind++
			}
		}
		if before == 0 || behind == 0 {
			t.Errorf("%v: seen %d times before the last had all, %d times behind", durability, before, behind)
		}
		d.SetHook(nil)
		must(t, log.Close())
	}
}

// Whenever a helper has been there, appends wake it again before they come to the limit, also
// where it had nothing to do.
func TestAppendsWakeTheHelperInTime(t *testing.T) {
	for _, size := range []int{50_000, 60_000, 70_000} { // so that not all come just to a step
		log, err := OpenFile(t.TempDir()+"/log", FileOptions{SegmentSize: 4 * ahead, alone: true})
		must(t, err)
		value := string(make([]byte, size))
		for log.tail.end < 3*ahead {
			mustAppend(t, log, value)
			log.keep()
			if tail := &log.tail; tail.limit < 4*ahead && tail.wake > tail.limit {
				t.Fatalf("at %d of %d bytes nobody will be woken", tail.end, tail.limit)
			}
		}
		must(t, log.Close())
	}
}
