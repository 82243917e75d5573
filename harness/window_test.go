package harness

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/hist"
	"github.com/syncwrite/syncwrite/results"
)

var promise = results.Promise{Order: "none", Result: "independent", Survives: "nothing"}

// once measures one window of a variant.
func once(t *testing.T, v Variant, n, ops int, how sampling) (results.Trial, error) {
	t.Helper()
	w := window{cell: cell{experiment: "test", variant: v, goroutines: n}, ops: ops, sampling: how, seed: 7, root: t.TempDir()}
	return w.measure(context.Background())
}

// Every operation and every goroutine is counted by itself, at any N, also
// where N does not divide the operations, in both modes of timing.
func TestOperationsAndGoroutinesAreCounted(t *testing.T) {
	for _, how := range []sampling{eachTimed, oneIn128, oneIn1024} {
		for _, n := range []int{1, 2, 3, 7, 16, 64} {
			const ops = 1000
			perGoroutine := make([]int, n)
			v := Variant{Name: "count", Promise: promise, Open: func(Setup) (Instance, error) {
				return Instance{Worker: func(g int) Operation {
					return func() error { perGoroutine[g]++; return nil }
				}}, nil
			}}
			trial, err := once(t, v, n, ops, how)
			if err != nil {
				t.Fatal(err)
			}
			if trial.Ops != ops || trial.Started != n || trial.Goroutines != n {
				t.Errorf("N = %d: %d operations by %d goroutines recorded, want %d by %d", n, trial.Ops, trial.Started, ops, n)
			}
			sum := 0
			for g, done := range perGoroutine {
				sum += done
				if done < 1 {
					t.Errorf("N = %d: goroutine %d did %d of %d operations", n, g, done, ops)
				}
			}
			if sum != ops {
				t.Errorf("N = %d: %d operations were really done, want %d", n, sum, ops)
			}
		}
	}
}

// The window lies between the barrier and the last finish: it starts after the
// last goroutine's operation was prepared, and ends no later than measure
// returned. Preparing takes so long that a clock started too early shows.
func TestWindowStartsAtTheBarrier(t *testing.T) {
	var prepared atomic.Int64
	v := Variant{Name: "slow-start", Promise: promise, Open: func(Setup) (Instance, error) {
		return Instance{Worker: func(int) Operation {
			time.Sleep(20 * time.Millisecond)
			prepared.Store(nanotime())
			return func() error { return nil }
		}}, nil
	}}
	trial, err := once(t, v, 4, 4, eachTimed)
	most := nanotime() - prepared.Load()
	if err != nil {
		t.Fatal(err)
	}
	if trial.WallNS > most {
		t.Errorf("window of %d ns, but only %d ns passed since the last goroutine was prepared", trial.WallNS, most)
	}
}

// slowContext takes its time to be asked for Done before the first operation, which
// observe does after the goroutines are ready and right before it starts the clock.
type slowContext struct {
	context.Context
	asked   *atomic.Int64
	running *atomic.Bool
}

func (c slowContext) Done() <-chan struct{} {
	if !c.running.Load() {
		time.Sleep(20 * time.Millisecond)
		c.asked.Store(nanotime())
	}
	return c.Context.Done()
}

// Nothing that happens between the goroutines being ready and the barrier
// counts into the window.
func TestWindowLeavesPreparationOut(t *testing.T) {
	ctx := slowContext{t.Context(), new(atomic.Int64), new(atomic.Bool)}
	v := Func("empty", promise, func() error { ctx.running.Store(true); return nil })
	trial, err := window{cell: cell{variant: v, goroutines: 2}, ops: 2, root: t.TempDir()}.trial(ctx, nil)
	asked := ctx.asked.Load()
	most := nanotime() - asked
	if err != nil || asked == 0 {
		t.Fatal(err, asked)
	}
	if trial.WallNS > most {
		t.Errorf("window of %d ns, but only %d ns passed since the last preparation", trial.WallNS, most)
	}
}

