package harness

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Every operation is dealt out once, whoever takes how often, and the pieces
// come down to one.
func TestDealGivesEveryOperationOnce(t *testing.T) {
	for _, n := range []int{1, 2, 7, 64} {
		for _, ops := range []int{0, 1, 5, 1000, 123_457} {
			d := newDeal(ops, ops, n)
			var sum atomic.Int64
			var takers sync.WaitGroup
			for range n {
				takers.Go(func() {
					last := ops + 1
					for piece := d.take(); piece > 0; piece = d.take() {
						if piece > last {
							t.Errorf("a piece of %d after one of %d", piece, last)
						}
						last = piece
						sum.Add(int64(piece))
					}
				})
			}
			takers.Wait()
			if sum.Load() != int64(ops) {
				t.Errorf("%d takers of %d operations got %d", n, ops, sum.Load())
			}
		}
	}
}

// What one goroutine holds when the others have run out is small: at no time
// does a piece exceed what is left by 8 N.
func TestPiecesShrinkWithWhatIsLeft(t *testing.T) {
	const n = 4
	left := 10_000
	for d := newDeal(left, left, n); left > 0; {
		piece := d.take()
		if most := max(left/(pieces*n), 1); piece > most {
			t.Fatalf("a piece of %d while %d are left", piece, left)
		}
		left -= piece
	}
}
