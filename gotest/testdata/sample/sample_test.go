// Package sample holds benchmarks of every kind that a run can meet.
package sample

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const nap = time.Millisecond

func body(pb *testing.PB) {
	for pb.Next() {
		time.Sleep(nap)
	}
}

func BenchmarkSerial(b *testing.B) {
	for i := 0; i < b.N; i++ {
		time.Sleep(nap)
	}
}

func BenchmarkParallel(b *testing.B) { b.RunParallel(body) }

func BenchmarkFour(b *testing.B) {
	b.SetParallelism(4)
	b.RunParallel(body)
}

func BenchmarkSub(b *testing.B) {
	b.Run("size=1", func(b *testing.B) { b.RunParallel(body) })
	b.Run("size=2", func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			time.Sleep(nap)
		}
	})
}

// Metrics of its own stay as they are, even under a name of ours.
func BenchmarkOwn(b *testing.B) {
	b.SetBytes(1000)
	b.ReportAllocs()
	b.RunParallel(body)
	b.ReportMetric(7, "widgets")
	b.ReportMetric(42, "p50-ns")
}

// ns/op is taken away, as 0 does.
func BenchmarkOwnTime(b *testing.B) {
	b.RunParallel(body)
	b.ReportMetric(0, "ns/op")
}

// What lies before ResetTimer is in no figure.
func BenchmarkReset(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			time.Sleep(20 * nap)
		}
	})
	b.ResetTimer()
	b.RunParallel(body)
}

// Nor what runs while the timer is stopped.
func BenchmarkStopped(b *testing.B) {
	b.StopTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			time.Sleep(20 * nap)
		}
	})
	b.StartTimer()
	b.RunParallel(body)
}

// While one goroutine has stopped the timer, operations of the other pass.
func BenchmarkStopInside(b *testing.B) {
	var once sync.Once
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			time.Sleep(nap)
			once.Do(func() {
				b.StopTimer()
				time.Sleep(20 * nap)
				b.StartTimer()
			})
		}
	})
}

// Setup in the goroutine, left out by a reset that is not where it should be, before any
// operation.
func BenchmarkResetInside(b *testing.B) {
	var all sync.WaitGroup
	all.Add(runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		time.Sleep(50 * nap)
		b.ResetTimer()
		all.Done()
		all.Wait()
		body(pb)
	})
}

// Each operation takes another grain: Next must deal out b.N of them, once.
func BenchmarkCounts(b *testing.B) {
	var n atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			n.Add(1)
		}
		if pb.Next() {
			b.Error("Next after the end")
		}
	})
	if n.Load() != int64(b.N) {
		b.Errorf("%d operations, want %d", n.Load(), b.N)
	}
}

// Short operations of goroutines that wait for each other most of the time.
func BenchmarkCrowd(b *testing.B) {
	b.SetParallelism(100)
	b.RunParallel(func(pb *testing.PB) {
		for n := 0; pb.Next(); n++ {
			if n%16 == 0 {
				runtime.Gosched()
			}
		}
	})
}

// Work that is timed, and in no goroutine of RunParallel.
func BenchmarkDrain(b *testing.B) {
	b.RunParallel(body)
	for i := 0; i < b.N; i++ {
		time.Sleep(nap)
	}
}

// Twice as many operations as b.N.
func BenchmarkTwice(b *testing.B) {
	b.RunParallel(body)
	b.RunParallel(body)
}

// Nothing that RunParallel does is timed.
func BenchmarkUntimed(b *testing.B) {
	b.StopTimer()
	b.RunParallel(body)
}

// Nor here, but what comes after it is.
func BenchmarkAround(b *testing.B) {
	b.StopTimer()
	b.RunParallel(body)
	b.StartTimer()
	for i := 0; i < b.N; i++ {
		time.Sleep(nap)
	}
}

func BenchmarkSkipped(b *testing.B) { b.Skip("not today") }

// Goroutines that nobody but the runtime knows of.
func BenchmarkStarts(b *testing.B) {
	for i := 0; i < b.N; i++ {
		var all sync.WaitGroup
		for range 4 {
			all.Add(1)
			go func() { defer all.Done(); runtime.Gosched() }()
		}
		all.Wait()
	}
}

// The result that a program asks for is the one it would have had.
func TestBenchmarkFunction(t *testing.T) {
	r := testing.Benchmark(func(b *testing.B) { b.RunParallel(body) })
	if len(r.Extra) != 0 {
		t.Errorf("extra metrics: %v", r.Extra)
	}
	if wall := r.T.Nanoseconds() / int64(r.N); r.NsPerOp() != wall {
		t.Errorf("%d ns/op, want wall time: %d", r.NsPerOp(), wall)
	}
}

// spin takes 5 µs of a processor at least.
func spin(pb *testing.PB) {
	for pb.Next() {
		for begin := time.Now(); time.Since(begin) < 5*time.Microsecond; {
		}
	}
}

func none(pb *testing.PB) {
	for pb.Next() {
	}
}

// What is filled takes another time than what is timed,
func BenchmarkLongFill(b *testing.B) {
	b.RunParallel(spin)
	b.ResetTimer()
	b.RunParallel(none)
}

// the other way round, too.
func BenchmarkShortFill(b *testing.B) {
	b.RunParallel(none)
	b.ResetTimer()
	b.RunParallel(spin)
}

// Goroutines that the benchmark measures and reports itself, as parallel.Run does.
func BenchmarkReports(b *testing.B) {
	var all sync.WaitGroup
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := 0; i < b.N; i += 4 {
				time.Sleep(nap)
			}
		}()
	}
	all.Wait()
	b.ReportMetric(4*nap.Seconds()*1e9, "ns/op")
	b.ReportMetric(1e6, "wall-ns/op")
	b.ReportMetric(4, "goroutines")
	b.ReportMetric(0.25, "outside-share")
}

// Behind a fill, which the timer forgot,
func BenchmarkReportsBehind(b *testing.B) {
	b.RunParallel(body)
	b.ResetTimer()
	BenchmarkReports(b)
}

// beside one that is timed,
func BenchmarkReportsBeside(b *testing.B) {
	b.RunParallel(body)
	BenchmarkReports(b)
}

// and with the timer off.
func BenchmarkReportsOff(b *testing.B) {
	b.StopTimer()
	b.ResetTimer()
	BenchmarkReports(b)
}

// What can be no figure is believed of nobody.
func BenchmarkReportsNothing(b *testing.B) {
	BenchmarkReports(b)
	b.ReportMetric(math.Inf(1), "ns/op")
}
