package commitlog_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/subject/commitlog"
	"github.com/syncwrite/syncwrite/subject/commitlog/logtest"
	"github.com/syncwrite/syncwrite/subject/commitlog/naive"
)

// unindexed gives a naive log the shape of the others, without an index.
type unindexed struct{ naive.Log }

func (u unindexed) Append(value []byte) (uint64, error) { return 0, u.Log.Append(value) }

func (u unindexed) Get(uint64) (commitlog.Entry, error) { return commitlog.Entry{}, nil }

func openNaive(inner func() naive.Log) logtest.OpenFunc {
	return func(path string) (commitlog.Log, error) {
		log := inner()
		return unindexed{log}, log.Open(path)
	}
}

func BenchmarkAppend(b *testing.B) {
	for _, backend := range []struct {
		name string
		open logtest.OpenFunc
	}{
		{"naive-memory", openNaive(func() naive.Log { return new(naive.InMemoryLog) })},
		{"memory", openMemory},
		{"naive-file", openNaive(func() naive.Log { return new(naive.FileLog) })},
		{"file", openFile},
		{"async-memory", openAsync(openMemory, 0)},
		{"async-file", openAsync(openFile, 0)},
		{"durable-file", openDurable},
	} {
		b.Run("log="+backend.name+"/serial", func(b *testing.B) { benchmarkSerial(b, backend.open) })
		b.Run("log="+backend.name+"/parallel", func(b *testing.B) { benchmarkParallel(b, backend.open) })
	}
}

func openForBenchmark(b *testing.B, open logtest.OpenFunc) commitlog.Log {
	log, err := open(filepath.Join(b.TempDir(), "log"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { log.Close() })
	b.ReportAllocs()
	return log
}

func benchmarkSerial(b *testing.B, open logtest.OpenFunc) {
	log, value := openForBenchmark(b, open), []byte("foo")
	for b.Loop() {
		if _, err := log.Append(value); err != nil {
			b.Fatal(err)
		}
	}
}

// benchmarkParallel runs eight appending goroutines for each processor.
func benchmarkParallel(b *testing.B, open logtest.OpenFunc) {
	log, value := openForBenchmark(b, open), []byte("foo")
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := log.Append(value); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// What reading the metrics all the time costs those who append: nothing but
// the processor it takes.
func BenchmarkAppendWatched(b *testing.B) {
	for _, watched := range []bool{false, true} {
		b.Run(fmt.Sprintf("watched=%t", watched), func(b *testing.B) {
			log := openForBenchmark(b, openFile).(*commitlog.File)
			stop, value := make(chan struct{}), []byte("foo")
			var watcher sync.WaitGroup
			if watched {
				watcher.Go(func() { watch(log, stop) })
			}
			for b.Loop() {
				if _, err := log.Append(value); err != nil {
					b.Fatal(err)
				}
			}
			close(stop)
			watcher.Wait()
		})
	}
}

func watch(log *commitlog.File, stop chan struct{}) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			log.Metrics()
		}
	}
}
