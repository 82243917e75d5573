package parallel

import (
	"flag"
	"maps"
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// benchmark runs f for exactly n operations.
func benchmark(t *testing.T, n string, f func(b *testing.B)) testing.BenchmarkResult {
	t.Helper()
	old := flag.Lookup("test.benchtime").Value.String()
	if err := flag.Set("test.benchtime", n); err != nil {
		t.Fatal(err)
	}
	defer flag.Set("test.benchtime", old)
	return testing.Benchmark(f)
}

// Each operation is dealt out once, whatever the numbers, and Next stays false.
func TestEveryOperationOnce(t *testing.T) {
	for _, goroutines := range []int{1, 2, 7, 300} {
		for _, n := range []string{"1x", "2x", "299x", "100000x"} {
			var done atomic.Int64
			r := benchmark(t, n, func(b *testing.B) {
				done.Store(0)
				Run(b, goroutines, func(pb *PB) {
					for pb.Next() {
						done.Add(1)
					}
					if pb.Next() {
						t.Error("Next after the end")
					}
				})
			})
			if int(done.Load()) != r.N || r.N < 1 {
				t.Errorf("%d goroutines, %s: %d operations, want %d", goroutines, n, done.Load(), r.N)
			}
			if got := r.Extra["goroutines"]; got != float64(goroutines) {
				t.Errorf("%v goroutines, want %d", got, goroutines)
			}
		}
	}
}

func TestMetrics(t *testing.T) {
	const nap = time.Millisecond
	r := benchmark(t, "2000x", func(b *testing.B) {
		time.Sleep(20 * nap) // no part of it
		b.ResetTimer()
		Run(b, 40, func(pb *PB) {
			for pb.Next() {
				time.Sleep(nap)
			}
		})
	})
	x := r.Extra
	for _, unit := range []string{"ns/op", "wall-ns/op", "ops/s", "p50-ns", "p99-ns", "goroutines", "slowest-share", "fastest-share"} {
		if _, ok := x[unit]; !ok {
			t.Errorf("no %s", unit)
		}
	}
	if x["ns/op"] < 1e6 || x["p50-ns"] < 0.99e6 || x["p99-ns"] < x["p50-ns"] {
		t.Errorf("%v ns/op, p50 %v, p99 %v of a sleep of %v", x["ns/op"], x["p50-ns"], x["p99-ns"], nap)
	}
	if wall := float64(r.T.Nanoseconds()) / float64(r.N); math.Abs(x["wall-ns/op"]-wall) > wall/100 {
		t.Errorf("%v wall-ns/op, the timer says %v", x["wall-ns/op"], wall)
	}
	if x["ns/op"] > 40*x["wall-ns/op"] {
		t.Errorf("%v ns/op of 40 goroutines in %v wall-ns/op", x["ns/op"], x["wall-ns/op"])
	}
	if got := x["ops/s"] * x["wall-ns/op"] / 1e9; math.Abs(got-1) > 1e-6 {
		t.Errorf("%v ops/s at %v wall-ns/op", x["ops/s"], x["wall-ns/op"])
	}
}

// Timed work before Run is in none of its figures: it is told how much that was.
func TestWorkBeforeIsTold(t *testing.T) {
	const nap = 5 * time.Millisecond
	r := benchmark(t, "10x", func(b *testing.B) {
		time.Sleep(nap)
		Run(b, 1, func(pb *PB) {
			for pb.Next() {
			}
		})
	})
	if share := r.Extra["outside-share"]; share*float64(r.T) < 0.99*float64(nap) || share > 1 {
		t.Errorf("%v of %v lay before, which slept %v", share, r.T, nap)
	}
}

func TestDefaultIsGOMAXPROCS(t *testing.T) {
	r := benchmark(t, "10x", func(b *testing.B) {
		Run(b, 0, func(pb *PB) {
			for pb.Next() {
			}
		})
	})
	if got := r.Extra["goroutines"]; got != float64(runtime.GOMAXPROCS(0)) {
		t.Errorf("%v goroutines", got)
	}
}

// A body that leaves operations over has measured something else.
func TestEarlyReturnFails(t *testing.T) {
	r := benchmark(t, "10x", func(b *testing.B) { Run(b, 2, func(*PB) {}) })
	if r.N != 0 {
		t.Errorf("a result of %d operations", r.N)
	}
}

// So has one that leaves operations over that it was dealt.
func TestLeftOverFails(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		r := benchmark(t, "100x", func(b *testing.B) {
			Run(b, 1, func(pb *PB) {
				pb.grain = 64
				for n := 1; pb.Next(); n++ {
					if leaves && n == 65 { // all are dealt
						return
					}
				}
			})
		})
		if failed := r.N == 0; failed != leaves {
			t.Errorf("leaves early: %v, failed: %v", leaves, failed)
		}
	}
}

