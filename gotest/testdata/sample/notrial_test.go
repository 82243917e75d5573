//go:build notrial

package sample

import (
	"sync"
	"testing"
)

// Two calls of RunParallel that wait for each other.
func BenchmarkOverlap(b *testing.B) {
	c := make(chan int)
	var sending sync.WaitGroup
	sending.Add(1)
	go func() {
		defer sending.Done()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				c <- 1
			}
			if pb.Next() {
				b.Error("Next after the end")
			}
		})
	}()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			<-c
		}
	})
	sending.Wait()
}

// The timer is off while the operations pass.
func BenchmarkStopsAmid(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		b.StopTimer()
		body(pb)
		b.StartTimer()
	})
}

// The timer is off while the first operations may pass.
func BenchmarkStartsAmid(b *testing.B) {
	b.StopTimer()
	b.RunParallel(func(pb *testing.PB) {
		b.StartTimer()
		body(pb)
	})
}

func BenchmarkNested(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		body(pb)
		b.RunParallel(body)
	})
}
