package profiled

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
)

// take runs an operation of each of n goroutines a number of times, and returns what profiles
// have of them, and how long they all took together.
func take(t *testing.T, n, times int, op func(g int)) (*Samples, time.Duration) {
	t.Helper()
	r, err := Record()
	if err != nil {
		t.Skip(err) // whoever tests with -cpuprofile
	}
	var all sync.WaitGroup
	start := time.Now()
	for g := range n {
		all.Go(func() { member(g, times, op) })
	}
	all.Wait()
	took := time.Duration(n) * time.Since(start)
	s, err := r.Stop(runtime.FuncForPC(reflect.ValueOf(member).Pointer()).Name())
	if err != nil {
		t.Fatal(err)
	}
	return s, took
}

//go:noinline
func member(g, times int, op func(int)) {
	for range times {
		op(g)
	}
}

// line is where a marker stands in this file.
func line(t *testing.T, marker string) int {
	t.Helper()
	text, err := os.ReadFile("planted_test.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := bytes.Cut(text, []byte("// "+marker+"\n"))
	if !found {
		t.Fatalf("no line is marked %s", marker)
	}
	return bytes.Count(before, []byte("\n")) + 1
}

func at(t *testing.T, p stack.Place, marker string) {
	t.Helper()
	if want := line(t, marker); filepath.Base(p.File) != "planted_test.go" || p.Line != want {
		t.Errorf("place %v, want line %d", p, want)
	}
}

// top is the largest wait, which is of a kind and has about a share of the time.
func (s *Samples) top(t *testing.T, kind stack.Kind, share float64, of time.Duration) Loss {
	t.Helper()
	if len(s.Blocked) == 0 || s.Blocked[0].Kind != kind {
		t.Fatalf("%+v, want %s", s.Blocked, kind)
	}
	if got := float64(s.Blocked[0].Time) / float64(of); got < share-.3 || got > share+.3 {
		t.Errorf("%.2f of the time %s, want %.2f", got, kind, share)
	}
	return s.Blocked[0]
}

// Others wait at the same time, again and again and for longer: they are none of the named
// function's.
func TestLockUnderWhichOneSleeps(t *testing.T) {
	var mu sync.Mutex
	stop, others := make(chan bool), sync.WaitGroup{}
	for range 8 {
		others.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(5 * time.Millisecond):
				}
			}
		})
	}
	s, of := take(t, 4, 200, func(int) { // of 800 unlocks one in 50 is recorded
		mu.Lock() // locks
		time.Sleep(100 * time.Microsecond)
		mu.Unlock() // unlocks
	})
	close(stop)
	others.Wait()
	at(t, s.top(t, stack.Lock, .75, of).Place, "locks")
	if len(s.Unlocked) == 0 {
		t.Fatal("nobody unlocked")
	}
	at(t, s.Unlocked[0].Place, "unlocks")
}

func TestChannelAndCondition(t *testing.T) {
	hand := make(chan int)
	var producer sync.WaitGroup
	producer.Go(func() {
		for range 100 {
			time.Sleep(time.Millisecond)
			hand <- 1
		}
	})
	s, of := take(t, 4, 25, func(int) { <-hand }) // receives
	producer.Wait()
	at(t, s.top(t, stack.Channel, 1, of).Place, "receives")

	var mu sync.Mutex
	cond, turn := sync.NewCond(&mu), 0
	s, of = take(t, 4, 20, func(g int) {
		mu.Lock()
		for turn%4 != g {
			cond.Wait() // waits
		}
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		turn++
		mu.Unlock()
		cond.Broadcast()
	})
	at(t, s.top(t, stack.Condition, .75, of).Place, "waits")
}

// Time on processors is told by the line, and of all goroutines, too.
func TestOnAProcessor(t *testing.T) {
	x := uint64(1)
	s, _ := take(t, 1, 1, func(int) {
		for start := time.Now(); time.Since(start) < time.Second; {
			for range 1000 {
				x = x*6364136223846793005 + 1442695040888963407
			}
		}
	})
	if len(s.Ran) == 0 || s.Ran[0].Kind != stack.Running || s.All < s.Ran[0].Time {
		t.Fatalf("%+v of %v", s.Ran, s.All)
	}
}

// Who profiles the processors already goes on; nothing else is left changed.
func TestProfiledAlready(t *testing.T) {
	var to bytes.Buffer
	if err := pprof.StartCPUProfile(&to); err != nil {
		t.Skip(err)
	}
	defer pprof.StopCPUProfile()
	before := runtime.SetMutexProfileFraction(-1)
	if _, err := Record(); err == nil {
		t.Error("it is profiled twice")
	}
	if after := runtime.SetMutexProfileFraction(-1); after != before {
		t.Errorf("the fraction of mutexes is %d, and was %d", after, before)
	}
}

// What goroutines besides do with locks of theirs is none of the named function's, and those that
// begin meanwhile are counted.
func TestOthersLocksAndGoroutines(t *testing.T) {
	var theirs sync.Mutex
	var others sync.WaitGroup
	r, err := Record()
	if err != nil {
		t.Skip(err)
	}
	before := Created()
	for range 5 {
		others.Go(func() {
			for range 20_000 {
				theirs.Lock()
				runtime.Gosched()
				theirs.Unlock()
			}
		})
	}
	others.Wait()
	s, err := r.Stop(runtime.FuncForPC(reflect.ValueOf(member).Pointer()).Name())
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Unlocked) > 0 || s.UnlockedAll == 0 || unlocking(s) != "" {
		t.Errorf("%+v of %v", s.Unlocked, s.UnlockedAll)
	}
	if begun := Begun(before, Created()); begun < 5 || begun > 8 {
		t.Errorf("%v goroutines began", float64(begun))
	}
}
