//go:build allocs

package sample

import "testing"

// BenchmarkCalls calls RunParallel b.N times.
func BenchmarkCalls(b *testing.B) {
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		b.RunParallel(none)
	}
}
