package commitlog

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"
)

// The benchmarks of this file show what each step towards a fast log gains:
// each has the step, and the same without it.

// parallel runs b.N operations from n goroutines.
func parallel(b *testing.B, n int, operation func()) {
	var group sync.WaitGroup
	b.ResetTimer()
	for range n {
		group.Go(func() {
			for range b.N / n {
				operation()
			}
		})
	}
	group.Wait()
	b.StopTimer()
}

func openForSteps(b *testing.B, options FileOptions) *File {
	b.Helper()
	log, err := OpenFile(b.TempDir()+"/log", options)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { log.Close() })
	return log
}

func appendSteps(b *testing.B, log Log, n, payload int) {
	value := make([]byte, payload)
	b.ReportAllocs()
	parallel(b, n, func() {
		if _, err := log.Append(value); err != nil {
			b.Error(err)
		}
	})
}

// Storing to mapped memory against a write for each append.
func BenchmarkStored(b *testing.B) {
	for _, payload := range []int{3, 1024} {
		for _, n := range []int{1, 64} {
			for _, step := range []string{"write", "store"} {
				b.Run(fmt.Sprintf("step=%s/payload=%d/goroutines=%d", step, payload, n), func(b *testing.B) {
					appendSteps(b, openForSteps(b, FileOptions{written: step == "write"}), n, payload)
				})
			}
		}
	}
}

// Waiting for those who are about to come back against flushing at once.
func BenchmarkLinger(b *testing.B) {
	for _, n := range []int{1, 8, 64} {
		for _, step := range []string{"at-once", "linger"} {
			b.Run(fmt.Sprintf("step=%s/goroutines=%d", step, n), func(b *testing.B) {
				log := openForSteps(b, FileOptions{Durability: Always})
				if step == "at-once" {
					log.gather.skip = b.N
				}
				appendSteps(b, log, n, 3)
				batches := log.Metrics().BatchSize
				b.ReportMetric(float64(batches.Sum())/float64(max(1, batches.Count())), "entries/flush")
			})
		}
	}
}

// Waiting that leaves the processor to other threads, against such that leaves it
// to goroutines only.
func BenchmarkYield(b *testing.B) {
	for _, n := range []int{2, 8, 64} {
		for _, durability := range []Durability{None, Always} {
			for _, step := range []string{"stay", "yield"} {
				b.Run(fmt.Sprintf("step=%s/durability=%v/goroutines=%d", step, durability, n), func(b *testing.B) {
					log := openForSteps(b, FileOptions{Durability: durability})
					log.turn.Stays = step == "stay"
					appendSteps(b, log, n, 1024)
				})
			}
		}
	}
}

// Durable entries written past the system's cache against such that are written
// to it and flushed.
func BenchmarkDirect(b *testing.B) {
	for _, payload := range []int{3, 1024} {
		for _, n := range []int{1, 8, 64} {
			for _, step := range []string{"cached", "direct"} {
				b.Run(fmt.Sprintf("step=%s/payload=%d/goroutines=%d", step, payload, n), func(b *testing.B) {
					appendSteps(b, openForSteps(b, FileOptions{Durability: Always, cached: step == "cached"}), n, payload)
				})
			}
		}
	}
}

// A random entry of a log of 150 MB by reading the file, and from memory.
func BenchmarkGet(b *testing.B) {
	const entries = 1 << 20
	log := openForSteps(b, FileOptions{})
	value, random := make([]byte, 128), uint64(1)
	for range entries {
		if _, err := log.Append(value); err != nil {
			b.Fatal(err)
		}
	}
	for _, step := range []struct {
		name string
		get  func(index uint64) error
	}{
		{"read", func(index uint64) error { _, err := log.read(index); return err }},
		{"memory", func(index uint64) error { _, err := log.GetInto(index, value); return err }},
	} {
		b.Run("step="+step.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				random ^= random << 13 // xorshift64: what lies between two reads keeps them apart
				random ^= random >> 7
				random ^= random << 17
				if err := step.get(random % entries); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Segments that are made ready beside the appends against such that are when an append
// needs them.
func BenchmarkPrepared(b *testing.B) {
	for _, durability := range []Durability{None, Always} {
		for _, step := range []string{"alone", "beside"} {
			b.Run(fmt.Sprintf("durability=%v/step=%s", durability, step), func(b *testing.B) {
				appendSteps(b, openForSteps(b, FileOptions{Durability: durability, alone: step == "alone"}), 8, 1024)
			})
		}
	}
}

// Opening a log of ten million entries that was closed, and what it costs in
// memory.
func BenchmarkOpen(b *testing.B) {
	const entries = 10_000_000
	path := b.TempDir() + "/log"
	log, err := OpenFile(path, FileOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for range entries {
		if _, err := log.Append([]byte("foo")); err != nil {
			b.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
	log = nil
	before, took := heap(), time.Duration(0)
	for b.Loop() {
		start := time.Now()
		if log, err = OpenFile(path, FileOptions{}); err != nil {
			b.Fatal(err)
		}
		took += time.Since(start)
		b.ReportMetric(float64(max(0, heap()-before))/entries, "heap-B/entry")
		if err := log.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(took.Milliseconds())/float64(b.N), "ms/open")
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
