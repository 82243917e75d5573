// Package pipes connects clients with servers in memory, for tests whose clock is a
// synctest bubble's. gRPC's bufconn does so with timers that are due at once; where two
// goroutines of a bubble set such timers at a time, the race detector of Go 1.26 crashes.
package pipes

import (
	"context"
	"net"
	"sync"
)

// A Listener accepts what is dialled. A write to a connection waits for its reader.
type Listener struct {
	dialled chan net.Conn
	closing sync.Once
	closed  chan struct{}
}

// Listen listens until it is closed.
func Listen() *Listener {
	return &Listener{dialled: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.dialled:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener]. Connections stay open.
func (l *Listener) Close() error {
	l.closing.Do(func() { close(l.closed) })
	return nil
}

type address struct{}

func (address) Network() string { return "pipe" }
func (address) String() string  { return "pipe" }

// Addr implements [net.Listener].
func (l *Listener) Addr() net.Addr { return address{} }

// Dial waits until the connection is accepted.
func (l *Listener) Dial(ctx context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.dialled <- there:
		return here, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
