package harness

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/hist"
)

// BenchmarkRecording is what recording costs a request that takes no time: the clock, the
// histograms of its kind and of all, the stretch of the window. A request over loopback
// takes 5 µs of a processor at least (published/generators.md).
func BenchmarkRecording(b *testing.B) {
	n := 0
	ask := func() Answer { n++; return Answer{Kind: n & 1, Bytes: 100} }
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			ask()
		}
	})
	b.Run("recorded", func(b *testing.B) {
		window := window{span: time.Minute}
		left := b.N
		w := &worker{sorting: window.newSorting(Instance{Kinds: []string{"a", "b"}, Request: func(int) Request {
			return func() Answer {
				if left--; left < 0 {
					return Answer{Failure: "enough"}
				}
				return ask()
			}
		}}, newTimeline(time.Minute), 0), stop: new(atomic.Bool)}
		w.hist = new(hist.Histogram)
		w.op = func() error {
			if left < 0 {
				w.stop.Store(true)
			}
			return w.sorting.one()
		}
		b.ResetTimer()
		w.start = nanotime()
		w.begins(w.start, window.span, nil)
		w.untilEnd()
	})
}
