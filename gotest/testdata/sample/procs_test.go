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

var firsts int

// BenchmarkOneFirst has a first operation at each of two levels of -cpu, and no other.
func BenchmarkOneFirst(b *testing.B) {
	if b.N == 1 {
		firsts++
	}
	if firsts > 2 {
		b.Fatal("a first operation was run anew")
	}
	b.RunParallel(body)
}

// BenchmarkLevel says at which GOMAXPROCS it ran.
func BenchmarkLevel(b *testing.B) {
	for b.Loop() {
		time.Sleep(nap)
	}
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "procs")
}

// BenchmarkLevelReset does so, and resets the timer behind b.Loop.
func BenchmarkLevelReset(b *testing.B) {
	for b.Loop() {
		time.Sleep(12 * time.Millisecond)
	}
	b.ResetTimer()
	b.StartTimer()
	time.Sleep(nap)
	b.ReportMetric(float64(runtime.GOMAXPROCS(0)), "procs")
}

var loops int

// BenchmarkLoopSkips skips when it is called again.
func BenchmarkLoopSkips(b *testing.B) {
	if loops++; loops > 1 {
		b.Skip("open already")
	}
	for b.Loop() {
		time.Sleep(nap)
	}
}
