// Package cost holds the operations on which the cost of timing is measured.
package cost

import (
	"sync"
	"testing"
	_ "unsafe" // for go:linkname

	"github.com/syncwrite/syncwrite/hist"
)

// BenchmarkEmpty is the fast path of Next and nothing else.
func BenchmarkEmpty(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}

// BenchmarkTwenty is an operation of about 20 ns.
func BenchmarkTwenty(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		x := uint64(1)
		for pb.Next() {
			x = spin(x, 12)
		}
		keep(x)
	})
}

// BenchmarkCrowd is a lock that 25 goroutines a processor want: what an operation
// takes one of them is mostly waiting for the others.
func BenchmarkCrowd(b *testing.B) {
	var mu sync.RWMutex
	var shared uint64
	b.SetParallelism(25)
	b.RunParallel(func(pb *testing.PB) {
		x := uint64(1)
		for pb.Next() {
			if x = spin(x, 4); x%16 == 0 {
				mu.Lock()
				shared = x
				mu.Unlock()
			} else {
				mu.RLock()
				x += shared
				mu.RUnlock()
			}
		}
		keep(x)
	})
}

// Operations of changing length: 1 in 50 takes ten times as long as most. Those
// of about 900 ns are sampled, those of about 7 µs timed each.
func BenchmarkSampled(b *testing.B) { changing(b, 520) }
func BenchmarkEach(b *testing.B)    { changing(b, 4000) }

func changing(b *testing.B, length int) {
	b.RunParallel(func(pb *testing.PB) {
		x := uint64(1)
		for pb.Next() {
			x = spin(x, pick(x, length))
		}
		keep(x)
	})
}

// The same with every operation timed by a recorder of its own, whose quantiles
// are those that the others must agree with.
func BenchmarkSampledOwn(b *testing.B) { changingTimed(b, 520) }
func BenchmarkEachOwn(b *testing.B)    { changingTimed(b, 4000) }

func changingTimed(b *testing.B, length int) {
	var mu sync.Mutex
	var all hist.Histogram
	cost := clock()
	b.RunParallel(func(pb *testing.PB) {
		var own hist.Histogram
		x := uint64(1)
		for pb.Next() {
			begin := nanotime()
			x = spin(x, pick(x, length))
			own.Record(nanotime() - begin - cost)
		}
		keep(x)
		mu.Lock()
		defer mu.Unlock()
		all.Merge(&own)
	})
	b.ReportMetric(all.Quantile(0.50), "own-p50-ns")
	b.ReportMetric(all.Quantile(0.99), "own-p99-ns")
}

// clock is what a reading of the clock takes, in nanoseconds.
func clock() int64 {
	const readings = 1 << 14
	begin := nanotime()
	for range readings {
		nanotime()
	}
	return (nanotime() - begin) / readings
}

// pick draws the length of the next operation.
func pick(x uint64, length int) int {
	if (x*0x9e3779b97f4a7c15)>>32%50 == 0 {
		return 10 * length
	}
	return length
}

// spin is n steps that each wait for the one before (xorshift64).
//
//go:noinline
func spin(x uint64, n int) uint64 {
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

//go:noinline
func keep(uint64) {}

//go:linkname nanotime runtime.nanotime
func nanotime() int64
