package commitlog

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/syncwrite/syncwrite/subject/commitlog/internal/crashdisk"
)

// What a snapshot tells was so at one moment: of a durable log all that is shown is safe, and flushes have
// made safe as many.
func TestMetricsAreOfOneMoment(t *testing.T) {
	log, err := OpenFile(filepath.Join(t.TempDir(), "log"), FileOptions{Durability: Always, SegmentSize: 64 << 10})
	must(t, err)
	defer log.Close()
	var appenders sync.WaitGroup
	defer appenders.Wait()
	for range 4 {
		appenders.Go(func() {
			for range 500 {
				if _, err := log.Append([]byte("value")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for m := log.Metrics(); m.Next < 2000 && !t.Failed(); m = log.Metrics() {
		if m.Safe != m.Next || m.BatchSize.Sum() > m.Next || m.FlushTime.Count() < m.BatchSize.Count() {
			t.Errorf("next %d, safe %d, %d in batches", m.Next, m.Safe, m.BatchSize.Sum())
		}
	}
}

// What a seal flushes is among the flushes, and makes up no batch.
func TestSealIsAFlush(t *testing.T) {
	log := openWith(t, crashdisk.New(), FileOptions{SegmentSize: 256, alone: true})
	for len(log.view.Load().segments) < 2 {
		mustAppend(t, log, "value")
	}
	log.sealAll()
	if m := log.Metrics(); m.FlushTime.Count() != 1 || m.BatchSize.Count() != 0 {
		t.Errorf("%d flushes, %d batches", m.FlushTime.Count(), m.BatchSize.Count())
	}
}