// Sleeping goroutines: the window holds the longest of them, and their summed
// time holds every sleep. Load can make both longer, never shorter.
func TestWindowHoldsAllOperations(t *testing.T) {
	const nap = 5 * time.Millisecond
	v := Variant{Name: "uneven", Promise: promise, Open: func(Setup) (Instance, error) {
		return Instance{Worker: func(g int) Operation {
			return func() error { time.Sleep(nap * time.Duration(g+1)); return nil }
		}}, nil
	}}
	trial, err := once(t, v, 4, 4, eachTimed)
	if err != nil {
		t.Fatal(err)
	}
	if trial.WallNS < 4*nap.Nanoseconds() {
		t.Errorf("window of %d ns ended before the last goroutine, which slept %v", trial.WallNS, 4*nap)
	}
	if trial.GoroutineNS < 10*nap.Nanoseconds() {
		t.Errorf("goroutine time %d ns, though they slept %v together", trial.GoroutineNS, 10*nap)
	}
	if trial.GoroutineNS > 4*trial.WallNS {
		t.Errorf("goroutine time %d ns exceeds 4 goroutines × %d ns", trial.GoroutineNS, trial.WallNS)
	}
	if trial.Latency.Samples != 4 || float64(trial.Latency.MaxNS) < float64(4*nap) {
		t.Errorf("%d latencies up to %v ns, want 4 up to at least %v", trial.Latency.Samples, trial.Latency.MaxNS, 4*nap)
	}
	if int64(trial.Latency.Hist.Sum()) > trial.GoroutineNS {
		t.Errorf("latencies add up to %d ns, more than goroutine time %d ns", trial.Latency.Hist.Sum(), trial.GoroutineNS)
	}
}

// The naive reading divides by the summed latencies: for goroutines that work
// at once it is too low, and never too high.
func TestNaiveReading(t *testing.T) {
	v := Func("sleep", promise, func() error { time.Sleep(time.Millisecond); return nil })
	trial, err := once(t, v, 8, 80, eachTimed)
	if err != nil {
		t.Fatal(err)
	}
	if trial.Naive.SummedLatencyNS != results.Number(trial.GoroutineNS) {
		t.Errorf("summed latency %v, want goroutine time %d", trial.Naive.SummedLatencyNS, trial.GoroutineNS)
	}
	if most := results.Number(trial.OpsPerS()); trial.Naive.OpsPerS > most {
		t.Errorf("naive reading %v/s above the throughput %v/s", trial.Naive.OpsPerS, most)
	}
}

// A short operation is sampled: at least one in 128 or in 1,024, not each, and not in step.
func TestSampling(t *testing.T) {
	const ops = 100_000
	var l results.Latency
	for _, how := range []sampling{oneIn128, oneIn1024} {
		trial, err := once(t, Func("empty", promise, func() error { return nil }), 2, ops, how)
		if err != nil {
			t.Fatal(err)
		}
		l = trial.Latency
		if most := uint64(how) + 1; l.Mode != results.Sampled || l.Samples < ops/most || l.Samples > ops/most*5/2 {
			t.Errorf("%s: %d samples of %d operations, want about two in %d", l.Mode, l.Samples, ops, most)
		}
	}
	if l.MaxNS.Known() || l.P999NS.Known() {
		t.Errorf("maximum %v and p99.9 %v of a sampled operation, want missing", l.MaxNS, l.P999NS)
	}
	if !l.ChunkNS.Known() || l.ChunkNS <= 0 {
		t.Errorf("no bound on the longest operation: %v", l.ChunkNS)
	}
}

// The first operation of a goroutine may open something: where operations are sampled it is
// timed, and is a sample as often as another one.
func TestFirstOperationIsASampleAsOthers(t *testing.T) {
	const n = 4096
	trial, err := once(t, Func("empty", promise, func() error { return nil }), n, n, oneIn128)
	if err != nil {
		t.Fatal(err)
	}
	if s := trial.Latency.Samples; s < n/128 || s > n/32 || trial.FirstNS <= 0 {
		t.Errorf("%d samples of %d first operations, want one in 64; these of %d ns on average", s, n, trial.FirstNS)
	}
}

// What came after the first operation of a goroutine is told apart from what the
// others meanwhile waited for.
func TestLaterOperations(t *testing.T) {
	alone := &worker{start: 10, end: 110, first: 100, done: 1}
	for want, workers := range map[int64][]*worker{
		0:  {alone, alone},
		1:  {{start: 10, end: 60, first: 49, done: 101}}, // less than the clock can tell, and some
		30: {alone, {start: 10, end: 170, first: 100, done: 3}},
		25: {{start: 10, end: 140, first: 100, done: 3}, {start: 5, end: 140, first: 90, done: 2}},
	} {
		if got := later(workers); got != want {
			t.Errorf("later ones of %d ns, want %d", got, want)
		}
	}
	for ops, some := range map[int]bool{4: false, 5: true, 400: true} {
		for _, how := range []sampling{eachTimed, oneIn128} {
			trial, err := once(t, Func("nap", promise, func() error { time.Sleep(time.Microsecond); return nil }), 4, ops, how)
			if err != nil {
				t.Fatal(err)
			}
			if trial.LaterNS > 0 != some {
				t.Errorf("%d operations of 4 goroutines: later ones of %d ns", ops, trial.LaterNS)
			}
		}
	}
}

