// Package connections lets a server end those that it has, also the ones that have never
// said anything: gRPC waits for these for as long as a greeting may take.
package connections

import (
	"net"
	"sync"
)

// A Listener knows its connections.
type Listener struct {
	net.Listener
	mu   sync.Mutex // guards open
	open map[*conn]struct{}
}

type conn struct {
	net.Conn
	of *Listener
}

// Accept implements [net.Listener].
func (l *Listener) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &conn{accepted, l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[*conn]struct{}{}
	}
	l.open[c] = struct{}{}
	return c, nil
}

// Close implements [net.Conn].
func (c *conn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// HangUp closes all connections.
func (l *Listener) HangUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.open {
		c.Conn.Close() // whoever has it closes it, too
	}
}
