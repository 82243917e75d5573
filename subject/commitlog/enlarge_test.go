package commitlog

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A batch that is larger than a segment asks for room in one that has no entry, and another
// entry comes before it has that: neither is lost.
func TestEnlargeBesideAppends(t *testing.T) {
	for _, options := range []FileOptions{{}, {written: true}, {Durability: Always}, {Durability: Always, cached: true}} {
		options.SegmentSize, options.alone = 4096, true
		disk := crashdisk.New()
		log := openWith(t, disk, options)
		once, small := true, make(chan error, 1)
		disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
			if c.Op == crashdisk.Reserve && once {
				once = false
				go func() {
					_, err := log.Append([]byte("small"))
					small <- err
				}()
				waitFor(func() bool { return log.turn.Next() > 0 })
			}
			return crashdisk.Fault{}
		})
		large := bytes.Repeat([]byte("large"), 4000)
		index, err := log.Append(large)
		must(t, err)
		must(t, <-small)
		disk.SetHook(nil)
		must(t, log.Sync())
		for _, log := range []*File{log, openWith(t, disk.AfterPowerCut(rand.New(rand.NewPCG(1, 1))), options)} {
			if e, err := log.Get(index); err != nil || !bytes.Equal(e.Value, large) {
				t.Errorf("%+v: the large entry: %v", options, err)
			}
			if e, err := log.Get(1 - index); err != nil || string(e.Value) != "small" {
				t.Errorf("%+v: the small entry: %v", options, err)
			}
		}
	}
}

// Of a segment that is made no more is written than there is space for: a full disk does not
// stop the log when the next one is made ahead.
func TestNothingIsWrittenBeyondWhatIsReserved(t *testing.T) {
	disk := crashdisk.New()
	reserved, checked := map[string]int64{}, 0
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		switch {
		case c.Op == crashdisk.Reserve:
			reserved[c.Name] = max(reserved[c.Name], int64(c.Size))
		case c.Op == crashdisk.Write && strings.HasSuffix(c.Name, segmentSuffix):
			checked++
			if end := c.Offset + int64(c.Size); end > reserved[c.Name] {
				t.Errorf("%s is written up to %d, %d are reserved", c.Name, end, reserved[c.Name])
			}
		}
		return crashdisk.Fault{}
	})
	log := openWith(t, disk, FileOptions{Durability: Always, SegmentSize: 32 << 10, alone: true})
	mustAppend(t, log, "foo")
	disk.SetHook(nil)
	if checked == 0 {
		t.Error("nothing was written")
	}
}

// A flush that the ticker makes meets a full disk: the next one is made all the same.
func TestIntervalOutlastsAFullDisk(t *testing.T) {
	disk := crashdisk.New()
	log := openWith(t, disk, FileOptions{Durability: Interval, Interval: time.Millisecond, SegmentSize: 64 << 10, written: true})
	mustAppend(t, log, "foo")
	full := make(chan bool, 1)
	disk.SetHook(func(c crashdisk.Call) crashdisk.Fault {
		if c.Op == crashdisk.Write {
			select {
			case full <- true:
				return crashdisk.Fault{Err: syscall.ENOSPC}
			default:
			}
		}
		return crashdisk.Fault{}
	})
	first := log.turn.Take() // what waits is the ticker's to write
	batch, _ := log.join()
	log.tail.add(first, [][]byte{[]byte("bar")}, 0)
	log.turn.Give(first + 1)
	<-batch.done
	if !errors.Is(batch.err, syscall.ENOSPC) {
		t.Fatalf("append returned %v", batch.err)
	}
	mustAppend(t, log, "baz")
	for log.Metrics().Safe < 2 { // a flush that never comes is the test's timeout
		time.Sleep(time.Millisecond)
	}
	if got := contents(t, log); fmt.Sprint(got) != "[foo baz]" {
		t.Errorf("log holds %q", got)
	}
}
