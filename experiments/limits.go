package experiments

// What can this machine do at all?

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/syncwrite/syncwrite/harness"
	"github.com/syncwrite/syncwrite/results"
)

// Limits measures the primitives that everything else is made of, alone and
// with two goroutines. What an experiment reaches can be read against them.
func Limits() harness.Experiment {
	shared := results.Promise{Order: "total", Result: "linearizable", Survives: "nothing"}
	apart := results.Promise{Order: "none", Result: "independent", Survives: "nothing"}
	cached, durable := apart, apart
	cached.Survives, durable.Survives = "process-crash", "power-cut"
	return harness.Experiment{
		Name: "limits", Question: "What can this machine do at all?",
		Apart:      true,
		Goroutines: []int{1, 2}, Window: 90 * time.Millisecond,
		Variants: []harness.Variant{
			{Name: "clock", About: "time.Now", Promise: apart, Open: each(readClock)},
			{Name: "atomic-add", About: "one counter for all: contended from N = 2", Promise: shared, Open: openAtomic},
			{Name: "mutex", About: "one mutex for all: contended from N = 2", Promise: shared, Open: openMutex},
			{Name: "channel", About: "round trip over two unbuffered channels", Promise: apart, Open: openRoundTrip},
			{Name: "switch", About: "runtime.Gosched: a pass through the scheduler", Promise: apart, Open: each(func() error { runtime.Gosched(); return nil })},
			{Name: "wake-up", About: "a send that wakes a parked receiver", Promise: apart, Open: openWakeUp},
			{Name: "memcpy", About: "a copy of 64 KiB", Promise: apart, Open: openCopy},
			{Name: "write", About: "one write(2) of 16 B at the end of a file of one's own", Promise: cached, Open: openWrites},
			{Name: "fdatasync-growing", About: "16 B written at the end of a file, then fdatasync", Promise: durable, Open: openSyncs(false)},
			{Name: "fdatasync-prepared", About: "16 B written into a zero-filled file, then fdatasync", Promise: durable, Open: openSyncs(true)},
			{Name: "loopback", About: "16 B to a TCP server of this process and back", Promise: apart, Open: openLoopback},
		},
	}
}

// each is an instance whose goroutines share nothing but the operation.
func each(op harness.Operation) func(harness.Setup) (harness.Instance, error) {
	return func(harness.Setup) (harness.Instance, error) {
		return harness.Instance{Worker: func(int) harness.Operation { return op }}, nil
	}
}

var errNoTime = errors.New("the clock stands at zero")

func readClock() error {
	if time.Now().IsZero() {
		return errNoTime
	}
	return nil
}

func openAtomic(s harness.Setup) (harness.Instance, error) {
	counter := new(atomic.Int64)
	return each(func() error { counter.Add(1); return nil })(s)
}

func openMutex(s harness.Setup) (harness.Instance, error) {
	mu := new(sync.Mutex)
	held := 0
	return each(func() error { mu.Lock(); held++; mu.Unlock(); return nil })(s)
}

func openCopy(harness.Setup) (harness.Instance, error) {
	const size = 64 << 10
	return harness.Instance{Worker: func(int) harness.Operation {
		from, to := make([]byte, size), make([]byte, size)
		return func() error { copy(to, from); return nil }
	}}, nil
}

// helpers are the goroutines that an instance starts beside those that are
// measured. Close ends them and waits.
type helpers struct {
	done   chan struct{}
	ending sync.WaitGroup
}

func newHelpers() *helpers { return &helpers{done: make(chan struct{})} }

func (h *helpers) Close() error {
	close(h.done)
	h.ending.Wait()
	return nil
}

func openRoundTrip(harness.Setup) (harness.Instance, error) {
	h := newHelpers()
	return harness.Instance{Close: h.Close, Worker: func(int) harness.Operation {
		there, back := make(chan struct{}), make(chan struct{})
		h.ending.Go(func() {
			for {
				select {
				case <-there:
					back <- struct{}{}
				case <-h.done:
					return
				}
			}
		})
		return func() error { there <- struct{}{}; <-back; return nil }
	}}, nil
}

