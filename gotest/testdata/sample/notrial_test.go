//go:build notrial

package sample

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Two calls of RunParallel that wait for each other.
func BenchmarkOverlap(b *testing.B) {
	c := make(chan int)
	var sending sync.WaitGroup
	sending.Add(1)
	go func() {
		defer sending.Done()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				c <- 1
			}
			if pb.Next() {
				b.Error("Next after the end")
			}
		})
	}()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			<-c
		}
	})
	sending.Wait()
}

// The timer is off while the operations pass.
func BenchmarkStopsAmid(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		b.StopTimer()
		body(pb)
		b.StartTimer()
	})
}

// The timer is off while the first operations pass.
func BenchmarkStartsAmid(b *testing.B) {
	b.StopTimer()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if i == 5 {
				b.StartTimer()
			}
			time.Sleep(nap)
		}
	})
}

// Nor does all of an operation count during which another goroutine stops the timer.
func BenchmarkStopsAside(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			time.Sleep(nap)
			b.StopTimer()
			b.StartTimer()
		}
	})
}

// A goroutine that has done its operations stops the timer while another has some.
func BenchmarkStopsEarly(b *testing.B) {
	var first atomic.Bool
	b.RunParallel(func(pb *testing.PB) {
		slow := first.CompareAndSwap(false, true)
		for pb.Next() {
			time.Sleep(nap)
			if slow {
				time.Sleep(100 * nap)
			}
		}
		b.StopTimer()
	})
}

// No operation has begun while the timer is off: not before it starts,
func BenchmarkStartsFirst(b *testing.B) {
	var mu sync.Mutex
	b.StopTimer()
	b.RunParallel(func(pb *testing.PB) {
		time.Sleep(20 * nap)
		mu.Lock()
		b.StartTimer()
		mu.Unlock()
		body(pb)
	})
}

// not while all prepare,
func BenchmarkPrepares(b *testing.B) {
	var mu sync.Mutex
	var all sync.WaitGroup
	all.Add(runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		mu.Lock()
		b.StopTimer()
		mu.Unlock()
		time.Sleep(20 * nap)
		all.Done()
		all.Wait()
		mu.Lock()
		b.StartTimer()
		mu.Unlock()
		body(pb)
	})
}

// and not where the only goroutine pauses.
func BenchmarkPauses(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			b.StopTimer()
			time.Sleep(20 * nap)
			b.StartTimer()
			time.Sleep(nap)
		}
	})
}

// One goroutine resets the timer when the other has done most operations,
func BenchmarkResetsLate(b *testing.B) {
	var first atomic.Bool
	b.RunParallel(func(pb *testing.PB) {
		if !first.CompareAndSwap(false, true) {
			time.Sleep(30 * nap)
		}
		b.ResetTimer()
		body(pb)
	})
}

// when it has done all of them,
func BenchmarkResetsLast(b *testing.B) {
	var first atomic.Bool
	b.RunParallel(func(pb *testing.PB) {
		if first.CompareAndSwap(false, true) {
			body(pb)
		}
		time.Sleep(200 * nap)
		b.ResetTimer()
		body(pb)
	})
}

// or when both have done a few.
func BenchmarkResetsAmid(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if i == 5 {
				b.ResetTimer()
			}
			time.Sleep(nap)
		}
	})
}

// A hundred operations that pass before the other goroutine begins are few among many.
func BenchmarkResetsSoon(b *testing.B) {
	var first atomic.Bool
	begun := make(chan bool)
	b.RunParallel(func(pb *testing.PB) {
		if first.CompareAndSwap(false, true) {
			for i := 0; i <= 100 && pb.Next(); i++ {
				if i == 100 {
					<-begun
				}
			}
		} else {
			b.ResetTimer()
			close(begun)
		}
		for pb.Next() {
		}
	})
}

// A reset within the second call takes the first one off.
func BenchmarkSecondCall(b *testing.B) {
	b.RunParallel(body)
	var all sync.WaitGroup
	all.Add(runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		b.ResetTimer()
		all.Done()
		all.Wait()
		body(pb)
	})
}

