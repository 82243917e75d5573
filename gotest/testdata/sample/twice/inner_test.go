//go:build twice

package twice

import (
	"testing"
	"time"
)

func BenchmarkParse(b *testing.B) {
	for i := 0; i < b.N; i++ {
		time.Sleep(time.Microsecond)
	}
}

func BenchmarkOnce(b *testing.B) {
	for i := 0; i < b.N; i++ {
		time.Sleep(time.Microsecond)
	}
}
