package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A PB hands out the operations of a benchmark to one goroutine.
type PB struct {
	cache uint64 // operations that may run before the lane is asked
	lane  *lane
	pool  *pool
	grain uint64 // operations to acquire at once
	asked int64  // clock when the last grain was acquired
	_     [88]byte
}

// Next reports whether there is another operation to run.
func (pb *PB) Next() bool {
	if pb.cache == 0 {
		if !pb.more() { // not "&&": the compiler would keep the answer, and test it each time
			return false
		}
	}
	pb.cache--
	return true
}

// pool is what the goroutines share: the operations that are left.
type pool struct {
	_    [64]byte
	next atomic.Int64
	n    int64
	_    [64]byte
}

// acquire takes up to so many operations out of the pool.
func (p *pool) acquire(grain uint64) uint64 {
	end := p.next.Add(int64(grain))
	return uint64(max(0, int64(grain)-max(0, end-p.n)))
}

// more is the slow path of Next.
func (pb *PB) more() bool {
	l := pb.lane
	l.settle()
	if l.left == 0 {
		if l.left = pb.refill(); l.left == 0 {
			l.finish()
			return false
		}
	}
	pb.cache = l.deal()
	return true
}

// leave ends a goroutine. What it was dealt and has not begun is left over.
func (pb *PB) leave() {
	pb.lane.left += pb.cache
	pb.lane.leave()
}

const (
	grainNS  = 100_000 // what a grain should take: much more than acquiring it
	grainMax = 10_000
)

// refill acquires a grain and doubles the next one while a grain takes less
// than half of what it should.
func (pb *PB) refill() uint64 {
	now := nanotime()
	if pb.asked != 0 && now-pb.asked < grainNS/2 && pb.grain < grainMax/2 {
		pb.grain *= 2
	}
	pb.asked = now
	return pb.pool.acquire(pb.grain)
}

// Run runs body in so many goroutines at once, 0 meaning GOMAXPROCS, deals b.N
// operations out among them, and waits for all. Like [testing.B.RunParallel],
// it is called once in a benchmark, as its last step; setup before it is left
// out of all figures by b.ResetTimer.
//
// It reports:
//
//	ns/op          goroutine time ÷ b.N: each goroutine's own start to its own end, summed
//	wall-ns/op     wall time ÷ b.N: what RunParallel calls ns/op
//	ops/s          b.N ÷ wall time
//	p50-ns p99-ns  latency of single operations, in nanoseconds; left out where
//	               fewer than ten of the samples lie beyond, or where it is not
//	               above twice what the clock's step or a reading of it takes
//	goroutines     that ran
//	slowest-share  operations of the goroutine that did fewest, 1 being an even share
//	fastest-share  and of the one that did most; both left out where goroutines
//	               ran for less than a millisecond
//	outside-share  of the timed time, what passed before Run: the other figures
//	               leave it out; only where it is 1 % or more, and 10 µs or more
//
// An operation that takes a processor at least 1.2 µs is timed each time, a shorter one in
// a random sample that takes about 1 % of the time. Until it is known how long it is, short
// ones are timed by the batch: a run of a few hundred of those has no latencies.
//
// Run fails the benchmark if a body ends before Next has reported false, and operations are
// left over: also the one in which it ends its goroutine. One whose body skips is skipped. Run
// fails it within b.Loop, where there is no b.N to deal out. The body must not stop, start or
// reset the benchmark's timer: Run fails the benchmark if that ran shorter than Run took, by
// more than a millisecond and 1 %.
func Run(b *testing.B, goroutines int, body func(*PB)) {
	b.Helper()
	if goroutines < 0 {
		b.Fatalf("parallel: %d goroutines", goroutines)
	}
	if goroutines == 0 {
		goroutines = runtime.GOMAXPROCS(0)
	}
	if b.N == 0 {
		b.Fatal("parallel: Run within b.Loop, where there is no b.N to deal out")
	}
	b.StopTimer()
	before := b.Elapsed()
	w := newWindow(goroutines, min(runtime.GOMAXPROCS(0), runtime.NumCPU()), -1)
	work := &pool{n: int64(b.N)}
	pbs := make([]*PB, goroutines)
	for i := range pbs {
		pbs[i] = &PB{pool: work, grain: 1}
	}
	w.start()
	b.StartTimer()
	begin := time.Now()
	runAll(w, pbs, body)
	took := time.Since(begin)
	b.StopTimer()
	var t totals
	t.add(w.close())
	if (t.over > 0 || work.next.Load() < work.n) && !b.Failed() {
		if b.Skipped() {
			b.SkipNow() // as a body did: there is no result
		}
		b.Fatal("parallel: body ended before Next had reported false")
	}
	wall := b.Elapsed() - before
	if touched(wall, took, time.Duration(w.floor)) && !b.Failed() {
		b.Fatal("parallel: body stopped, started or reset the timer")
	}
	outside := outsideShare(before.Nanoseconds(), b.Elapsed().Nanoseconds())
	t.metrics(b.N, wall.Nanoseconds(), outside, b.ReportMetric)
}

// touched reports whether the benchmark's timer ran shorter than Run took. It may be another clock, of which the
// floor is what it tells from nothing.
func touched(wall, took, floor time.Duration) bool {
	return wall < 0 || wall < took-time.Millisecond-floor-took/100
}

func runAll(w *window, pbs []*PB, body func(*PB)) {
	var all sync.WaitGroup
	for _, pb := range pbs {
		all.Add(1)
		go func() {
			defer all.Done()
			pb.lane = w.enter()
			defer pb.leave()
			body(pb)
			pb.lane.returned = true
		}()
	}
	all.Wait()
}
