//go:build fails

package sample

import "testing"

func BenchmarkFatal(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			b.Fatal("in a goroutine")
		}
	})
}

func BenchmarkEarly(b *testing.B) { b.RunParallel(func(*testing.PB) {}) }

func BenchmarkPanics(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			panic("in a goroutine")
		}
	})
}