func TestTheShortestAreSampledSeldom(t *testing.T) {
	for took, want := range map[float64]sampling{1: oneIn1024, 49: oneIn1024, 50: oneIn128, 1199: oneIn128} {
		if got := short(took); got != want {
			t.Errorf("%v ns: one in %d at least, want %d", took, got+1, want+1)
		}
	}
}

func TestGapsAreRandomAndBounded(t *testing.T) {
	state, sum := uint64(1), 0
	seen := map[int]bool{}
	const draws, most = 100_000, int(oneIn128)
	for range draws {
		g := oneIn128.gap(&state)
		if g < 0 || g >= most {
			t.Fatalf("gap %d outside 0…%d", g, most-1)
		}
		seen[g] = true
		sum += g
	}
	if mean := float64(sum) / draws; mean < 62 || mean > 64 || len(seen) != most {
		t.Errorf("mean gap %.1f over %d lengths, want 63 over %d", mean, len(seen), most)
	}
}

var errPlanted = errors.New("planted")

// A failing operation ends the trial with its error; the other goroutines stop
// early, and nothing is recorded as done that was not.
func TestOperationFails(t *testing.T) {
	for _, how := range []sampling{eachTimed, oneIn128} {
		var done atomic.Int64
		v := Func("fails", promise, func() error {
			if done.Add(1) == 500 {
				return errPlanted
			}
			return nil
		})
		trial, err := once(t, v, 4, 1_000_000, how)
		if !errors.Is(err, errPlanted) {
			t.Errorf("error %v, want the operation's", err)
		}
		if trial.Failed != 1 || int64(trial.Ops) != done.Load()-1 {
			t.Errorf("%d done and %d failed, want %d and 1", trial.Ops, trial.Failed, done.Load()-1)
		}
	}
}

// An instance whose work did not have its effect voids the trial, and every
// way a trial can end closes the instance and removes its directory.
func TestEveryEndCleansUp(t *testing.T) {
	ok := func(int) Operation { return func() error { return nil } }
	for name, v := range map[string]struct {
		instance Instance
		want     error
	}{
		"fine":        {Instance{Worker: ok}, nil},
		"lost effect": {Instance{Worker: ok, Check: func(int) error { return errPlanted }}, errPlanted},
		"flush fails": {Instance{Worker: ok, Finish: func() error { return errPlanted }}, errPlanted},
		"op fails":    {Instance{Worker: func(int) Operation { return func() error { return errPlanted } }}, errPlanted},
		"close fails": {Instance{Worker: ok, Close: func() error { return errPlanted }}, errPlanted},
		"check counts": {Instance{Worker: ok, Check: func(ops int) error {
			if ops != 10 {
				return errPlanted
			}
			return nil
		}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var dir string
			closed := 0
			inner := v.instance.Close
			v.instance.Close = func() error {
				closed++
				if inner != nil {
					return inner()
				}
				return nil
			}
			_, err := once(t, Variant{Name: "v", Promise: promise, Open: func(s Setup) (Instance, error) {
				dir = s.Dir
				return v.instance, os.WriteFile(s.Dir+"/left", nil, 0o666)
			}}, 2, 10, eachTimed)
			if !errors.Is(err, v.want) {
				t.Errorf("error %v, want %v", err, v.want)
			}
			if closed != 1 {
				t.Errorf("closed %d times", closed)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("directory of the trial is left: %v", err)
			}
		})
	}
}

// Work that is finished later counts into the window, and acceptance is kept
// apart.
func TestFinishIsInsideTheWindow(t *testing.T) {
	const flush = 20 * time.Millisecond
	v := Variant{Name: "flush", Promise: promise, Open: func(Setup) (Instance, error) {
		return Instance{
			Worker: func(int) Operation { return func() error { return nil } },
			Finish: func() error { time.Sleep(flush); return nil },
		}, nil
	}}
	trial, err := once(t, v, 2, 10, eachTimed)
	if err != nil {
		t.Fatal(err)
	}
	if trial.WallNS-trial.AcceptedNS < flush.Nanoseconds() || trial.AcceptedNS <= 0 {
		t.Errorf("accepted after %d ns of a window of %d ns, with a flush of %v between", trial.AcceptedNS, trial.WallNS, flush)
	}
}

