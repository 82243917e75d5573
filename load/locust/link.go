package locust

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// A wire is how a worker reaches its master, whichever master that is at the time.
type wire interface {
	// send fails if nothing is connected, or no longer.
	send(frame []byte) error
	// events are told of until the wire is closed.
	events() <-chan event
	// drop ends the connection, if there is one; another one follows, under this name.
	drop(name string)
	// close ends it, and returns when nothing of it is left.
	close()
}

// An event is one of: connected, a frame, or an error that a connection, or the attempt at
// one, has ended with.
type event struct {
	up    bool
	frame []byte
	err   error
}

// redialing is how long after a connection the next one is tried.
const redialing = 250 * time.Millisecond

// A link is a wire over TCP.
type link struct {
	address string
	told    chan event
	cancel  func()
	ended   chan struct{}

	mu      sync.Mutex
	name    string
	current *dealer // nil: none is connected
}

// newLink connects until it is closed.
func newLink(address, name string) *link {
	ctx, cancel := context.WithCancel(context.Background())
	l := &link{address: address, name: name, told: make(chan event), cancel: cancel, ended: make(chan struct{})}
	go l.run(ctx)
	return l
}

func (l *link) events() <-chan event { return l.told }

var errNotConnected = errors.New("not connected")

func (l *link) send(frame []byte) error {
	l.mu.Lock()
	current := l.current
	l.mu.Unlock()
	if current == nil {
		return errNotConnected
	}
	err := current.send(frame)
	if err != nil {
		current.conn.Close()
	}
	return err
}

func (l *link) drop(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.name = name
	if l.current != nil {
		l.current.conn.Close()
		l.current = nil
	}
}

func (l *link) close() {
	l.cancel()
	<-l.ended
}

// run connects again and again.
func (l *link) run(ctx context.Context) {
	defer close(l.ended)
	for ctx.Err() == nil {
		l.tell(ctx, event{err: l.once(ctx)})
		select {
		case <-ctx.Done():
		case <-time.After(redialing):
		}
	}
}

func (l *link) tell(ctx context.Context, e event) {
	select {
	case l.told <- e:
	case <-ctx.Done():
	}
}

// once is one connection, from its beginning to its end.
func (l *link) once(ctx context.Context) error {
	dialer := net.Dialer{Timeout: handshaking}
	conn, err := dialer.DialContext(ctx, "tcp", l.address)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	d, err := newDealer(conn, l.take(nil))
	if err != nil {
		return err
	}
	defer conn.Close()
	l.take(d)
	defer l.take(nil)
	l.tell(ctx, event{up: true})
	for {
		frame, err := d.read()
		if err != nil {
			return err
		}
		l.tell(ctx, event{frame: frame})
	}
}

// take makes a connection the current one, and returns under which name.
func (l *link) take(d *dealer) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current = d
	return l.name
}
