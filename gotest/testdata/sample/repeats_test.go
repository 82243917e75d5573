//go:build repeats

package sample

import "testing"

var rounds int

// BenchmarkRepeats fails in its second repetition: each takes two rounds.
func BenchmarkRepeats(b *testing.B) {
	if rounds++; rounds == 3 {
		b.Fatal("wrong answer")
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
		}
	})
}