func BenchmarkNested(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		body(pb)
		b.RunParallel(body)
	})
}

// Each goroutine's first operation is done when the timer is reset; none has begun another.
func BenchmarkResetsWarm(b *testing.B) {
	var all sync.WaitGroup
	var once sync.Once
	all.Add(runtime.GOMAXPROCS(0))
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; i < 1 && pb.Next(); i++ {
			time.Sleep(nap)
		}
		all.Done()
		all.Wait()
		once.Do(b.ResetTimer)
		body(pb)
	})
}

// Who has an operation while the timer is off returns behind it, and asks for no other.
func BenchmarkStopsForOne(b *testing.B) {
	b.SetParallelism(b.N) // one operation each, and some have none
	var has, done sync.WaitGroup
	var first atomic.Bool
	has.Add(b.N)
	done.Add(b.N)
	b.RunParallel(func(pb *testing.PB) {
		if !pb.Next() {
			return
		}
		has.Done()
		has.Wait()
		stops := first.CompareAndSwap(false, true)
		if stops {
			b.StopTimer()
		}
		time.Sleep(nap)
		done.Done()
		done.Wait()
		if stops {
			b.StartTimer()
			time.Sleep(nap)
		}
	})
}

// BenchmarkSkipsInside skips within its last operation, in a goroutine of RunParallel: go test has a result nevertheless.
func BenchmarkSkipsInside(b *testing.B) {
	var begun atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if n := begun.Add(1); n > 1 && n == int64(b.N) {
				b.SkipNow()
			}
			time.Sleep(nap)
		}
	})
}

// BenchmarkExitsInside ends one goroutine within an operation.
func BenchmarkExitsInside(b *testing.B) {
	var once atomic.Bool
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if b.N > 1 && once.CompareAndSwap(false, true) {
				runtime.Goexit()
			}
			time.Sleep(nap)
		}
	})
}

// BenchmarkExitsBehind does so behind its last one.
func BenchmarkExitsBehind(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			time.Sleep(nap)
		}
		runtime.Goexit()
	})
}

// BenchmarkExitsBefore leaves operations over in a call of which the timer is reset.
func BenchmarkExitsBefore(b *testing.B) {
	BenchmarkExitsInside(b)
	b.ResetTimer()
	b.RunParallel(body)
}

// Who has been dealt all operations leaves behind the first. Of a run that took next to no time the
// next one deals so many at once.
func BenchmarkLeavesEarly(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if b.N > 1 {
				return
			}
		}
	})
	if b.N == 1 {
		b.StopTimer()
		b.ResetTimer()
		b.StartTimer()
	}
}

// All is thrown away,
func BenchmarkResetsBehind(b *testing.B) {
	b.RunParallel(body)
	b.ResetTimer()
}

// or was setup for something serial, which looks alike.
func BenchmarkResetsBetween(b *testing.B) {
	b.RunParallel(body)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		time.Sleep(nap)
	}
}

// Where the timer was off, nothing is thrown away.
func BenchmarkResetsBehindSetup(b *testing.B) {
	b.StopTimer()
	b.RunParallel(body)
	b.StartTimer()
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		time.Sleep(nap)
	}
}

// What an earlier call did to the timer is gone with the reset within the second one.
func BenchmarkSecondCallAnew(b *testing.B) {
	var stop, reset sync.Once
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			stop.Do(b.StopTimer)
			time.Sleep(nap)
		}
	})
	b.StartTimer()
	b.RunParallel(func(pb *testing.PB) {
		reset.Do(b.ResetTimer)
		body(pb)
	})
}

// BenchmarkWorksFirst does timed work before RunParallel, as BenchmarkDrain does behind it.
func BenchmarkWorksFirst(b *testing.B) {
	for i := 0; i < b.N; i++ {
		time.Sleep(nap)
	}
	b.RunParallel(body)
}
