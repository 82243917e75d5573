package harness

import (
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

// A timeline is a window in stretches that are counted apart.
type timeline struct {
	stretch int64 // ns
	parts   [timelineParts][]hist.Shared
}

const (
	// timelineParts keep goroutines that run at once off each other's cache lines.
	timelineParts = 4
	// mostStretches bound what a long window needs in memory, and a chart of it.
	mostStretches = 120
)

// newTimeline cuts a window into seconds, or into more of them where it is long. What is
// still under way at its end falls into a stretch behind the last.
func newTimeline(span time.Duration) *timeline {
	l := &timeline{stretch: int64(time.Second)}
	for int64(span)/l.stretch > mostStretches {
		l.stretch *= 2
	}
	for i := range l.parts {
		l.parts[i] = make([]hist.Shared, int64(span)/l.stretch+1)
	}
	return l
}

func (l *timeline) stretches() int { return len(l.parts[0]) }

// of is the part that a goroutine records in.
func (l *timeline) of(g int) []hist.Shared { return l.parts[g%timelineParts] }

// at is the stretch of a moment, from the window's start.
func (l *timeline) at(ns int64) int {
	return int(min(max(ns/l.stretch, 0), int64(l.stretches()-1)))
}

// moments adds up what the workers saw in each stretch.
func (l *timeline) moments(workers []*worker, users int) []results.Moment {
	all := make([]results.Moment, l.stretches())
	for i := range all {
		m, sum, latencies := &all[i], int64(0), new(hist.Histogram)
		for _, w := range workers {
			seen := w.sorting.moments[i]
			m.Ops += seen.ops
			m.Failed += seen.failed
			m.Bytes += seen.bytes
			sum += seen.ns
		}
		for _, part := range l.parts {
			part[i].AddTo(latencies)
		}
		m.AtNS, m.Users = int64(i)*l.stretch, users
		m.MeanNS = results.Number(sum) / results.Number(m.Ops)
		m.P50NS, m.P95NS = results.Number(latencies.Carried(0.50)), results.Number(latencies.Carried(0.95))
	}
	return all
}

// mostTail is how long a trial may last, as a multiple of its window, for its halves to be
// told: what is behind the window is the time of those whose last answer is slow alone.
const mostTail = 1.05

// half is what was done in the first half of the stretches, where there are enough. Where
// the user who did fewest requests did few nobody knows, as in a [deal]: his first one ends later than the
// window begins, and his last one later than it ends.
func half(moments []results.Moment, stretch int64, fewest int) (ns int64, ops int) {
	if fewest < leastRounds || len(moments) < 5 { // the last is none: what was still under way
		return 0, 0
	}
	n := (len(moments) - 1) / 2
	for _, m := range moments[:n] {
		ops += m.Ops
	}
	return int64(n) * stretch, ops
}
