// Package parallel holds the two benchmarks that show what go test's ns/op of a
// parallel benchmark is: a sleep of a millisecond, which it calls 10 µs, and a
// loop that keeps a processor busy.
//
//	syncwrite test -run '^$' -bench . -cpu 1,2,4,8,16 ./examples/parallel
//
// Names read <parallelism>-<procs>: SetParallelism and GOMAXPROCS.
package parallel

import (
	"strconv"
	"testing"
	"time"
)

// An operation that waits: ns/op stays what it is, and ops/s doubles with the
// goroutines.
func BenchmarkSleep(b *testing.B) {
	for _, parallelism := range []int{1, 2, 4, 8} {
		b.Run(strconv.Itoa(parallelism), func(b *testing.B) {
			b.SetParallelism(parallelism)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					time.Sleep(time.Millisecond)
				}
			})
		})
	}
}

// An operation that computes: ns/op is flat up to the cores.
func BenchmarkLoop(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		sum := 0
		for pb.Next() {
			sum += loop()
		}
		keep(sum)
	})
}

func BenchmarkLoopSerial(b *testing.B) {
	sum := 0
	for i := 0; i < b.N; i++ {
		sum += loop()
	}
	keep(sum)
}

func loop() (sum int) {
	for i := range 1_000_000 {
		sum += i
	}
	return sum
}

//go:noinline
func keep(int) {}
