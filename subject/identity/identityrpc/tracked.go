package identityrpc

import (
	"net"
	"sync"
)

// A tracked listener knows its connections.
type tracked struct {
	net.Listener
	mu   sync.Mutex // guards open
	open map[*trackedConn]struct{}
}

type trackedConn struct {
	net.Conn
	of *tracked
}

// Accept implements [net.Listener].
func (t *tracked) Accept() (net.Conn, error) {
	c, err := t.Listener.Accept()
	if err != nil {
		return nil, err
	}
	conn := &trackedConn{c, t}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == nil {
		t.open = map[*trackedConn]struct{}{}
	}
	t.open[conn] = struct{}{}
	return conn, nil
}

// Close implements [net.Conn].
func (c *trackedConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// hangUp closes all connections.
func (t *tracked) hangUp() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.open {
		c.Conn.Close() // whoever has it closes it, too
	}
}
