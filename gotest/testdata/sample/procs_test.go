//go:build go1.24 && procs

package sample

import (
	"runtime"
	"testing"
	"time"
)

var calls, resets int

// BenchmarkFourLoop sets GOMAXPROCS itself. go test calls it once in each repetition.
func BenchmarkFourLoop(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	if calls++; calls > 1 {
		b.Fatal("opened already")
	}
	for b.Loop() {
		time.Sleep(nap)
	}
}

// BenchmarkFourReset resets the timer, and is called once where one operation is all that is asked for.
func BenchmarkFourReset(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	if resets++; resets > 1 {
		b.Fatal("opened already")
	}
	b.ResetTimer()
	b.RunParallel(body)
}
