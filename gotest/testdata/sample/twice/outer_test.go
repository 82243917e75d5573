//go:build twice

package twice_test

import (
	"os"
	"testing"
	"time"
)

var rounds int

// BenchmarkParse is not that of package twice. Each repetition takes two rounds.
func BenchmarkParse(b *testing.B) {
	if rounds++; rounds == 3 && os.Getenv("TWICE") == "panic" {
		panic("in the second repetition")
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			time.Sleep(10 * time.Microsecond)
		}
	})
}
