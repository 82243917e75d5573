//go:build unix

package traced

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/syncwrite/syncwrite/internal/cause/stack"
	"github.com/syncwrite/syncwrite/results"
)

// trace runs an operation of each of n goroutines a number of times, and reads where their
// time went.
func traceOf(t *testing.T, n, times int, op func(g int)) *Breakdown {
	t.Helper()
	var to bytes.Buffer
	recording, err := Record(&to, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for g := range n {
		all.Go(func() {
			defer Begin()()
			for range times {
				op(g)
			}
		})
	}
	all.Wait()
	if cut, err := recording.Stop(); cut || err != nil {
		t.Fatal(cut, err)
	}
	b, err := Read(&to)
	if err != nil {
		t.Fatal(err)
	}
	if b.Goroutines != n || b.Cut {
		t.Errorf("%d goroutines took part of %d, cut %v", b.Goroutines, n, b.Cut)
	}
	sum := time.Duration(0)
	for _, p := range b.Parts {
		sum += p.Time
	}
	if sum != b.Time || b.Share(stack.Unknown) > 0.02 {
		t.Errorf("parts sum up to %v of %v, %.1f %% unexplained", sum, b.Time, 100*b.Share(stack.Unknown))
	}
	return b
}

func (b *Breakdown) top(t *testing.T, want stack.Kind) Part {
	t.Helper()
	if len(b.Parts) == 0 || b.Parts[0].Kind != want {
		t.Fatalf("%+v, want most of the time %s", b.Parts, want)
	}
	return b.Parts[0]
}

// line is where a marker stands in this file.
func line(t *testing.T, marker string) int {
	t.Helper()
	text, err := os.ReadFile("planted_test.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), "// "+marker+"\n")
	if !found {
		t.Fatalf("no line is marked %s", marker)
	}
	return strings.Count(before, "\n") + 1
}

func at(t *testing.T, p stack.Place, marker string) {
	t.Helper()
	if want := line(t, marker); filepath.Base(p.File) != "planted_test.go" || p.Line != want {
		t.Errorf("place %v, want line %d", p, want)
	}
}

// Three of four wait for the lock that the fourth sleeps under. The places are those of the
// one's Lock, Unlock and Sleep.
func TestSleepUnderALock(t *testing.T) {
	var mu sync.Mutex
	b := traceOf(t, 4, 25, func(int) {
		mu.Lock()                        // locks
		time.Sleep(2 * time.Millisecond) // sleeps
		mu.Unlock()                      // unlocks
	})
	lock := b.top(t, stack.Lock)
	if share := b.Share(stack.Lock); share < 0.6 || share > 0.8 {
		t.Errorf("%.3f of the time at the lock, want about 3 of 4", share)
	}
	place := lock.Places[0]
	at(t, place.Place, "locks")
	if place.Call != "sync.(*Mutex).Lock" || len(place.Woken) == 0 {
		t.Fatalf("%+v", place)
	}
	at(t, place.Woken[0].Place, "unlocks")
	doing := place.Woken[0].Doing[0]
	at(t, doing.Place, "sleeps")
	if doing.Kind != stack.Sleep {
		t.Errorf("who unlocked had been %s", doing.Kind)
	}
}

// One lock at several lines, taken in turn and given back in every way: who ends a wait at the one had
// waited at another, and slept since then.
func TestOneLockAtSeveralLines(t *testing.T) {
	var mu sync.Mutex
	leave := func() { mu.Unlock() }
	const hold = 2 * time.Millisecond
	plain := func() {
		mu.Lock()
		time.Sleep(hold)
		mu.Unlock()
	}
	same := func() {
		mu.Lock()
		time.Sleep(hold)
		mu.Unlock()
	}
	third := func() {
		mu.Lock()
		time.Sleep(hold)
		mu.Unlock()
	}
	deferred := func() {
		mu.Lock()
		defer func() { mu.Unlock() }()
		time.Sleep(hold)
	}
	likewise := func() {
		mu.Lock()
		defer func() { mu.Unlock() }()
		time.Sleep(hold)
	}
	helped := func() {
		mu.Lock()
		time.Sleep(hold)
		leave()
	}
	branches := func(g int) func() {
		return func() {
			if g%2 == 0 {
				mu.Lock()
				time.Sleep(hold)
				mu.Unlock()
				return
			}
			mu.Lock()
			time.Sleep(hold)
			mu.Unlock()
		}
	}
	for name, ops := range map[string][]func(){
		"two": {plain, same}, "three": {plain, same, third}, "deferred": {deferred, likewise}, "helped": {plain, helped},
		"helped of three": {plain, same, helped}, "deferred of three": {deferred, likewise, helped}, "branches": {branches(0), branches(1)},
	} {
		for _, n := range []int{3, 4, 8} {
			b := traceOf(t, n, 12, func(g int) { ops[g%len(ops)]() })
			for _, place := range b.top(t, stack.Lock).Places {
				if kind := place.Woken[0].Doing[0].Kind; kind != stack.Sleep {
					t.Errorf("%s, %d goroutines: who ended waits at %v had been %s", name, n, place.Place, kind)
				}
			}
		}
	}
}

// Who holds one lock and waits for another, which a stranger holds, is told to wait for that.
func TestHolderWaitsForAnotherLock(t *testing.T) {
	var outer, inner sync.Mutex
	stop := make(chan struct{})
	var stranger sync.WaitGroup
	stranger.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				inner.Lock()
				time.Sleep(2 * time.Millisecond)
				inner.Unlock()
			}
		}
	})
	held := 0
	b := traceOf(t, 4, 12, func(int) {
		outer.Lock() // outer
		inner.Lock()
		held++
		inner.Unlock()
		outer.Unlock()
	})
	close(stop)
	stranger.Wait()
	for _, place := range b.top(t, stack.Lock).Places {
		if place.Place.Line == line(t, "outer") {
			if kind := place.Woken[0].Doing[0].Kind; kind != stack.Lock {
				t.Errorf("who ended waits at %v had been %s", place.Place, kind)
			}
			return
		}
	}
	t.Error("no wait for the outer lock")
}

