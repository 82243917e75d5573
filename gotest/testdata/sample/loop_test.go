//go:build go1.24

package sample

import (
	"testing"
	"time"
)

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		time.Sleep(nap)
	}
}

// Within b.Loop there is no N to deal out: go test runs nothing in parallel.
func BenchmarkLoopParallel(b *testing.B) {
	for b.Loop() {
		b.RunParallel(body)
		time.Sleep(nap)
	}
}

// A reset brings back nothing of what did not run.
func BenchmarkLoopParallelReset(b *testing.B) {
	for b.Loop() {
		b.RunParallel(body)
		time.Sleep(nap)
		b.ResetTimer()
	}
}

// What b.Loop measures is an N of its own,
func BenchmarkLoopBehind(b *testing.B) {
	b.RunParallel(body)
	for b.Loop() {
		time.Sleep(nap)
	}
}

// whatever was reset before it.
func BenchmarkLoopBehindReset(b *testing.B) {
	b.RunParallel(body)
	b.ResetTimer()
	for b.Loop() {
		time.Sleep(nap)
	}
}
