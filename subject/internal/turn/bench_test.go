package turn

import (
	"fmt"
	"sync"
	"testing"
)

// The turn against the lock that everybody takes, around next to nothing.
func BenchmarkTurn(b *testing.B) {
	var mu sync.Mutex
	var t Turn
	count := 0
	for _, lock := range []struct {
		name string
		once func()
	}{
		{"mutex", func() { mu.Lock(); count++; mu.Unlock() }},
		{"turn", func() { t.Give(t.Take() + 1) }},
	} {
		for _, n := range []int{1, 2, 8, 64} {
			b.Run(fmt.Sprintf("lock=%s/goroutines=%d", lock.name, n), func(b *testing.B) {
				var group sync.WaitGroup
				for range n {
					group.Go(func() {
						for range b.N / n {
							lock.once()
						}
					})
				}
				group.Wait()
			})
		}
	}
}
