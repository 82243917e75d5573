package commitlog

import (
	"syscall"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A segment that was made larger for a value whose append failed is mapped as large as
// it is: the limit follows the file.
func TestSpareOfAFailedAppendIsMappedWhole(t *testing.T) {
	d := crashdisk.New()
	log, err := openDir(d, FileOptions{SegmentSize: 4096, alone: true})
	must(t, err)
	mustAppend(t, log, "a")
	d.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		switch c.Op {
		case crashdisk.Map:
			return crashdisk.Fault{Err: syscall.ENOMEM}
		case crashdisk.Rename:
			return crashdisk.Fault{Err: syscall.ENOSPC}
		}
		return crashdisk.Fault{}
	})
	if _, err := log.Append(make([]byte, 20_000)); err == nil {
		t.Fatal("the append did not fail: nothing is tested")
	}
	d.SetHook(nil)
	for range 100 {
		_, err := log.Append(make([]byte, 1000))
		must(t, err)
	}
	must(t, log.Close())
}