func TestReadersBehindASlowWriter(t *testing.T) {
	var mu sync.RWMutex
	written, held := 0, make(chan bool)
	b := traceOf(t, 4, 20, func(g int) {
		if g == 0 {
			mu.Lock()
			if written++; written == 1 {
				close(held)
			}
			time.Sleep(2 * time.Millisecond)
			mu.Unlock()
			return
		}
		<-held     // else readers can be done before the writer comes
		mu.RLock() // reads
		seen := written
		mu.RUnlock()
		time.Sleep(time.Duration(1+seen%2) * time.Microsecond)
	})
	for _, p := range b.Parts {
		if p.Kind == stack.Lock {
			at(t, p.Places[0].Place, "reads")
			return
		}
	}
	t.Errorf("%+v, want a lock", b.Parts)
}

func TestSlowProducer(t *testing.T) {
	hand := make(chan int)
	done := make(chan bool)
	go func() {
		for range 100 {
			time.Sleep(time.Millisecond)
			hand <- 1 // sends
		}
		close(done)
	}()
	b := traceOf(t, 4, 25, func(int) { <-hand }) // receives
	<-done
	channel := b.top(t, stack.Channel)
	at(t, channel.Places[0].Place, "receives")
	at(t, channel.Places[0].Woken[0].Place, "sends")
	if doing := channel.Places[0].Woken[0].Doing[0]; doing.Kind != stack.Sleep {
		t.Errorf("who sent had been %s", doing.Kind)
	}
}

func TestSelect(t *testing.T) {
	a, b := make(chan int), make(chan int)
	go func() {
		for range 50 {
			time.Sleep(time.Millisecond)
			a <- 1
		}
	}()
	traceOf(t, 2, 25, func(int) {
		select {
		case <-a:
		case <-b:
		}
	}).top(t, stack.Channel)
}

