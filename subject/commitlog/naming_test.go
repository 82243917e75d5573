package commitlog

import (
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

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

// The space of the segment that comes next is reserved by who has the duty of preparing, as that of the last one:
// where one reservation fails it can hold, for a moment, what the other needs.
func TestSpaceIsReservedByOneAtATime(t *testing.T) {
	for _, durability := range []Durability{None, Always} {
		d := crashdisk.New()
		log := openWith(t, d, FileOptions{Durability: durability, alone: true})
		reserved := 0
		d.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Reserve && c.Size >= little {
				reserved++
				log.roster.mu.Lock()
				defer log.roster.mu.Unlock()
				if !log.roster.taken[preparing] {
					t.Errorf("%v: %v without the duty of preparing", durability, c)
				}
			}
			return crashdisk.Fault{}
		})
		must(t, log.fillSpare(little))
		if reserved != 1 {
			t.Errorf("%v: %d reservations", durability, reserved)
		}
		d.SetHook(nil)
		must(t, log.Close())
	}
}
