//go:build fails

package sample

import (
	"io"
	"runtime/trace"
	"testing"
)

func BenchmarkFatal(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			b.Fatal("in a goroutine")
		}
	})
}

func BenchmarkEarly(b *testing.B) { b.RunParallel(func(*testing.PB) {}) }

// One that is traced already.
func BenchmarkTraced(b *testing.B) {
	if trace.Start(io.Discard) == nil {
		defer trace.Stop()
	}
	b.RunParallel(body)
}

func BenchmarkBehind(b *testing.B) { b.RunParallel(body) }

func BenchmarkPanics(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			panic("in a goroutine")
		}
	})
}
