//go:build repeats

package sample

import "testing"

var repetitions int

// BenchmarkSometimes skips in its second repetition, and in the third one its timer stands.
func BenchmarkSometimes(b *testing.B) {
	if b.N > 1 { // once in each
		repetitions++
	}
	if b.N > 1 && repetitions == 3 {
		b.StopTimer()
		b.ResetTimer()
	}
	b.RunParallel(body)
	if b.N > 1 && repetitions == 2 {
		b.Skip("not now")
	}
}

// The timer never runs.
func BenchmarkStands(b *testing.B) {
	b.StopTimer()
	b.ResetTimer()
	b.RunParallel(none)
}