func openWakeUp(harness.Setup) (harness.Instance, error) {
	h := newHelpers()
	return harness.Instance{Close: h.Close, Worker: func(int) harness.Operation {
		bell := make(chan struct{})
		h.ending.Go(func() {
			for {
				select {
				case <-bell:
				case <-h.done:
					return
				}
			}
		})
		return func() error { bell <- struct{}{}; return nil }
	}}, nil
}

var sixteen = []byte("0123456789abcdef")

// files are one file a goroutine, opened before the window.
type files struct{ open []*os.File }

func (f *files) create(s harness.Setup) error {
	for g := range s.Goroutines {
		file, err := os.Create(filepath.Join(s.Dir, strconv.Itoa(g)))
		if err != nil {
			f.Close()
			return err
		}
		f.open = append(f.open, file)
	}
	return nil
}

func (f *files) Close() error {
	var failure error
	for _, file := range f.open {
		if err := file.Close(); err != nil && failure == nil {
			failure = err
		}
	}
	return failure
}

func openWrites(s harness.Setup) (harness.Instance, error) {
	f := new(files)
	if err := f.create(s); err != nil {
		return harness.Instance{}, err
	}
	return harness.Instance{Close: f.Close, Worker: func(g int) harness.Operation {
		file := f.open[g]
		return func() error { _, err := file.Write(sixteen); return err }
	}}, nil
}

// openSyncs writes 16 B and flushes, each goroutine in a file of its own.
func openSyncs(prepared bool) func(harness.Setup) (harness.Instance, error) {
	const size = 1 << 20
	return func(s harness.Setup) (harness.Instance, error) {
		f := new(files)
		if err := f.create(s); err != nil {
			return harness.Instance{}, err
		}
		if prepared {
			for _, file := range f.open {
				if err := zero(file, size); err != nil {
					f.Close()
					return harness.Instance{}, err
				}
			}
		}
		return harness.Instance{Close: f.Close, Worker: func(g int) harness.Operation {
			file, at := f.open[g], int64(0)
			return func() error {
				if _, err := file.WriteAt(sixteen, at); err != nil {
					return err
				}
				at += int64(len(sixteen))
				if prepared {
					at %= size
				}
				return dataSync(file)
			}
		}}, nil
	}
}

// zero fills a file with zeros that are on the disk when it returns.
func zero(file *os.File, size int) error {
	if _, err := file.WriteAt(make([]byte, size), 0); err != nil {
		return err
	}
	return file.Sync()
}

func openLoopback(s harness.Setup) (harness.Instance, error) {
	e, err := newEcho(s.Goroutines)
	if err != nil {
		return harness.Instance{}, err
	}
	return harness.Instance{Close: e.Close, Worker: func(g int) harness.Operation {
		c, buf := e.clients[g], make([]byte, len(sixteen))
		return func() error {
			if _, err := c.Write(sixteen); err != nil {
				return err
			}
			_, err := io.ReadFull(c, buf)
			return err
		}
	}}, nil
}

// echo is a TCP server that sends back what it gets, and its clients.
type echo struct {
	listener net.Listener
	clients  []net.Conn
	ending   sync.WaitGroup
}

func newEcho(clients int) (*echo, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e := &echo{listener: listener}
	e.ending.Go(e.serve)
	for range clients {
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			e.Close()
			return nil, err
		}
		e.clients = append(e.clients, c)
	}
	return e, nil
}

func (e *echo) serve() {
	for {
		c, err := e.listener.Accept()
		if err != nil {
			return // closed
		}
		e.ending.Go(func() {
			defer c.Close()
			io.Copy(c, c) // ends when the client closes
		})
	}
}

// Close ends the clients, then the server, and waits for all of it.
func (e *echo) Close() error {
	for _, c := range e.clients {
		c.Close()
	}
	err := e.listener.Close()
	e.ending.Wait()
	return err
}
