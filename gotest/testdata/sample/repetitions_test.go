//go:build repeats

package sample

import (
	"runtime"
	"testing"
	"time"
)

var repetitions int

// BenchmarkSometimes skips in its second repetition, and in the third one its timer stands.
func BenchmarkSometimes(b *testing.B) {
	if b.N > 1 { // once in each
		repetitions++
	}
	if b.N > 1 && repetitions == 3 {
		b.StopTimer()
		b.ResetTimer()
	}
	b.RunParallel(body)
	if b.N > 1 && repetitions == 2 {
		b.Skip("not now")
	}
}

// The timer never runs.
func BenchmarkStands(b *testing.B) {
	b.StopTimer()
	b.ResetTimer()
	b.RunParallel(none)
}

var opened, filled, measured int

// BenchmarkOpens finds open what its first call opened, behind a pause.
func BenchmarkOpens(b *testing.B) {
	b.StopTimer()
	opened++
	b.StartTimer()
	if opened > 1 {
		b.Skip("open already")
	}
	for i := 0; i < b.N; i++ {
		time.Sleep(nap)
	}
	b.ReportMetric(7, "widgets")
}

var inside int

// BenchmarkSkipsWithin skips within an operation of RunParallel when it is called again.
func BenchmarkSkipsWithin(b *testing.B) {
	inside++
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if inside > 1 {
				b.Skip("open already")
			}
			time.Sleep(nap)
		}
	})
	b.ReportMetric(7, "widgets")
}

var within int

// BenchmarkQuitsWithin ends its goroutines so behind a pause of the timer, and has figures of its own.
func BenchmarkQuitsWithin(b *testing.B) {
	within++
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			b.StopTimer()
			b.StartTimer()
			if within > 1 {
				runtime.Goexit()
			}
			time.Sleep(nap)
		}
	})
	b.ReportMetric(7, "widgets")
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "goroutines")
	b.ReportMetric(1e7, "ns/op")
	b.ReportMetric(1e7, "wall-ns/op")
}

// BenchmarkFills skips behind RunParallel when it is called again,
func BenchmarkFills(b *testing.B) {
	b.RunParallel(body)
	if filled++; filled > 1 {
		b.Skip("filled already")
	}
}

// BenchmarkMeasures behind figures of its own.
func BenchmarkMeasures(b *testing.B) {
	BenchmarkReports(b)
	if measured++; measured > 1 {
		b.Skip("measured already")
	}
}

// BenchmarkEnds ends its goroutine each time, and no time has passed.
func BenchmarkEnds(*testing.B) { runtime.Goexit() }
