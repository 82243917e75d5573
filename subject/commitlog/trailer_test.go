package commitlog

import (
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A kill comes before a trailer is flushed, or its flush fails. The log is opened and
// closed, which makes the trailer safe: a power cut then leaves a log without damage.
func TestTrailerThatWasNotFlushed(t *testing.T) {
	for _, why := range []error{nil, syscall.EIO} {
		for seed := range uint64(50) {
			log, disk := numbered(t, None, 40)
			var left *crashdisk.Disk
			written := false
			disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
				written = written || c.Op == crashdisk.Truncate
				if written && c.Op == crashdisk.Sync && left == nil {
					left = disk.AfterKill()
					return crashdisk.Fault{Err: why}
				}
				return crashdisk.Fault{}
			})
			log.sealOldest()
			disk.SetHook(nil)
			if why != nil { // the log has stopped
				log.Close()
				left = disk
			}
			must(t, openOn(t, left, None).Close())
			left = left.AfterPowerCut(rand.New(rand.NewPCG(seed, 0)))
			v, err := verify(left, func(Entry, error) bool { return true })
			if err != nil || len(v.Damage) > 0 || v.Next != 40 {
				t.Fatalf("trailer's flush returns %v, seed %d: verify returned %+v, %v", why, seed, v, err)
			}
		}
	}
}

// Opening writes no trailer once more that a mark vouches for.
func TestTrailerThatWasFlushed(t *testing.T) {
	disk, _ := diskWith(t, Always, 24)
	segments := segmentsOn(t, disk)
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Sync && c.Name != newManifestName && c.Name != segments[len(segments)-1] {
			t.Errorf("opening makes call to %v", c)
		}
		return crashdisk.Fault{}
	})
	openOn(t, disk, Always)
	disk.SetHook(nil)
}