func TestConditionAndWaitGroup(t *testing.T) {
	var mu sync.Mutex
	cond, turn := sync.NewCond(&mu), 0
	b := traceOf(t, 4, 20, func(g int) {
		mu.Lock()
		for turn%4 != g {
			cond.Wait() // waits
		}
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		turn++
		mu.Unlock()
		cond.Broadcast() // wakes
	})
	place := b.top(t, stack.Condition).Places[0]
	at(t, place.Place, "waits")
	at(t, place.Woken[0].Place, "wakes")
	traceOf(t, 2, 10, func(int) {
		var group sync.WaitGroup
		group.Go(func() { time.Sleep(2 * time.Millisecond) })
		group.Wait()
	}).top(t, stack.Condition)
}

func TestAsleep(t *testing.T) {
	b := traceOf(t, 3, 30, func(int) { time.Sleep(2 * time.Millisecond) }) // sleeps on
	at(t, b.top(t, stack.Sleep).Places[0].Place, "sleeps on")
}

func TestFlushUnderALock(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var mu sync.Mutex
	b := traceOf(t, 4, 10, func(int) {
		mu.Lock()
		for range 8 { // of which one alone can take less time than it takes to have a processor
			file.WriteString("foo")
			file.Sync() // flushes
		}
		mu.Unlock()
	})
	if b.Share(stack.Flush) < 0.1 {
		t.Skip("flushes take no time here")
	}
	doing := b.top(t, stack.Lock).Places[0].Woken[0].Doing[0]
	if at(t, doing.Place, "flushes"); doing.Kind != stack.Flush || doing.Call != "os.(*File).Sync" {
		t.Errorf("who unlocked had been %s in %s", doing.Kind, doing.Call)
	}
}

// A flush is one by whatever way it is called.
func TestFlushOfAnotherPackage(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	b := traceOf(t, 1, 20, func(int) {
		file.WriteString("foo")
		unix.Fsync(int(file.Fd())) // flushes elsewhere
	})
	if b.Share(stack.Flush) == 0 {
		t.Fatalf("%+v, want flushes", b.Parts)
	}
	for _, p := range b.Parts {
		if p.Kind == stack.Flush {
			at(t, p.Places[0].Place, "flushes elsewhere")
		}
	}
}

// A pipe that nobody empties blocks its writer; others wait for the lock that the file has.
func TestLockInsideAFile(t *testing.T) {
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for b := make([]byte, 1<<10); err == nil; _, err = out.Read(b) {
			time.Sleep(20 * time.Microsecond)
		}
	}()
	data := make([]byte, 64<<10)
	b := traceOf(t, 4, 5, func(int) { in.Write(data) }) // writes
	in.Close()
	place := b.top(t, stack.Lock).Places[0]
	if at(t, place.Place, "writes"); place.Call != results.FileLock {
		t.Errorf("waited in %s", place.Call)
	}
}

func TestNetwork(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				for b := make([]byte, 1); ; c.Write(b) {
					if _, err := io.ReadFull(c, b); err != nil {
						return
					}
					time.Sleep(time.Millisecond)
				}
			}()
		}
	}()
	var connections [2]net.Conn
	for i := range connections {
		if connections[i], err = net.Dial("tcp", listener.Addr().String()); err != nil {
			t.Fatal(err)
		}
		defer connections[i].Close()
	}
	b := traceOf(t, 2, 20, func(g int) {
		one := []byte{1}
		connections[g].Write(one)
		connections[g].Read(one) // reads from the network
	})
	at(t, b.top(t, stack.Network).Places[0].Place, "reads from the network")
}

// What spins is on a processor, or waits for one: a trace knows no more.
func TestSpin(t *testing.T) {
	b := traceOf(t, 8, 10, func(int) {
		for start := time.Now(); time.Since(start) < 2*time.Millisecond; {
		}
	})
	if share := b.Share(stack.Running) + b.Share(stack.Runnable); share < 0.95 {
		t.Errorf("%+v", b.Parts)
	}
}

// Who has to wait for a processor before it can begin has waited, and no less: on one
// processor half of the time of two that each compute at one go is waited.
func TestWaitBeforeTheBeginning(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b := traceOf(t, 2, 1, func(int) {
		for start := time.Now(); time.Since(start) < 5*time.Millisecond; {
		}
	})
	if b.Share(stack.Runnable) == 0 {
		t.Errorf("nobody waited: %+v", b.Parts)
	}
}
