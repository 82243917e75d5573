package commitlog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// A ledger is what appends that run at the same time were told.
type ledger struct {
	mu    sync.Mutex
	acked map[uint64]string
}

func (l *ledger) note(index uint64, value string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked[index] = value
}

func (l *ledger) copy() map[uint64]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.acked)
}

// The power goes at random calls while goroutines append: what was
// acknowledged before is there. The schedule is the runtime's, so that a
// failure does not replay; TestSimulatedCrashes does.
func TestCrashesDuringConcurrentAppends(t *testing.T) {
	t.Parallel()
	disk, told := crashdisk.New(), ledger{acked: map[uint64]string{}}
	log := openOn(t, disk, Always)
	var mu sync.Mutex // guards random
	random := rand.New(rand.NewPCG(1, 1))
	disk.SetHook(func(call crashdisk.Call) crashdisk.Fault {
		mu.Lock()
		defer mu.Unlock()
		if random.IntN(4) == 0 {
			acked := told.copy() // first: what is told later may be in the image, or not
			checkAcked(t, disk.AfterPowerCut(random), acked)
		}
		return crashdisk.Fault{}
	})
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for i := range 40 {
				value := fmt.Sprintf("%d of %d", i, g)
				first, err := log.AppendBatch([][]byte{[]byte(value), []byte(value)})
				if err != nil {
					t.Error(err)
					return
				}
				told.note(first, value)
				told.note(first+1, value)
			}
		})
	}
	group.Wait()
	disk.SetHook(nil)
}

func checkAcked(t *testing.T, image *crashdisk.Disk, acked map[uint64]string) {
	log, err := openDir(image, FileOptions{SegmentSize: 256})
	if err != nil {
		t.Error(err)
		return
	}
	defer log.Close()
	for index, value := range acked {
		entry, err := log.Get(index)
		if err != nil || string(entry.Value) != value {
			t.Errorf("entry %d reads %q, %v; %q was acknowledged", index, entry.Value, err, value)
		}
	}
	if log.Next()%2 != 0 {
		t.Errorf("%d entries: a batch of two is there in part", log.Next())
	}
}
