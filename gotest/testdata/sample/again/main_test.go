//go:build twice

package again

import (
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	m.Run()
	os.Exit(m.Run())
}

func BenchmarkParse(b *testing.B) {
	for i := 0; i < b.N; i++ {
		time.Sleep(time.Microsecond)
	}
}