// So has one that ends its goroutine within an operation, and none that does so behind the last one.
func TestGoexitInTheBodyFails(t *testing.T) {
	for _, within := range []bool{false, true} {
		r := benchmark(t, "100x", func(b *testing.B) {
			var begun atomic.Int64
			Run(b, 2, func(pb *PB) {
				for pb.Next() {
					if within && begun.Add(1) == int64(b.N) {
						runtime.Goexit()
					}
				}
				runtime.Goexit()
			})
		})
		if failed := r.N == 0; failed != within {
			t.Errorf("within an operation: %v, failed: %v", within, failed)
		}
	}
}

// One whose body skips is skipped, as with RunParallel.
func TestSkipInTheBodySkips(t *testing.T) {
	failed := true
	r := benchmark(t, "10x", func(b *testing.B) {
		defer func() { failed = b.Failed() }()
		Run(b, 2, func(pb *PB) {
			for pb.Next() {
				b.SkipNow()
			}
		})
	})
	if failed || r.N != 0 {
		t.Errorf("failed: %v, a result of %d operations", failed, r.N)
	}
}

// The body must leave the timer alone: what it takes off is in Run's own figures. A stop that is
// next to none is not seen.
func TestTimerInTheBodyFails(t *testing.T) {
	const nap = 20 * time.Millisecond
	for name, c := range map[string]struct {
		toggle func(b *testing.B)
		fails  bool
	}{
		"nothing":             {func(*testing.B) {}, false},
		"ResetTimer":          {(*testing.B).ResetTimer, true},
		"StopTimer":           {(*testing.B).StopTimer, true},
		"StopTimer for a nap": {func(b *testing.B) { b.StopTimer(); time.Sleep(nap); b.StartTimer() }, true},
	} {
		r := benchmark(t, "2x", func(b *testing.B) {
			Run(b, 1, func(pb *PB) {
				for n := 0; pb.Next(); n++ {
					time.Sleep(nap)
					c.toggle(b)
				}
			})
		})
		if failed := r.N == 0; failed != c.fails {
			t.Errorf("%s: failed: %v", name, failed)
		}
	}
}

// The timer is another clock than Run's: it may be behind it, and is never negative.
func TestTouched(t *testing.T) {
	for _, c := range []struct {
		wall, took time.Duration
		want       bool
	}{
		{time.Second, time.Second, false},
		{989 * time.Millisecond, time.Second, false},
		{988 * time.Millisecond, time.Second, true},
		{0, time.Millisecond, false},
		{-1, 0, true},
	} {
		if got := touched(c.wall, c.took, 100); got != c.want {
			t.Errorf("%v of %v: touched %v", c.wall, c.took, got)
		}
	}
}

// b.N is 0 within b.Loop, and nowhere else: Run would do nothing there.
func TestWithinLoopFails(t *testing.T) {
	within := benchmark(t, "5x", func(b *testing.B) {
		for b.Loop() {
			Run(b, 1, func(pb *PB) {
				for pb.Next() {
				}
			})
		}
	})
	if within.N != 0 {
		t.Errorf("a result of %d operations that did not run", within.N)
	}
	ns := map[string]int{}
	benchmark(t, "5x", func(b *testing.B) {
		ns["before"] = b.N
		for b.Loop() {
			ns["within"] = b.N
		}
		ns["behind"] = b.N
		b.Cleanup(func() { ns["cleanup"] = b.N })
		b.Run("sub", func(b *testing.B) { ns["sub"] = b.N })
	})
	if want := map[string]int{"before": 1, "within": 0, "behind": 5, "cleanup": 5, "sub": 5}; !maps.Equal(ns, want) {
		t.Errorf("b.N: %v, want %v", ns, want)
	}
}
