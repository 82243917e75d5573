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