// The guard counts every acquisition, and is never busy longer than the time
// between its first and last.
func TestGuard(t *testing.T) {
	for _, how := range []sampling{eachTimed, oneIn128} {
		v := Variant{Name: "guarded", Promise: promise, Open: func(s Setup) (Instance, error) {
			lock := s.Guard(new(sync.Mutex))
			held := 0
			return Instance{Worker: func(int) Operation {
				return func() error {
					lock.Lock()
					defer lock.Unlock()
					held++
					if how == eachTimed {
						time.Sleep(100 * time.Microsecond)
					}
					return nil
				}
			}}, nil
		}}
		trial, err := once(t, v, 4, 200, how)
		if err != nil {
			t.Fatal(err)
		}
		g := trial.Guard
		if g == nil || g.Acquisitions != 200 {
			t.Fatalf("guard %+v, want 200 acquisitions", g)
		}
		if how == eachTimed && (float64(g.BusyNS) < 200*100e3 || float64(g.BusyNS) > float64(g.SpanNS) || g.SpanNS > trial.WallNS) {
			t.Errorf("busy %v ns within %d ns within %d ns, want at least 20 ms, each in the next", g.BusyNS, g.SpanNS, trial.WallNS)
		}
	}
}

// Where holds are sampled the first one stands for itself, and no hold has the clock's time.
func TestGuardOfSampledHolds(t *testing.T) {
	before := 0
	for clock, least := range map[int64]results.Number{0: 200e6, 1e9: 0} {
		slot := guardSlot{sampling: oneIn128, clock: clock, seed: 1}
		lock := slot.wrap(new(sync.Mutex))
		for range 1000 { // before the window
			lock.Lock()
			before++
			lock.Unlock()
		}
		slot.open.Store(true)
		for i := range 5000 {
			lock.Lock()
			if i == 0 {
				time.Sleep(200 * time.Millisecond)
			}
			lock.Unlock()
		}
		if g := slot.record(1e9); g == nil || g.BusyNS < least || g.BusyNS > least+3e9 || clock > 0 && g.BusyNS != 0 || g.Acquisitions != 5000 {
			t.Errorf("a clock of %d ns: %+v", clock, g)
		}
	}
	slot := guardSlot{sampling: oneIn128, seed: 1}
	lock := slot.wrap(new(sync.Mutex))
	slot.open.Store(true)
	held := 0
	for range 2 {
		lock.Lock()
		held++
		lock.Unlock()
	}
	if g := slot.record(1e9); g != nil && slot.guard.timed == 1 {
		t.Errorf("one of two was timed, the first: %+v", g)
	}
}

// A mean of N is goroutine time, counted from the barrier, by operations; where
// the goroutines were not at work together there is none.
func TestMeanNeedsAllGoroutinesAtWork(t *testing.T) {
	for _, c := range []struct {
		ends []int64
		want results.Number
	}{
		{[]int64{1000, 1000, 1000, 1000}, 40},
		{[]int64{1000, 950, 950, 900}, 38},
		{[]int64{1000, 400, 300, 200}, results.Missing()},
	} {
		w := window{cell: cell{goroutines: 4}, ops: 100}
		var workers []*worker
		for i, end := range c.ends {
			workers = append(workers, &worker{start: 100 + 10*int64(i), end: 100 + end, done: 25, deal: newDeal(100, 0, 4), hist: new(hist.Histogram)})
		}
		trial, err := w.collect(workers, nil, 100, 1100)
		if err != nil {
			t.Fatal(err)
		}
		if got := trial.Latency.MeanNS; got != c.want && (got.Known() || c.want.Known()) {
			t.Errorf("ends %v: mean %v, want %v", c.ends, got, c.want)
		}
	}
}

// The goroutines that an instance has besides the N are counted, whether opening it or
// preparing an operation starts them; nobody else's are, under a deadline as without.
func TestGoroutinesBesidesAreCounted(t *testing.T) {
	for _, c := range []struct{ opened, prepared, want int }{{0, 0, 0}, {2, 0, 2}, {1, 1, 4}} {
		stop := make(chan struct{})
		begin := func(n int) {
			for range n {
				go func() { <-stop }()
			}
		}
		v := Variant{Name: "helped", Promise: promise, Open: func(Setup) (Instance, error) {
			begin(c.opened)
			return Instance{
				Worker: func(int) Operation { begin(c.prepared); return func() error { return nil } },
				Close:  func() error { close(stop); return nil },
			}, nil
		}}
		w := window{cell: cell{experiment: "test", variant: v, goroutines: 3}, ops: 300, root: t.TempDir(), deadline: time.Minute}
		trial, err := w.measure(t.Context())
		if err != nil || trial.Besides != c.want {
			t.Errorf("%d besides, error %v, want %d", trial.Besides, err, c.want)
		}
	}
}
