package remote

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

// A faults makes connections that break: each after some milliseconds, by the seed in
// one of several ways.
type faults struct {
	mu   sync.Mutex
	rng  *rand.Rand
	mean time.Duration // how long one lives
	made int
}

func newFaults(seed uint64, mean time.Duration) *faults {
	return &faults{rng: rand.New(rand.NewPCG(seed, 0)), mean: mean}
}

func (f *faults) dial(ctx context.Context, endpoint string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", endpoint)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.made++
	c := &faultyConn{Conn: conn, way: f.rng.IntN(ways), after: f.rng.IntN(64), broken: make(chan struct{})}
	time.AfterFunc(time.Duration(f.rng.ExpFloat64()*float64(f.mean)), c.breaks)
	return c, nil
}

// Ways in which a connection ends.
const (
	closes  = iota // at once
	halves         // within the next write
	stalls         // never: it just carries nothing any more
	deafens        // what is sent arrives, and nothing comes back
	ways
)

type faultyConn struct {
	net.Conn
	way    int
	after  int // bytes that the last write still sends
	once   sync.Once
	broken chan struct{} // closed when it is
}

func (c *faultyConn) breaks() {
	c.once.Do(func() {
		close(c.broken)
		if c.way == closes {
			c.Conn.Close()
		}
	})
}

func (c *faultyConn) isBroken() bool {
	select {
	case <-c.broken:
		return true
	default:
		return false
	}
}

var errFaulty = errors.New("the connection broke, as it was to")

func (c *faultyConn) Write(b []byte) (int, error) {
	if !c.isBroken() || c.way == deafens {
		return c.Conn.Write(b)
	}
	switch c.way {
	case halves:
		n, _ := c.Conn.Write(b[:min(len(b), c.after)])
		c.Conn.Close()
		return n, errFaulty
	case stalls:
		return len(b), nil
	}
	return 0, errFaulty
}

func (c *faultyConn) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		if err != nil || !c.isBroken() || c.way == closes || c.way == halves {
			return n, err
		}
	}
}
